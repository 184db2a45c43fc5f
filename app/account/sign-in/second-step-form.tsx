import { useState } from 'react';
import { confirmCode, confirmRecoveryCode } from '#app/account/credentials/second-step-data.ts';
import { messageOf } from '#app/errors.ts';
import { signOut } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { CodeInput } from '#app/ui/controls/input.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';

/** Takes the code of the authenticator app, or one of the recovery codes, after the password. */
export function SecondStepForm() {
  const [byRecovery, setByRecovery] = useState(false);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    if (!code.trim()) return setError(byRecovery ? 'Enter a recovery code' : 'Enter the code from your app');
    setBusy(true);
    try {
      await (byRecovery ? confirmRecoveryCode : confirmCode)(await browserClient(), code);
      toast({ tone: 'success', title: 'Welcome back!' });
    } catch (refusal) {
      setError(messageOf(refusal, 'The code couldn’t be checked. Please try again.'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      method="dialog"
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <Field
        key={String(byRecovery)}
        label={byRecovery ? 'Recovery code' : 'Code'}
        hint={
          byRecovery
            ? 'One of the codes you saved when you set up two-step sign-in.'
            : 'The 6-digit code from your authenticator app.'
        }
        error={error}
      >
        <CodeInput
          value={code}
          onChange={(event) => setCode(event.target.value)}
          inputMode={byRecovery ? 'text' : 'numeric'}
          autoFocus
        />
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" busy={busy && 'Checking'}>
          Confirm
        </Button>
        <Button onClick={() => void signOut()}>Cancel</Button>
      </div>
      <button
        type="button"
        className="link reach self-start"
        onClick={() => {
          setByRecovery(!byRecovery);
          setCode('');
          setError(undefined);
        }}
      >
        {byRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
      </button>
    </form>
  );
}
