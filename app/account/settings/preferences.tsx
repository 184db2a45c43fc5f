import { useMutation, useQueryClient } from '@tanstack/react-query';
import { asMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Switch } from '#app/ui/controls/switch.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { type Preferences, preferencesQuery, savePreferences } from './data.ts';

interface PreferenceSwitchesProps {
  userId: string;
  stored: Preferences;
  rows: readonly { name: keyof Preferences; label: string; hint: string }[];
}

/** Switches that save themselves; one that cannot be saved goes back. */
export function PreferenceSwitches({ userId, stored, rows }: PreferenceSwitchesProps) {
  const cache = useQueryClient();
  const { queryKey } = preferencesQuery(browserClient, userId);
  const show = (name: keyof Preferences, on: boolean) =>
    cache.setQueryData(queryKey, (before) => before && { ...before, [name]: on });
  const saving = useMutation({
    mutationFn: ({ name, on }: { name: keyof Preferences; on: boolean }) =>
      asMember(async () => savePreferences(await browserClient(), userId, { [name]: on })),
    // One after the other, so that the last choice is the one that stays.
    scope: { id: 'preferences' },
    onMutate: ({ name, on }) => show(name, on),
    onSuccess: () => toast({ id: 'settings-saved', tone: 'success', title: 'Settings saved successfully' }),
    onError: (_error, { name, on }) => {
      show(name, !on);
      toast({ tone: 'error', title: 'Failed to save settings' });
    },
  });
  return <PreferenceRows values={stored} rows={rows} onChange={(name, on) => saving.mutate({ name, on })} />;
}

interface PreferenceRowsProps {
  values: Preferences;
  rows: PreferenceSwitchesProps['rows'];
  onChange: (name: keyof Preferences, on: boolean) => void;
}

/** One switch a row, under each other. */
export function PreferenceRows({ values, rows, onChange }: PreferenceRowsProps) {
  return (
    <div className="-my-2 divide-y">
      {rows.map(({ name, label, hint }) => (
        <Switch
          key={name}
          hint={hint}
          checked={values[name]}
          onChange={(on) => onChange(name, on)}
          className="flex w-full justify-between py-2"
        >
          {label}
        </Switch>
      ))}
    </div>
  );
}
