import { Mail } from 'lucide-react';
import { NavLink } from 'react-router';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { MoreButton } from '#app/ui/states/more-button.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import type { ConversationCard } from './data.ts';
import { conversationUrl, correspondent, previewOf } from './reply.ts';
import { useConversations } from './use-messages.ts';

/** A member's conversations, the one with the latest message first. */
export function ConversationList({ memberId }: { memberId: string }) {
  const { query, conversations } = useConversations(memberId);
  if (!conversations)
    return query.isError ? (
      <LoadFailed
        title="Failed to load messages"
        onRetry={() => void query.refetch()}
        className="px-4 py-6"
      />
    ) : (
      <ConversationListSkeleton />
    );
  if (conversations.length === 0)
    return (
      <div className="p-4">
        <EmptyState icon={Mail}>No messages yet</EmptyState>
      </div>
    );
  return (
    <>
      <Region className="m-4">
        {() => (
          <ul aria-label="Conversations" className="divide-y border-b">
            {conversations.map((one) => (
              <li key={one.other?.id ?? 'unknown'}>
                <Row conversation={one} memberId={memberId} />
              </li>
            ))}
          </ul>
        )}
      </Region>
      <MoreButton query={query} className="m-4">
        Show older conversations
      </MoreButton>
    </>
  );
}

function Row({ conversation, memberId }: { conversation: ConversationCard; memberId: string }) {
  const ago = useRelativeTime(conversation.created_at);
  const { other, unread } = conversation;
  const name = correspondent(other);
  return (
    <NavLink
      to={conversationUrl(other?.id)}
      discover="none"
      className="flex items-center gap-3 px-4 py-3 -outline-offset-3 hover:bg-chip aria-[current=page]:bg-accent-soft aria-[current=page]:inset-shadow-[3px_0_0_var(--accent)] forced-colors:aria-[current=page]:border-s-4"
    >
      <MemberAvatar name={name} member={other} size={40} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <bdi dir="auto" className="min-w-0 flex-1 truncate text-start font-bold">
            {name}
          </bdi>
          <time
            dateTime={conversation.created_at}
            className="shrink-0 text-sm text-ink-3"
            suppressHydrationWarning
          >
            {ago}
          </time>
        </span>
        <span className="flex items-center gap-2">
          <span
            {...asWritten(previewOf(conversation, memberId), conversation.language)}
            // It begins with words of the interface.
            dir="auto"
            className="text-start min-w-0 flex-1 truncate text-ink-2"
          >
            {previewOf(conversation, memberId)}
          </span>
          {unread > 0 && (
            <Badge tone="warm" className="min-h-6 px-2">
              {unread > 1 && `${unread} `}New
            </Badge>
          )}
        </span>
      </span>
    </NavLink>
  );
}

/** The outline of the list, shown and announced while it is loaded. */
export function ConversationListSkeleton() {
  return (
    <div className="divide-y border-b" role="status" aria-label="Loading messages">
      {[0, 1, 2, 3, 4].map((row) => (
        <div key={row} className="flex items-center gap-3 px-4 py-3">
          <Skeleton className="size-10 rounded-full" />
          <div className="flex-1">
            <Skeleton className="h-5 w-32" />
            <Skeleton className="mt-2 h-5 w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}
