import { useState } from 'react';
import { CodeForm } from '#app/account/credentials/code-form.tsx';
import { confirmEmail, resendConfirmation } from '#app/account/credentials/data.ts';
import {
  EMAIL_INTERVAL_S,
  secondsToWait,
  useWaitingTime,
} from '#app/account/credentials/use-waiting-time.ts';
import { useCaptcha } from '#app/frame/captcha/captcha.tsx';
import { followSession } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { showRefusal } from './refusal.ts';

interface ConfirmEmailProps {
  email: string;
  /** Whether an email is on its way already. */
  isSent: boolean;
  onBack: () => void;
}

/**
 * The way from a sign-up to the account: by the link of the email, or by its code. The words are the same for an
 * address that has an account already, whose owner gets another email.
 */
export function ConfirmEmail({ email, isSent, onBack }: ConfirmEmailProps) {
  const [busy, setBusy] = useState(false);
  const [seconds, wait] = useWaitingTime(isSent ? EMAIL_INTERVAL_S : 0);
  const captcha = useCaptcha();
  const resend = async () => {
    const proof = captcha.requestToken();
    if (!proof) return;
    setBusy(true);
    try {
      await resendConfirmation(await browserClient(), email, proof);
      wait(EMAIL_INTERVAL_S);
      toast({
        tone: 'success',
        title: 'Email requested',
        text: `If ${email} still needs confirming, a new email is on its way.`,
      });
    } catch (error) {
      const left = secondsToWait(error);
      if (left) wait(left);
      else showRefusal(error, 'The email couldn’t be sent');
    }
    setBusy(false);
  };
  return (
    <div className="flex flex-col gap-6">
      <p className="text-ink-2">
        {isSent ? 'We’ve sent an email to ' : 'Before you can sign in, please confirm '}
        <strong className="wrap-anywhere text-ink">{email}</strong>.{' '}
        {isSent
          ? 'Open its link or enter its code to continue.'
          : 'Open the link in our email or enter its code.'}
      </p>
      <CodeForm
        hint="Six digits. Check your spam folder if you can’t find the email."
        verb="Confirm email"
        onSubmit={async (code) => {
          await followSession();
          await confirmEmail(await browserClient(), email, code);
        }}
      />
      {captcha.field}
      <div className="flex flex-wrap items-center gap-3 border-t pt-5">
        <Button disabled={seconds > 0} busy={busy && 'Sending'} onClick={() => void resend()}>
          {seconds > 0 ? `Send again in ${seconds} s` : 'Send it again'}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Back to sign in
        </Button>
      </div>
    </div>
  );
}
