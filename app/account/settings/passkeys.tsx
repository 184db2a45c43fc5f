import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addPasskey,
  passkeysQuery,
  removePasskey,
  renamePasskey,
} from '#app/account/credentials/passkey-data.ts';
import { reasonOr, useAction } from '#app/frame/act/use-action.ts';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { useFields } from '#app/frame/act/use-fields.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';

const MAX_NAME_LENGTH = 120;

/** The member's passkeys, to add, rename and remove. */
export function Passkeys({ userId }: { userId: string }) {
  const passkeys = useQuery(passkeysQuery(browserClient, userId));
  const refresh = [['account', 'passkeys', userId]];
  const adding = useAction({
    act: async () => addPasskey(await browserClient()),
    done: 'Passkey added',
    failed: reasonOr('No passkey was added. Please try again.'),
    refresh,
  });
  const removal = useConfirmedAction({
    title: 'Remove passkey',
    question: (passkey) =>
      `You won’t be able to sign in with “${nameOf(passkey)}” any more. Delete it on your device too.`,
    verb: 'Remove',
    busy: 'Removing',
    act: async ({ id }: Passkey) => removePasskey(await browserClient(), id),
    done: 'Passkey removed',
    failed: reasonOr('The passkey wasn’t removed. Please try again.'),
    refresh,
  });
  if (passkeys.isError)
    return <LoadFailed title="Failed to load your passkeys" onRetry={() => void passkeys.refetch()} />;
  if (!passkeys.data) return <Skeleton className="h-28" />;
  return (
    <>
      <h3 className="font-bold">Passkeys</h3>
      <p className="max-w-[66ch] text-ink-2">
        Sign in with your fingerprint, face or device PIN instead of a password.
      </p>
      {passkeys.data.length > 0 && (
        <ul className="mt-2 divide-y">
          {passkeys.data.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              refresh={refresh}
              onRemove={() => removal.ask(passkey)}
            />
          ))}
        </ul>
      )}
      <Button className="mt-4" busy={adding.isPending && 'Adding'} onClick={() => adding.mutate()}>
        Add a passkey
      </Button>
      {removal.dialog}
    </>
  );
}

interface Passkey {
  id: string;
  friendly_name?: string;
  created_at: string;
  last_used_at?: string;
}

const nameOf = ({ friendly_name }: Passkey) => friendly_name || 'Passkey';

interface PasskeyItemProps {
  passkey: Passkey;
  refresh: string[][];
  onRemove: () => void;
}

function PasskeyItem({ passkey, refresh, onRemove }: PasskeyItemProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const added = useRelativeTime(passkey.created_at);
  const used = useRelativeTime(passkey.last_used_at ?? passkey.created_at);
  const name = nameOf(passkey);
  if (isRenaming)
    return (
      <li className="py-4">
        <RenameForm passkey={passkey} refresh={refresh} onClose={() => setIsRenaming(false)} />
      </li>
    );
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-2">
          Added {added}
          {passkey.last_used_at && `, used ${used}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => setIsRenaming(true)}>
          Rename<span className="sr-only"> {name}</span>
        </Button>
        <Button size="small" onClick={onRemove}>
          Remove<span className="sr-only"> {name}</span>
        </Button>
      </div>
    </li>
  );
}

function RenameForm({
  passkey,
  refresh,
  onClose,
}: Pick<PasskeyItemProps, 'passkey' | 'refresh'> & { onClose: () => void }) {
  const form = useFields(
    { name: nameOf(passkey) },
    {
      problems: ({ name }) => ({ name: name.trim() ? undefined : 'Please enter a name' }),
      act: async ({ name }) => renamePasskey(await browserClient(), passkey.id, name.trim()),
      done: 'Passkey renamed',
      failed: reasonOr('The passkey wasn’t renamed. Please try again.'),
      onDone: onClose,
      refresh,
    },
  );
  return (
    <form method="dialog" noValidate onSubmit={form.submit}>
      <Field label="Name of the passkey" error={form.errors.name}>
        <Input {...form.register('name')} maxLength={MAX_NAME_LENGTH} autoFocus />
      </Field>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.isPending && 'Saving'}>
          Save name
        </Button>
      </div>
    </form>
  );
}
