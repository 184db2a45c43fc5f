import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { refusalOf, useCaptcha } from '#app/captcha/captcha.tsx';
import { messageOf } from '#app/errors.ts';
import { followSession, signOut } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { Checkbox } from '#app/ui/checkbox-radio.tsx';
import { Field, FieldGroup } from '#app/ui/field.tsx';
import { useForm } from '#app/ui/form.ts';
import { Input } from '#app/ui/input.tsx';
import { toast } from '#app/ui/toast.tsx';
import { requestNewPassword, resendConfirmation, setPassword, signIn, signUp } from './data.ts';
import {
  declarationText,
  forgottenSchema,
  MIN_PASSWORD_LENGTH,
  newPasswordSchema,
  signInSchema,
  signUpSchema,
} from './form-schema.ts';
import { NewPasswordInput } from './new-password-input.tsx';
import { PasswordInput } from './password-input.tsx';

const codeOf = (error: unknown) =>
  error && typeof error === 'object' && 'code' in error ? error.code : undefined;

const refusalMessage = (error: unknown, fallback: string) =>
  toast({ tone: 'error', title: 'Error', text: refusalOf(error, fallback) });

export function SignInForm({
  onForgotten,
  onUnconfirmed,
}: {
  onForgotten: () => void;
  /** Called with the address that still has to be confirmed. */
  onUnconfirmed: (email: string) => void;
}) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(signInSchema),
    defaultValues: { email: '', password: '' },
  });
  const captcha = useCaptcha();
  const submit = handleSubmit(async ({ email, password }) => {
    const proof = captcha.requestToken();
    if (!proof) return;
    try {
      await followSession();
      const { needsCode } = await signIn(await browserClient(), email, password, proof);
      if (!needsCode) toast({ tone: 'success', title: 'Welcome back!' });
    } catch (error) {
      if (codeOf(error) === 'email_not_confirmed') onUnconfirmed(email);
      refusalMessage(error, 'Failed to sign in');
    }
  });
  return (
    <form method="dialog" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field label="Email" error={formState.errors.email?.message}>
        {(control) => <Input {...control} {...register('email')} type="email" autoComplete="username" />}
      </Field>
      <Field label="Password" error={formState.errors.password?.message}>
        {(control) => (
          <PasswordInput {...control} {...register('password')} autoComplete="current-password" />
        )}
      </Field>
      {captcha.field}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Button type="submit" variant="primary" busy={formState.isSubmitting && 'Signing in'}>
          Sign In
        </Button>
        <button type="button" className="link reach" onClick={onForgotten}>
          Forgot password?
        </button>
      </div>
    </form>
  );
}

export function SignUpForm({ onCreated }: { onCreated: (email: string) => void }) {
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: zodResolver(signUpSchema),
    defaultValues: { email: '', password: '', declared: false },
  });
  const captcha = useCaptcha();
  const submit = handleSubmit(async ({ email, password }) => {
    const proof = captcha.requestToken();
    if (!proof) return;
    try {
      await followSession();
      const signedIn = await signUp(await browserClient(), email, password, proof);
      toast({
        tone: 'success',
        title: 'Account created!',
        text: signedIn
          ? 'Please complete your profile.'
          : 'Please confirm your email, then complete your profile.',
      });
      if (!signedIn) onCreated(email);
    } catch (error) {
      refusalMessage(error, 'Failed to sign up');
    }
  });
  return (
    <form method="dialog" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field label="Email" error={formState.errors.email?.message}>
        {(control) => <Input {...control} {...register('email')} type="email" autoComplete="username" />}
      </Field>
      <Field
        label="Password"
        hint={`At least ${MIN_PASSWORD_LENGTH} characters`}
        error={formState.errors.password?.message}
      >
        {(control) => <NewPasswordInput {...control} {...register('password')} typed={watch('password')} />}
      </Field>
      <FieldGroup id="declaration" legend="Declaration" error={formState.errors.declared?.message}>
        <Checkbox {...register('declared')}>{declarationText}</Checkbox>
      </FieldGroup>
      {captcha.field}
      <Button
        type="submit"
        variant="primary"
        className="self-start"
        busy={formState.isSubmitting && 'Creating account'}
      >
        Create Account
      </Button>
    </form>
  );
}

export function ForgottenForm({ onBack }: { onBack: () => void }) {
  const [sentTo, setSentTo] = useState<string>();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(forgottenSchema),
    defaultValues: { email: '' },
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
    } catch (error) {
      toast({ tone: 'error', title: 'Failed to reset password', text: refusalOf(error, '') });
    }
  });
  return (
    <form method="dialog" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <p className="text-ink-2">
        {sentTo
          ? `If ${sentTo} belongs to an account, a link to set a new password is on its way.`
          : 'We send you a link to set a new password.'}
      </p>
      <Field label="Email" error={formState.errors.email?.message}>
        {(control) => <Input {...control} {...register('email')} type="email" autoComplete="username" />}
      </Field>
      {captcha.field}
      <div className="flex flex-wrap gap-3">
        <Button onClick={onBack}>Back to sign in</Button>
        <Button type="submit" variant="primary" busy={formState.isSubmitting && 'Sending'}>
          {sentTo ? 'Send again' : 'Send Reset Link'}
        </Button>
      </div>
    </form>
  );
}

export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: zodResolver(newPasswordSchema),
    defaultValues: { password: '', repeated: '' },
  });
  const submit = handleSubmit(async ({ password }) => {
    try {
      await setPassword(await browserClient(), password);
    } catch (error) {
      toast({ tone: 'error', title: 'Failed to reset password', text: messageOf(error, '') });
      return;
    }
    await signOut();
    toast({ tone: 'success', title: 'Password updated!', text: 'Please sign in with your new password.' });
    onDone();
  });
  return (
    <form method="dialog" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label="New password"
        hint={`At least ${MIN_PASSWORD_LENGTH} characters`}
        error={formState.errors.password?.message}
      >
        {(control) => <NewPasswordInput {...control} {...register('password')} typed={watch('password')} />}
      </Field>
      <Field label="New password again" error={formState.errors.repeated?.message}>
        {(control) => <PasswordInput {...control} {...register('repeated')} autoComplete="new-password" />}
      </Field>
      <Button
        type="submit"
        variant="primary"
        className="self-start"
        busy={formState.isSubmitting && 'Saving'}
      >
        Update Password
      </Button>
    </form>
  );
}

/** Requests another copy of the email that confirms a new account. */
export function ResendForm({ email }: { email: string }) {
  const [sending, setSending] = useState(false);
  const captcha = useCaptcha();
  const resend = async () => {
    const proof = captcha.requestToken();
    if (!proof) return;
    setSending(true);
    try {
      await resendConfirmation(await browserClient(), email, proof);
      toast({ tone: 'success', title: 'Email sent', text: `Look for it at ${email}.` });
    } catch (error) {
      refusalMessage(error, 'The email could not be sent');
    }
    setSending(false);
  };
  return (
    <>
      <button
        type="button"
        className="reach underline underline-offset-4"
        disabled={sending}
        onClick={() => void resend()}
      >
        Send it again
      </button>
      {captcha.field}
    </>
  );
}
