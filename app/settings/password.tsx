import { zodResolver } from '@hookform/resolvers/zod';
import { setPassword } from '#app/account/data.ts';
import { changedPasswordSchema, MIN_PASSWORD_LENGTH } from '#app/account/form-schema.ts';
import { NewPasswordInput } from '#app/account/new-password-input.tsx';
import { PasswordInput } from '#app/account/password-input.tsx';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { keepFieldOnPress, useDirtyReport, useForm } from '#app/ui/form.ts';
import { toast } from '#app/ui/toast.tsx';

const empty = { current: '', password: '' };

interface PasswordSettingsProps {
  email: string;
  onDirtyChange: (isDirty: boolean) => void;
}

export function PasswordSettings({ email, onDirtyChange }: PasswordSettingsProps) {
  const { register, handleSubmit, formState, reset, watch } = useForm({
    resolver: zodResolver(changedPasswordSchema),
    mode: 'onTouched',
    defaultValues: empty,
  });
  const { isDirty } = formState;
  useDirtyReport(isDirty, onDirtyChange);
  const submit = handleSubmit(async ({ current, password }) => {
    try {
      await setPassword(await browserClient(), password, current);
      reset(empty);
      toast({ tone: 'success', title: 'Password updated!' });
    } catch (error) {
      toast({ tone: 'error', title: 'Failed to update password', text: messageOf(error, '') });
    }
  });
  return (
    <form
      method="dialog"
      noValidate
      onSubmit={submit}
      onMouseDown={keepFieldOnPress}
      className="flex flex-col gap-5"
    >
      {/* Shows a password manager which account the password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label="Current password" error={formState.errors.current?.message}>
        {(control) => <PasswordInput {...control} {...register('current')} autoComplete="current-password" />}
      </Field>
      <Field
        label="New password"
        hint={`At least ${MIN_PASSWORD_LENGTH} characters`}
        error={formState.errors.password?.message}
      >
        {(control) => <NewPasswordInput {...control} {...register('password')} typed={watch('password')} />}
      </Field>
      <Button type="submit" className="self-start" busy={formState.isSubmitting && 'Saving'}>
        Change Password
      </Button>
    </form>
  );
}
