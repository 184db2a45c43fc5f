import { useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useCode } from '#app/account/credentials/code-form.tsx';
import {
  confirmByKey,
  confirmCode,
  confirmRecoveryCode,
  secondStepQuery,
} from '#app/account/credentials/second-step-data.ts';
import { signOut, useSession } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { CodeInput } from '#app/ui/controls/input.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';

/** The ways to take the second step, and what leads to each. */
const LINKS = {
  key: 'Use your passkey or security key',
  app: 'Use your authenticator app',
  recovery: 'Use a recovery code',
};

type Way = keyof typeof LINKS;

/** Takes the second step after the first: a key of a device, the code of an app, or one of the recovery codes. */
export function SecondStepForm() {
  const userId = useSession()?.halfway?.id ?? '';
  const factors = useQuery({ ...secondStepQuery(browserClient, userId), enabled: userId !== '' });
  const [chosen, setChosen] = useState<Way>();
  if (factors.isPending) return <Skeleton className="h-40" />;
  // Where they cannot be read, the code is the way that most have.
  const { apps = [undefined], keys = [] } = factors.data ?? {};
  const usual = keys.length > 0 ? 'key' : 'app';
  const way = chosen ?? usual;
  const others = [
    ...(keys.length > 0 ? ['key'] : []),
    ...(apps.length > 0 ? ['app'] : []),
    'recovery',
  ] as Way[];
  return (
    <div className="flex flex-col gap-5">
      {way === 'key' ? <KeyStep /> : <CodeStep key={way} byRecovery={way === 'recovery'} />}
      {others
        .filter((other) => other !== way)
        .map((other) => (
          <button
            key={other}
            type="button"
            className="link reach self-start"
            onClick={() => setChosen(other)}
          >
            {LINKS[other]}
          </button>
        ))}
    </div>
  );
}

const welcome = () => toast({ tone: 'success', title: 'Welcome back!' });

function KeyStep() {
  const { error, isPending, submit } = useCode({
    check: async () => {
      await confirmByKey(await browserClient());
      welcome();
    },
    refused: 'No passkey or security key was used. Please try again.',
  });
  return (
    <>
      <p className="text-ink-2">Use your passkey or security key to finish signing in.</p>
      {error && (
        <p role="alert" className="text-red-ink">
          {error}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          busy={isPending && 'Waiting for your key'}
          autoFocus
          onClick={() => void submit()}
        >
          <Fingerprint className="size-5" strokeWidth={1.75} aria-hidden />
          Continue
        </Button>
        <Button onClick={() => void signOut()}>Cancel</Button>
      </div>
    </>
  );
}

function CodeStep({ byRecovery }: { byRecovery: boolean }) {
  const { error, isPending, submit, input } = useCode({
    check: async (code) => {
      await (byRecovery ? confirmRecoveryCode : confirmCode)(await browserClient(), code);
      welcome();
    },
    missing: byRecovery ? 'Enter a recovery code' : 'Enter the code from your app',
    refused: 'The code couldn’t be checked. Please try again.',
  });
  return (
    <form method="dialog" noValidate className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
      <Field
        label={byRecovery ? 'Recovery code' : 'Code'}
        hint={
          byRecovery
            ? 'One of the codes you saved when you set up two-step sign-in.'
            : 'The 6-digit code from your authenticator app.'
        }
        error={error}
      >
        <CodeInput {...input} inputMode={byRecovery ? 'text' : 'numeric'} autoFocus />
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" busy={isPending && 'Checking'}>
          Confirm
        </Button>
        <Button onClick={() => void signOut()}>Cancel</Button>
      </div>
    </form>
  );
}
