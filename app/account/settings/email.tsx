import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { CodeForm } from '#app/account/account/code-form.tsx';
import { EMAIL_INTERVAL_S, secondsToWait, useWaitingTime } from '#app/account/account/use-waiting-time.ts';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { useDirtyReport } from '#app/ui/states/leave-guard.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import {
  cancelEmailChange,
  changeEmail,
  confirmEmailChange,
  pendingEmailQuery,
  resendEmailChange,
} from './data.ts';

interface EmailSettingsProps {
  userId: string;
  email: string;
  onDirtyChange: (isDirty: boolean) => void;
  /** Called by Cancel where there is nothing to take back. */
  onCancel: () => void;
}

/** The address of an account, and a change of it that is not confirmed yet. */
export function EmailSettings({ userId, email, onDirtyChange, onCancel }: EmailSettingsProps) {
  const cache = useQueryClient();
  const options = pendingEmailQuery(browserClient, userId);
  const pending = useQuery(options).data;
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(email);
  const [error, setError] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const isDirty = typed !== email;
  useDirtyReport(isDirty, onDirtyChange);
  const reset = () => {
    setTyped(email);
    setError(undefined);
  };
  // The rules come when an address has been typed: one field does not need the library for forms.
  const checked = async (address: string) => {
    const { forgottenSchema } = await import('#app/account/account/form-schema.ts');
    const answer = forgottenSchema.safeParse({ email: address });
    setError(answer.error?.issues[0]?.message);
    return answer.data?.email;
  };
  const save = async () => {
    const wanted = await checked(typed);
    if (wanted === undefined) return box.current?.focus();
    if (wanted !== email) {
      await changeEmail(await browserClient(), wanted);
      await cache.invalidateQueries({ queryKey: options.queryKey });
    }
    toast(
      wanted === email
        ? { tone: 'success', title: 'Settings saved successfully' }
        : {
            tone: 'success',
            title: 'Email updated successfully. Please check your inbox to confirm.',
            text: 'We’ve emailed your old and your new address. Your email changes once you’ve confirmed from both.',
          },
    );
    // The account keeps its address until then.
    reset();
  };
  const submit = async () => {
    if (isSaving) return;
    setIsSaving(true);
    try {
      await save();
    } catch (refusal) {
      toast({ tone: 'error', title: 'Failed to update email', text: messageOf(refusal, '') });
    }
    setIsSaving(false);
  };
  return (
    <div className="flex flex-col gap-6">
      {pending && <PendingChange key={pending} userId={userId} email={email} pending={pending} />}
      <form
        method="dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onMouseDown={keepFieldOnPress}
        className="flex flex-col gap-5"
      >
        <Field label="Email" error={error}>
          <Input
            ref={box}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              if (error) void checked(event.target.value).catch(() => undefined);
            }}
            onBlur={() => isDirty && void checked(typed).catch(() => undefined)}
            type="email"
            autoComplete="email"
          />
        </Field>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => (isDirty ? reset() : onCancel())}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isSaving && 'Saving'}>
            Save Changes
          </Button>
        </div>
      </form>
    </div>
  );
}

/** A change of email that waits for its confirmations: sent again, confirmed by code, or taken back. */
function PendingChange({ userId, email, pending }: { userId: string; email: string; pending: string }) {
  const cache = useQueryClient();
  const { queryKey } = pendingEmailQuery(browserClient, userId);
  const [seconds, wait] = useWaitingTime();
  const [isTyping, setIsTyping] = useState(false);
  const [busy, setBusy] = useState<'resend' | 'cancel'>();
  const runAction = async (what: 'resend' | 'cancel', work: () => Promise<void>) => {
    setBusy(what);
    try {
      await work();
    } catch (error) {
      const left = secondsToWait(error);
      if (left) wait(left);
      else toast({ tone: 'error', title: 'Error', text: messageOf(error, 'Please try again') });
    }
    setBusy(undefined);
  };
  const resend = () =>
    runAction('resend', async () => {
      await resendEmailChange(await browserClient(), email);
      wait(EMAIL_INTERVAL_S);
      toast({ tone: 'success', title: 'Emails sent', text: `Check ${email} and ${pending}.` });
    });
  const cancel = () =>
    runAction('cancel', async () => {
      await cancelEmailChange(await browserClient());
      await cache.invalidateQueries({ queryKey });
      toast({ tone: 'success', title: 'Change cancelled', text: `Your email is still ${email}.` });
    });
  return (
    <Banner
      tone="accent"
      icon={MailCheck}
      title={<span className="wrap-anywhere">Waiting for confirmation of {pending}.</span>}
    >
      <p className="wrap-anywhere">
        We’ve emailed {email} and {pending}. Confirm from both to change your email.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button
          size="small"
          disabled={seconds > 0}
          busy={busy === 'resend' && 'Sending'}
          onClick={() => void resend()}
        >
          {seconds > 0 ? `Send again in ${seconds} s` : 'Send again'}
        </Button>
        <Button size="small" aria-expanded={isTyping} onClick={() => setIsTyping(!isTyping)}>
          Enter a code
        </Button>
        <Button size="small" busy={busy === 'cancel' && 'Cancelling'} onClick={() => void cancel()}>
          Cancel change
        </Button>
      </div>
      {isTyping && (
        <div className="mt-4 text-ink">
          <CodeForm
            verb="Confirm code"
            onSubmit={async (code) => {
              const isChanged = await confirmEmailChange(await browserClient(), [pending, email], code);
              toast({
                tone: 'success',
                title: isChanged ? 'Your email was changed' : 'Code confirmed',
                text: isChanged ? undefined : 'Now confirm from your other address too.',
              });
              await cache.invalidateQueries({ queryKey });
            }}
          />
        </div>
      )}
    </Banner>
  );
}
