import { useState } from 'react';
import { CodeForm } from '#app/account/credentials/code-form.tsx';
import { confirmRecovery, requestNewPassword } from '#app/account/credentials/data.ts';
import { forgottenSchema } from '#app/account/credentials/form-schema.ts';
import {
  EMAIL_INTERVAL_S,
  secondsToWait,
  useWaitingTime,
} from '#app/account/credentials/use-waiting-time.ts';
import { useForm } from '#app/frame/act/use-form.ts';
import { refusalOf, useCaptcha } from '#app/frame/captcha/captcha.tsx';
import { followSession } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';

interface ForgottenFormProps {
  email?: string;
  /** Called with the address as it was typed so far. */
  onBack: (email: string) => void;
}

/** Asks for the email that leads to a new password, and takes its code. */
export function ForgottenForm({ email: known = '', onBack }: ForgottenFormProps) {
  const [sentTo, setSentTo] = useState<string>();
  const [seconds, wait] = useWaitingTime();
  const { register, handleSubmit, formState, getValues } = useForm({
    schema: forgottenSchema,
    defaultValues: { email: known },
  });
  const captcha = useCaptcha();
  const submit = handleSubmit(async ({ email }) => {
    const proof = captcha.requestToken();
    if (!proof) return;
    try {
      await requestNewPassword(await browserClient(), email, proof);
      toast({
        tone: 'success',
        title: 'Reset email sent!',
        text: 'Check your email for the link to set a new password.',
      });
      setSentTo(email);
      wait(EMAIL_INTERVAL_S);
    } catch (error) {
      const left = secondsToWait(error);
      if (left) wait(left);
      toast({ tone: 'error', title: 'Failed to reset password', text: refusalOf(error, '') });
    }
  });
  return (
    <div className="flex flex-col gap-6">
      <form method="dialog" noValidate onSubmit={submit} className="flex flex-col gap-5">
        <p className="text-ink-2 wrap-anywhere">
          {sentTo
            ? `If there’s an account for ${sentTo}, we’ve emailed a link to reset the password.`
            : 'We’ll email you a link to set a new password.'}
        </p>
        <Field label="Email" error={formState.errors.email?.message}>
          <Input {...register('email')} type="email" autoComplete="username" />
        </Field>
        {captcha.field}
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => onBack(getValues('email'))}>Back to sign in</Button>
          <Button
            type="submit"
            variant={sentTo ? 'default' : 'primary'}
            disabled={seconds > 0}
            busy={formState.isSubmitting && 'Sending'}
          >
            {seconds > 0 ? `Send again in ${seconds} s` : sentTo ? 'Send it again' : 'Send reset link'}
          </Button>
        </div>
      </form>
      {sentTo && (
        <div className="border-t pt-5">
          <CodeForm
            hint="Six digits. You can open the link in the email instead."
            verb="Continue"
            onSubmit={async (code) => {
              await followSession();
              await confirmRecovery(await browserClient(), sentTo, code);
            }}
          />
        </div>
      )}
    </div>
  );
}
