import { useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import { signIn } from '#app/account/credentials/data.ts';
import { signInSchema } from '#app/account/credentials/form-schema.ts';
import { signInWithPasskey } from '#app/account/credentials/passkey-data.ts';
import { PasswordInput } from '#app/account/credentials/password-input.tsx';
import { signInWaysQuery } from '#app/account/credentials/provider-data.ts';
import { useForm } from '#app/frame/act/use-form.ts';
import { useCaptcha } from '#app/frame/captcha/captcha.tsx';
import { followSession } from '#app/session.ts';
import { browserClient, type SupabaseConfig } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { codeOf, showRefusal } from './refusal.ts';

interface SignInFormProps {
  email?: string;
  /** Called with the address as it was typed so far. */
  onForgotten: (email: string) => void;
  /** Called with the address that still has to be confirmed. */
  onUnconfirmed: (email: string) => void;
}

/** Email and password, on the sign-in page and over the page on which a session has ended. */
export function SignInForm({ email: known = '', onForgotten, onUnconfirmed }: SignInFormProps) {
  const { register, handleSubmit, formState, getValues, setFocus } = useForm({
    schema: signInSchema,
    defaultValues: { email: known, password: '' },
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
      else {
        showRefusal(error, 'Failed to sign in');
        // The password is more likely to be wrong than the address.
        if (codeOf(error) === 'invalid_credentials') setFocus('password', { shouldSelect: true });
      }
    }
  });
  const ways = useQuery(signInWaysQuery).data;
  // Our own service has them unless its settings say otherwise, so that the form does not grow later.
  const isOwnService = useRouteLoaderData<{ supabase: SupabaseConfig }>('root')?.supabase.url === '';
  const [isWaiting, setIsWaiting] = useState(false);
  const askForPasskey = async () => {
    const proof = captcha.requestToken();
    if (!proof) return;
    setIsWaiting(true);
    try {
      await followSession();
      const { needsCode } = await signInWithPasskey(await browserClient(), proof);
      if (!needsCode) toast({ tone: 'success', title: 'Welcome back!' });
    } catch (error) {
      showRefusal(error, 'Failed to sign in');
    } finally {
      setIsWaiting(false);
    }
  };
  return (
    <form method="dialog" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field label="Email" error={formState.errors.email?.message}>
        <Input {...register('email')} type="email" autoComplete="username" />
      </Field>
      <Field label="Password" error={formState.errors.password?.message}>
        <PasswordInput
          {...register('password')}
          autoComplete="current-password"
          // Where the address is known, only this is left to type.
          autoFocus={known !== ''}
        />
      </Field>
      {captcha.field}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Button type="submit" variant="primary" busy={formState.isSubmitting && 'Signing in'}>
          Sign In
        </Button>
        <button type="button" className="link reach" onClick={() => onForgotten(getValues('email'))}>
          Forgot password?
        </button>
      </div>
      {(ways ? ways.byPasskey : isOwnService) && (
        <Button busy={isWaiting && 'Waiting for your passkey'} onClick={() => void askForPasskey()}>
          <Fingerprint className="size-5" strokeWidth={1.75} aria-hidden />
          Sign in with a passkey
        </Button>
      )}
    </form>
  );
}
