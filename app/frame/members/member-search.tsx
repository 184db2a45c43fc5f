import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { browserClient } from '#app/supabase.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { isOfInputMethod } from '#app/ui/controls/input-method.ts';
import { type FoundMember, memberSearchQuery } from './data.ts';
import { authorName, professionOf } from './names.ts';

interface MemberSearchProps {
  label: string;
  hint: string;
  /** A member who is not offered: the one who searches. */
  except: string;
  /** Offered while nothing is typed. */
  recent: readonly FoundMember[];
  onChoose: (member: FoundMember) => void;
}

/** A field that finds members by name or username: arrow keys move through them, Enter chooses. */
export function MemberSearch({ label, hint, except, recent, onChoose }: MemberSearchProps) {
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const search = useDeferredValue(text.trim());
  const { data, isError } = useQuery({
    ...memberSearchQuery(browserClient, search),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  const found = search && text.trim() ? (data?.filter(({ id }) => id !== except) ?? []) : recent;
  const chosen = found[Math.min(active, found.length - 1)];
  const optionId = (id: string) => `${listId}-${id}`;
  return (
    <div className="mt-5">
      <Field label={label} hint={hint}>
        <Input
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={chosen && optionId(chosen.id)}
          autoComplete="off"
          autoFocus
          dir="auto"
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={(event) => {
            if (isOfInputMethod(event)) return;
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step && found.length > 0) {
              event.preventDefault();
              setActive((before) => (before + step + found.length) % found.length);
            }
            if (event.key === 'Enter') {
              event.preventDefault();
              if (chosen) onChoose(chosen);
            }
          }}
        />
      </Field>
      {/* The place of the results stays, so that the dialog does not jump while one types. */}
      <div className="mt-2 h-60 overflow-y-auto">
        <div id={listId} role="listbox" aria-label={search ? 'Members' : 'Recent conversations'}>
          {found.map((member) => (
            // The keys are handled in the field, which keeps the focus.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              key={member.id}
              id={optionId(member.id)}
              role="option"
              aria-selected={member === chosen}
              className="flex min-h-14 cursor-pointer items-center gap-3 rounded-sm px-3 py-2 hover:bg-chip aria-selected:bg-accent-soft forced-colors:aria-selected:outline-2"
              onClick={() => onChoose(member)}
            >
              <MemberAvatar name={authorName(member.id, member)} member={member} size={40} />
              <span className="min-w-0">
                <span dir="auto" className="text-left block font-bold wrap-anywhere">
                  {authorName(member.id, member)}
                </span>
                <span className="block text-sm text-ink-2 wrap-anywhere">
                  {member.allow_messages
                    ? `@${member.username} · ${professionOf(member)}`
                    : 'Does not accept messages'}
                </span>
              </span>
            </div>
          ))}
        </div>
        <p role="status" className="px-3 text-ink-2">
          {isError ? (
            'Failed to search members'
          ) : search && data && found.length === 0 ? (
            <>
              No members match “<bdi>{search}</bdi>”.
            </>
          ) : null}
        </p>
      </div>
    </div>
  );
}
