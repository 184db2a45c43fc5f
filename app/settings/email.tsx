import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { CodeForm } from '#app/account/code-form.tsx';
import { forgottenSchema } from '#app/account/form-schema.ts';
import { EMAIL_INTERVAL_S, secondsToWait, useWaitingTime } from '#app/account/use-waiting-time.ts';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { keepFieldOnPress, useDirtyReport, useForm } from '#app/ui/form.ts';
import { Input } from '#app/ui/input.tsx';
import { toast } from '#app/ui/toast.tsx';
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
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(forgottenSchema),
    mode: 'onTouched',
    defaultValues: { email },
  });
  const { isDirty } = formState;
  useDirtyReport(isDirty, onDirtyChange);
  const submit = handleSubmit(async ({ email: wanted }) => {
    if (wanted === email) {
      reset({ email });
      toast({ tone: 'success', title: 'Settings saved successfully' });
      return;
    }
    try {
      await changeEmail(await browserClient(), wanted);
    } catch (error) {
      toast({ tone: 'error', title: 'Failed to update email', text: messageOf(error, '') });
      return;
    }
    toast({
      tone: 'success',
      title: 'Email updated successfully. Please check your inbox to confirm.',
      text: 'We’ve emailed your old and your new address. Your email changes once you’ve confirmed from both.',
    });
    // The account keeps its address until then.
    reset({ email });
    await cache.invalidateQueries({ queryKey: options.queryKey });
  });
  return (
    <div className="flex flex-col gap-6">
      {pending && <PendingChange key={pending} userId={userId} email={email} pending={pending} />}
      <form
        method="dialog"
        noValidate
        onSubmit={submit}
        onMouseDown={keepFieldOnPress}
        className="flex flex-col gap-5"
      >
        <Field label="Email" error={formState.errors.email?.message}>
          {(field) => <Input {...field} {...register('email')} type="email" autoComplete="email" />}
        </Field>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => (isDirty ? reset({ email }) : onCancel())}>Cancel</Button>
          <Button type="submit" variant="primary" busy={formState.isSubmitting && 'Saving'}>
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
