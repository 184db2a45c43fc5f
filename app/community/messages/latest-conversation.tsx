import { useInfiniteQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { browserClient } from '#app/supabase.ts';
import { useWide } from '#app/ui/states/use-wide.ts';
import { Conversation } from './conversation.tsx';
import { conversationsQuery } from './data.ts';

/**
 * Beside the list, while no conversation is chosen: the latest one, whose messages stay new until they are
 * pressed. A narrow screen has no room for it, and does not load it.
 */
export default function LatestConversation() {
  const member = useRequiredMember();
  const isWide = useWide();
  const list = useInfiniteQuery({
    ...conversationsQuery(browserClient, member?.id ?? ''),
    enabled: member !== undefined && isWide,
  });
  const latest = list.data?.pages[0]?.items[0];
  if (!member || !isWide) return <div className="max-lg:hidden" />;
  if (!latest)
    return (
      <div className="flex flex-col items-center justify-center gap-4 bg-bg text-ink-2">
        {list.data && (
          <>
            <MessagesSquare className="size-7" strokeWidth={1.75} aria-hidden />
            <p>Your conversations appear here.</p>
          </>
        )}
      </div>
    );
  return (
    <Conversation
      key={`${member.id} ${latest.other?.id}`}
      memberId={member.id}
      otherId={latest.other?.id ?? null}
      other={latest.other}
      isChosen={false}
    />
  );
}
