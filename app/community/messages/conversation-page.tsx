import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { data, Navigate } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient, serverClient } from '#app/supabase.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { isUuid } from '#app/ui/texts/uuid.ts';
import type { Route } from './+types/conversation-page.ts';
import { Conversation, ConversationsLink } from './conversation.tsx';
import { isMissingMember, memberQuery } from './data.ts';
import { FORMER_MEMBERS } from './reply.ts';

export const meta = () => [{ title: pageTitle('Conversation') }, { name: 'robots', content: 'noindex' }];

const notFound = () => data(null, { status: 404 });

/** The address names a member, or the members who have left; every other one is not found. */
export async function loader({ params: { memberId }, context }: Route.LoaderArgs) {
  if (memberId === FORMER_MEMBERS) return null;
  if (!isUuid(memberId)) throw notFound();
  if (await isMissingMember(await serverClient(context)(), memberId)) throw notFound();
  return null;
}

/** Within the site the page opens without waiting for the server. */
export function clientLoader({ params: { memberId } }: Route.ClientLoaderArgs) {
  if (memberId !== FORMER_MEMBERS && !isUuid(memberId)) throw notFound();
  return null;
}

export default function ConversationPage({ params: { memberId } }: Route.ComponentProps) {
  const member = useRequiredMember();
  const otherId = memberId === FORMER_MEMBERS ? null : memberId;
  const other = useQuery({
    ...memberQuery(browserClient, memberId),
    enabled: member !== undefined && otherId !== null && otherId !== member.id,
  });
  if (member && otherId === member.id) return <Navigate to="/messages" replace />;
  if (other.isError && !other.data)
    return (
      <Frame>
        <LoadFailed
          title="Failed to load messages"
          onRetry={() => void other.refetch()}
          className="px-4 py-5 md:px-6"
        />
      </Frame>
    );
  if (!member || (otherId && other.isPending))
    return (
      <Frame>
        <div className="flex flex-col gap-4 px-4 py-5 md:px-6" role="status" aria-label="Loading messages">
          <Skeleton className="h-24 w-3/4" />
          <Skeleton className="ms-auto h-20 w-3/4" />
        </div>
      </Frame>
    );
  return (
    <Conversation
      key={`${member.id} ${memberId}`}
      memberId={member.id}
      otherId={otherId}
      other={other.data ?? null}
      isChosen
    />
  );
}

/** A conversation whose member is not known yet: its shape, and the way back to the others. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col bg-bg max-lg:h-[calc(100dvh-var(--header))] max-lg:min-h-[480px]">
      <div className="flex min-h-[69px] items-center gap-3 border-b bg-surface px-4 py-3 md:px-6">
        <ConversationsLink />
        <Skeleton className="size-10 rounded-full" />
        <Skeleton className="h-6 w-40" />
      </div>
      {children}
    </div>
  );
}
