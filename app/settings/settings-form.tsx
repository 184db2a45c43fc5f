import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { settingsSchema } from '#app/account/form-schema.ts';
import { messageOf } from '#app/errors.ts';
import { BlockedMembers } from '#app/members/blocked-members.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { useForm } from '#app/ui/form.ts';
import { Input } from '#app/ui/input.tsx';
import { Switch } from '#app/ui/switch.tsx';
import { toast } from '#app/ui/toast.tsx';
import { DarkMode } from './dark-mode.tsx';
import { changeEmail, type Preferences, savePreferences } from './data.ts';
import { SettingsSection } from './settings-section.tsx';

const switches = [
  {
    title: 'Privacy',
    rows: [
      {
        name: 'allow_messages',
        label: 'Allow messages',
        hint: 'Members can write to you. Moderators always can.',
      },
    ],
  },
  {
    title: 'Notifications',
    rows: [
      {
        name: 'allow_notifications',
        label: 'In-app notifications',
        hint: 'Likes, comments, replies, badges and decisions.',
      },
      {
        name: 'email_notifications',
        label: 'Email notifications',
        hint: 'Messages and decisions at once, everything else once a day. Never what a message says.',
      },
    ],
  },
] as const;

interface SettingsFormProps {
  userId: string;
  email: string;
  stored: Preferences;
  onCancel: () => void;
}

export function SettingsForm({ userId, email, stored, onCancel }: SettingsFormProps) {
  const cache = useQueryClient();
  const { control, register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(settingsSchema),
    defaultValues: { email, ...stored },
  });
  const submit = handleSubmit(async ({ email: newEmail, ...chosen }) => {
    const db = await browserClient();
    try {
      await savePreferences(db, userId, chosen);
    } catch {
      toast({ tone: 'error', title: 'Failed to save settings' });
      return;
    }
    if (newEmail !== email) {
      try {
        await changeEmail(db, newEmail);
      } catch (error) {
        toast({ tone: 'error', title: 'Failed to update email', text: messageOf(error, '') });
        return;
      }
      toast({
        tone: 'success',
        title: 'Email updated successfully. Please check your inbox to confirm.',
        text: 'The old address and the new one each get a link; the change counts once both are opened.',
      });
    } else toast({ tone: 'success', title: 'Settings saved successfully' });
    await cache.invalidateQueries({ queryKey: ['account', 'preferences', userId] });
    reset({ email: newEmail, ...chosen });
  });
  return (
    <form method="dialog" noValidate onSubmit={submit}>
      <SettingsSection title="Account">
        <Field label="Email" error={formState.errors.email?.message}>
          {(field) => <Input {...field} {...register('email')} type="email" autoComplete="email" />}
        </Field>
      </SettingsSection>
      <SettingsSection title="Appearance">
        <DarkMode />
      </SettingsSection>
      {switches.map(({ title, rows }) => (
        <SettingsSection key={title} title={title}>
          <div className="divide-y">
            {rows.map(({ name, label, hint }) => (
              <Controller
                key={name}
                control={control}
                name={name}
                render={({ field }) => (
                  <Switch
                    hint={hint}
                    checked={field.value}
                    onChange={field.onChange}
                    className="flex w-full justify-between py-2.5"
                  >
                    {label}
                  </Switch>
                )}
              />
            ))}
          </div>
          {title === 'Privacy' && (
            <div className="mt-3 border-t pt-4">
              <h3 className="mb-2 font-title">Blocked members</h3>
              <BlockedMembers memberId={userId} />
            </div>
          )}
        </SettingsSection>
      ))}
      <div className="flex flex-wrap gap-3 border-t pt-8 pb-10">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={formState.isSubmitting && 'Saving'}>
          Save Changes
        </Button>
      </div>
    </form>
  );
}
