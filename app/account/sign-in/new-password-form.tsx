import { setPassword } from '#app/account/credentials/data.ts';
import { newPasswordSchema } from '#app/account/credentials/form-schema.ts';
import { NewPasswordField } from '#app/account/credentials/new-password-field.tsx';
import { PasswordInput } from '#app/account/credentials/password-input.tsx';
import { messageOf } from '#app/errors.ts';
import { useForm } from '#app/frame/act/use-form.ts';
import { signOut } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';

/** The form to which the link of a reset email leads; with the new password, the member then signs in again. */
export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const { register, handleSubmit, formState, watch } = useForm({
    schema: newPasswordSchema,
    mode: 'onTouched',
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
      <NewPasswordField
        label="New password"
        error={formState.errors.password?.message}
        {...register('password')}
        typed={watch('password')}
      />
      <Field label="Confirm new password" error={formState.errors.repeated?.message}>
        <PasswordInput {...register('repeated')} autoComplete="new-password" />
      </Field>
      <Button
        type="submit"
        variant="primary"
        className="self-start"
        busy={formState.isSubmitting && 'Saving'}
      >
        Update password
      </Button>
    </form>
  );
}
