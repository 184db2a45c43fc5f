import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Outlet, useParams } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { MAX_UNREAD_MESSAGES, useViewer } from '#app/session.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { ConversationList, ConversationListSkeleton } from './conversation-list.tsx';
import { conversationsQuery } from './data.ts';

export const handle = CLOSED;

export const meta = () => [{ title: pageTitle('Messages') }, { name: 'robots', content: 'noindex' }];

const ComposeDialog = lazyDialog(() => import('./compose-dialog.tsx'), 'ComposeDialog');

/**
 * The conversations and, beside them on wide screens, one of them. On phones one comes after the other: the
 * list at /messages, a conversation at its own address.
 */
export default function MessagesPage() {
  const member = useRequiredMember();
  const unread = useViewer()?.unreadMessages;
  // Read by the list; above one that could not be read nothing is said of what is in it.
  const list = useInfiniteQuery({
    ...conversationsQuery(browserClient, member?.id ?? ''),
    enabled: false,
  });
  const isChosen = useParams().memberId !== undefined;
  const [composing, setComposing] = useState(false);
  // A conversation is the page's subject where it is open.
  const [Title, Status] = isChosen ? (['p', 'p'] as const) : (['h1', 'h2'] as const);
  return (
    <div className="page py-0 md:py-6">
      <div className="-mx-4 grid grid-cols-[minmax(0,1fr)] overflow-clip bg-surface md:mx-0 md:rounded-md md:border lg:h-[calc(100dvh-var(--header)-48px)] lg:min-h-[560px] lg:grid-cols-[340px_minmax(0,1fr)]">
        <section
          aria-label="Conversations"
          className={classes('flex min-h-0 flex-col lg:border-e', isChosen && 'max-lg:hidden')}
        >
          <header className="border-b px-4 py-4">
            <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-2">
              <Title className="text-2xl font-bold">
                {isChosen ? (
                  <Link to="/messages" className="hover:underline">
                    Messages
                  </Link>
                ) : (
                  'Messages'
                )}
              </Title>
              {member && (
                <Button size="bar" onClick={() => setComposing(true)}>
                  <span className="icon icon-plus size-4" />
                  New message
                </Button>
              )}
            </div>
            <Status className="min-h-6 text-base font-normal text-ink-2" aria-live="polite">
              {unread === undefined || list.isError
                ? ''
                : unread > 0
                  ? `You have ${unread}${unread < MAX_UNREAD_MESSAGES ? '' : '+'} unread ${unread === 1 ? 'message' : 'messages'}`
                  : 'All caught up!'}
            </Status>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto">
            {member ? (
              <ConversationList key={member.id} memberId={member.id} />
            ) : (
              <ConversationListSkeleton />
            )}
          </div>
        </section>
        <Outlet />
      </div>
      {composing && member && <ComposeDialog memberId={member.id} onClose={() => setComposing(false)} />}
    </div>
  );
}
