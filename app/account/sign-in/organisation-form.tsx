import { forgottenSchema } from '#app/account/credentials/form-schema.ts';
import { NoOrganisation, signInByOrganisation } from '#app/account/credentials/provider-data.ts';
import { useForm } from '#app/frame/act/use-form.ts';
import { useCaptcha } from '#app/frame/captcha/captcha.tsx';
import { keepReturnPath } from '#app/require-sign-in.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { showRefusal } from './refusal.ts';

/** Leads to the sign-in page of the organisation to which an email address belongs. */
export function OrganisationForm({ onBack }: { onBack: () => void }) {
  const { register, handleSubmit, formState, setError } = useForm({
    schema: forgottenSchema,
    defaultValues: { email: '' },
  });
  const captcha = useCaptcha();
  const submit = handleSubmit(async ({ email }) => {
    const proof = captcha.requestToken();
    if (!proof) return;
    try {
      keepReturnPath();
      await signInByOrganisation(await browserClient(), email, proof);
    } catch (error) {
      if (error instanceof NoOrganisation) setError('email', { message: error.message });
      else showRefusal(error, 'You weren’t signed in. Please try again.');
    }
  });
  return (
    <form method="dialog" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label="Work email"
        hint="We’ll take you to your organisation’s own sign-in page."
        error={formState.errors.email?.message}
      >
        <Input {...register('email')} type="email" autoComplete="username" autoFocus />
      </Field>
      {captcha.field}
      <div className="flex flex-wrap gap-3">
        <Button onClick={onBack}>Back to sign in</Button>
        <Button type="submit" variant="primary" busy={formState.isSubmitting && 'Opening'}>
          Continue
        </Button>
      </div>
    </form>
  );
}
