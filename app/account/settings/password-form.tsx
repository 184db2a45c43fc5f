import { useQuery, useQueryClient } from '@tanstack/react-query';
import { setPassword } from '#app/account/credentials/data.ts';
import { changedPasswordSchema } from '#app/account/credentials/form-schema.ts';
import { NewPasswordField } from '#app/account/credentials/new-password-field.tsx';
import { PasswordInput } from '#app/account/credentials/password-input.tsx';
import { useAction } from '#app/frame/act/use-action.ts';
import { useForm } from '#app/frame/act/use-form.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { useDirtyReport } from '#app/ui/states/leave-guard.tsx';
import { cancelledText, pendingEmailQuery } from './data.ts';

export interface PasswordFormProps {
  userId: string;
  email: string;
  onDirtyChange: (isDirty: boolean) => void;
  /** Called when the password was changed, or is to stay. */
  onClose: () => void;
}

/** Asks for the current password and a new one. */
export function PasswordForm({ userId, email, onDirtyChange, onClose }: PasswordFormProps) {
  const cache = useQueryClient();
  const pending = pendingEmailQuery(browserClient, userId);
  const pendingEmail = useQuery(pending).data;
  const { register, handleSubmit, formState, watch } = useForm({
    schema: changedPasswordSchema,
    mode: 'onTouched',
    defaultValues: { current: '', password: '' },
  });
  const { isDirty } = formState;
  useDirtyReport(isDirty, onDirtyChange);
  const saving = useAction({
    act: async ({ current, password }: { current: string; password: string }) =>
      setPassword(await browserClient(), password, current),
    done: () => ({ title: 'Password updated!', text: cancelledText(pendingEmail) }),
    failed: 'Failed to update password',
    onDone: async () => {
      await cache.invalidateQueries({ queryKey: pending.queryKey });
      onClose();
    },
  });
  const submit = handleSubmit((fields) => saving.mutate(fields));
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
        <PasswordInput {...register('current')} autoComplete="current-password" autoFocus />
      </Field>
      <NewPasswordField
        label="New password"
        error={formState.errors.password?.message}
        {...register('password')}
        typed={watch('password')}
      />
      <div className="flex flex-wrap gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={saving.isPending && 'Saving'}>
          Save password
        </Button>
      </div>
    </form>
  );
}
