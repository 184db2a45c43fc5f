import { signUp } from '#app/account/credentials/data.ts';
import { signUpSchema } from '#app/account/credentials/form-schema.ts';
import { NewPasswordField } from '#app/account/credentials/new-password-field.tsx';
import { declarationText } from '#app/account/credentials/rules.ts';
import { TermsOfMembership } from '#app/account/credentials/terms-of-membership.tsx';
import { useForm } from '#app/frame/act/use-form.ts';
import { useCaptcha } from '#app/frame/captcha/captcha.tsx';
import { followSession } from '#app/session.ts';
import { siteSettings } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { Field, FieldGroup } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { showRefusal } from './refusal.ts';

interface SignUpFormProps {
  /** The address, where it is known. */
  email: string;
  /** Called with the address that has to be confirmed first. */
  onCreated: (email: string) => void;
}

/** Email, password and the declaration of a new member. */
export function SignUpForm({ email: known, onCreated }: SignUpFormProps) {
  const { sign_up: signUps, email_domains: domains } = siteSettings();
  const { register, handleSubmit, formState, watch } = useForm({
    schema: signUpSchema,
    // Each field says what is wrong as it is left, and no longer once it is right.
    mode: 'onTouched',
    defaultValues: { email: known, password: '', declared: false },
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
      showRefusal(error, 'Failed to sign up');
    }
  });
  if (signUps === 'closed') return <p>New accounts can’t be created at the moment.</p>;
  return (
    <form method="dialog" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label="Email"
        hint={
          signUps === 'invite'
            ? 'Use the email address that your invitation was sent to.'
            : domains.length > 0 && `Use an address at ${domains.join(' or ')}.`
        }
        error={formState.errors.email?.message}
      >
        <Input {...register('email')} type="email" autoComplete="username" />
      </Field>
      <NewPasswordField
        label="Password"
        error={formState.errors.password?.message}
        {...register('password')}
        typed={watch('password')}
      />
      <FieldGroup id="declaration" legend="Declaration" error={formState.errors.declared?.message}>
        <Checkbox {...register('declared')} aria-required>
          {declarationText}
        </Checkbox>
      </FieldGroup>
      <TermsOfMembership />
      {captcha.field}
      <Button
        type="submit"
        variant="primary"
        className="self-start"
        busy={formState.isSubmitting && 'Creating account'}
      >
        Create account
      </Button>
    </form>
  );
}
