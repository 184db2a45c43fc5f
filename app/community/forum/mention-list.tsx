import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type FoundMember, memberSearchQuery } from '#app/frame/members/data.ts';
import { authorName } from '#app/frame/members/names.ts';
import { browserClient } from '#app/supabase.ts';

interface MentionListProps {
  id: string;
  /** The beginning of a username. */
  search: string;
  active: number;
  onFound: (members: readonly FoundMember[]) => void;
  onChoose: (member: FoundMember) => void;
}

/** The members whom an @ may mean; the field above handles the keys. */
export function MentionList({ id, search, active, onFound, onChoose }: MentionListProps) {
  const { data } = useQuery({
    ...memberSearchQuery(browserClient, search),
    placeholderData: keepPreviousData,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field hears of each new answer once
  useEffect(() => onFound(data ?? []), [data]);
  if (!data || data.length === 0) return null;
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Members to mention"
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-md border bg-raised p-2 shadow-menu"
    >
      {data.map((member, index) => (
        // The keys are handled in the field, which keeps the focus.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        // biome-ignore lint/a11y/useFocusableInteractive: see above
        <div
          key={member.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-2 rounded-sm px-3 py-1 hover:bg-chip aria-selected:bg-accent-soft forced-colors:aria-selected:outline-2 lg:min-h-10"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(member)}
        >
          <bdi dir="auto" className="font-bold">
            {authorName(member.id, member)}
          </bdi>
          <span className="text-sm text-ink-2">@{member.username}</span>
        </div>
      ))}
    </div>
  );
}
