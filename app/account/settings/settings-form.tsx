import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { useDirtyReport } from '#app/ui/states/leave-guard.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import {
  changeEmail,
  type Preferences,
  pendingEmailQuery,
  preferencesQuery,
  savePreferences,
} from './data.ts';
import { PendingEmail } from './pending-email.tsx';
import { PreferenceRows } from './preferences.tsx';
import { SettingsSection } from './settings-section.tsx';

const privacy = [
  {
    name: 'allow_messages',
    label: 'Allow messages',
    hint: 'Members can message you. Moderators always can.',
  },
] as const;

const notifications = [
  {
    name: 'allow_notifications',
    label: 'In-app notifications',
    hint: 'Likes, comments, replies and decisions. Safety notices, removals and sanctions always reach you.',
  },
  {
    name: 'email_notifications',
    label: 'Email notifications',
    hint: 'Messages and decisions straight away, everything else once a day. Emails never include what a message says.',
  },
  {
    name: 'weekly_digest',
    label: 'Weekly digest',
    hint: 'One email each Monday with what is new for what you follow.',
  },
  {
    name: 'asks_still_in_use',
    label: '“Still in use?” questions',
    hint: 'We ask whether what you tried or measured is still used, 3, 6 and 12 months later.',
  },
] as const;

/** The sections that one button saves, in order. */
export const savedSections = [
  ['account', 'Account'],
  ['privacy', 'Privacy'],
  ['notifications', 'Notifications'],
] as const;

interface SettingsFormProps {
  userId: string;
  email: string;
  stored: Preferences;
  onDirtyChange: (isDirty: boolean) => void;
  /** Called by Cancel where there is nothing to take back. */
  onCancel: () => void;
}

/** The email and the switches of an account: one card, at whose end they are saved together. */
export function SettingsForm({ userId, email, stored, onDirtyChange, onCancel }: SettingsFormProps) {
  const cache = useQueryClient();
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(email);
  const [changed, setChanged] = useState<Partial<Preferences>>({});
  const [error, setError] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const hasNewEmail = typed !== email;
  const hasChanged = Object.keys(changed).length > 0;
  const isDirty = hasNewEmail || hasChanged;
  useDirtyReport(isDirty, onDirtyChange);
  const values = { ...stored, ...changed };
  const change = (name: keyof Preferences, on: boolean) =>
    setChanged(({ [name]: _before, ...others }) =>
      on === stored[name] ? others : { ...others, [name]: on },
    );
  const resetEmail = () => {
    setTyped(email);
    setError(undefined);
  };
  // The rules come when an address has been typed: one field does not need the library for forms.
  const checked = async (address: string) => {
    const { forgottenSchema } = await import('#app/account/credentials/form-schema.ts');
    const answer = forgottenSchema.safeParse({ email: address });
    setError(answer.error?.issues[0]?.message);
    return answer.data?.email;
  };
  const saveChanged = async () => {
    await savePreferences(await browserClient(), userId, changed);
    cache.setQueryData(preferencesQuery(browserClient, userId).queryKey, values);
    setChanged({});
  };
  const saveEmail = async (wanted: string) => {
    await changeEmail(await browserClient(), wanted);
    await cache.invalidateQueries({ queryKey: pendingEmailQuery(browserClient, userId).queryKey });
    // The account keeps its address until the new one is confirmed.
    resetEmail();
  };
  const save = async () => {
    let failure = 'Failed to update email';
    try {
      const wanted = hasNewEmail ? await checked(typed) : email;
      if (wanted === undefined) return box.current?.focus();
      failure = 'Failed to save settings';
      if (hasChanged) await saveChanged();
      failure = 'Failed to update email';
      if (wanted !== email) await saveEmail(wanted);
      toast(
        wanted === email
          ? { id: 'settings-saved', tone: 'success', title: 'Settings saved successfully' }
          : {
              tone: 'success',
              title: 'Email updated successfully. Please check your inbox to confirm.',
              text: 'We’ve emailed your old and your new address. Your email changes once you’ve confirmed from both.',
            },
      );
    } catch (refusal) {
      toast({ tone: 'error', title: failure, text: messageOf(refusal, '') });
    }
  };
  const contents: Record<(typeof savedSections)[number][0], ReactNode> = {
    account: (
      <Field label="Email" error={error}>
        <Input
          ref={box}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            if (error) void checked(event.target.value).catch(() => undefined);
          }}
          onBlur={() => hasNewEmail && void checked(typed).catch(() => undefined)}
          type="email"
          autoComplete="email"
        />
      </Field>
    ),
    privacy: <PreferenceRows values={values} rows={privacy} onChange={change} />,
    notifications: <PreferenceRows values={values} rows={notifications} onChange={change} />,
  };
  return (
    <>
      {/* It has a form of its own. */}
      <PendingEmail userId={userId} email={email} />
      <form
        method="dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isSaving) return;
          setIsSaving(true);
          void save().finally(() => setIsSaving(false));
        }}
        onMouseDown={keepFieldOnPress}
        className="divide-y rounded-md border bg-surface"
      >
        {savedSections.map(([id, title]) => (
          <SettingsSection key={id} id={id} title={title} isPart>
            {contents[id]}
          </SettingsSection>
        ))}
        <div
          className={classes(
            'flex flex-wrap gap-3 rounded-b-md bg-surface px-5 py-4 md:px-7',
            isDirty && 'sticky bottom-0 z-10',
          )}
        >
          <Button
            onClick={() => {
              if (!isDirty) return onCancel();
              resetEmail();
              setChanged({});
            }}
          >
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSaving && 'Saving'}>
            Save Changes
          </Button>
        </div>
      </form>
    </>
  );
}
