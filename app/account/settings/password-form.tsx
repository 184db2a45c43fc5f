import { useQuery, useQueryClient } from '@tanstack/react-query';
import { setPassword } from '#app/account/credentials/data.ts';
import { changedPasswordSchema } from '#app/account/credentials/form-schema.ts';
import { NewPasswordField } from '#app/account/credentials/new-password-field.tsx';
import { PasswordInput } from '#app/account/credentials/password-input.tsx';
import { messageOf } from '#app/errors.ts';
import { useForm } from '#app/frame/act/use-form.ts';
import { asMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { useDirtyReport } from '#app/ui/states/leave-guard.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
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
  const submit = handleSubmit(async ({ current, password }) => {
    try {
      await asMember(async () => setPassword(await browserClient(), password, current));
      toast({ tone: 'success', title: 'Password updated!', text: cancelledText(pendingEmail) });
      await cache.invalidateQueries({ queryKey: pending.queryKey });
      onClose();
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
        <Button type="submit" variant="primary" busy={formState.isSubmitting && 'Saving'}>
          Save password
        </Button>
      </div>
    </form>
  );
}
