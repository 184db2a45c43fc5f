import { ArrowLeft, EllipsisVertical, MessagesSquare } from 'lucide-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import type { Author } from '#app/frame/members/names.ts';
import { RegistrationBadge } from '#app/frame/members/registration-badge.tsx';
import { useBlocks } from '#app/frame/members/use-blocks.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { MoreButton } from '#app/ui/states/more-button.tsx';
import { lazyDialog, lazyPart, Region } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { Composer } from './composer.tsx';
import type { Message } from './data.ts';
import { MessageItem } from './message-item.tsx';
import { conversationUrl, correspondent } from './reply.ts';
import { useMessages } from './use-messages.ts';

const ReportDialog = lazyDialog(() => import('#app/frame/members/report-dialog.tsx'), 'ReportDialog');
const ReplyDialog = lazyDialog(() => import('./reply-dialog.tsx'), 'ReplyDialog');
const loadMenu = () => import('./conversation-menu.tsx');
const ConversationMenu = lazyPart(loadMenu, 'ConversationMenu', ({ trigger }) => trigger);

interface ConversationProps {
  memberId: string;
  /** Null for members who have left, who are one conversation. */
  otherId: string | null;
  other: Author | null;
  /** Its address is open, so that its messages count as read. */
  isChosen: boolean;
}

/** All messages between two members, oldest first, and a field for a reply. */
export function Conversation({ memberId, otherId, other, isChosen }: ConversationProps) {
  const { query, messages, read, remove, refresh } = useMessages(memberId, otherId);
  const { isBlocked, change } = useBlocks(memberId);
  const [open, setOpen] = useState<{ what: 'reply' | 'report'; message: Message }>();
  const name = correspondent(other);
  const unread = messages?.filter((one) => one.recipient_id === memberId && !one.read).length ?? 0;
  const close = () => setOpen(undefined);
  const show = (what: 'reply' | 'report') => (message: Message) => {
    if (!message.read && message.recipient_id === memberId) read.mutate([message.id]);
    setOpen({ what, message });
  };

  // A message that is open in front of its recipient counts as read.
  const markRead = useEffectEvent(() => read.mutate({ from: otherId }));
  useEffect(() => {
    if (unread > 0 && isChosen) markRead();
  }, [unread, isChosen]);

  // The latest message is what its reader came for, and each new one is shown as it comes.
  const pane = useRef<HTMLDivElement>(null);
  const latestId = messages?.[0]?.id;
  useLayoutEffect(() => {
    if (latestId && pane.current) pane.current.scrollTop = pane.current.scrollHeight;
  }, [latestId]);

  return (
    <section
      aria-label={`Conversation with ${name}`}
      className="flex min-h-0 flex-col bg-bg max-lg:h-[calc(100dvh-var(--header))] max-lg:min-h-[480px]"
    >
      <Header
        name={name}
        other={other}
        isChosen={isChosen}
        isBlocked={isBlocked(otherId)}
        onBlock={() => otherId && change.ask({ id: otherId, name, blocked: true })}
      />
      <section
        ref={pane}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`Messages with ${name}`}
        className="min-h-0 flex-1 overflow-y-auto px-4 py-5 -outline-offset-3 md:px-6"
      >
        {!messages ? (
          query.isError ? (
            <LoadFailed title="Failed to load messages" onRetry={() => void query.refetch()} />
          ) : (
            <div className="flex flex-col gap-4" role="status" aria-label="Loading messages">
              <Skeleton className="h-24 w-3/4" />
              <Skeleton className="ms-auto h-20 w-3/4" />
            </div>
          )
        ) : messages.length === 0 ? (
          <EmptyState icon={MessagesSquare}>No messages yet</EmptyState>
        ) : (
          <>
            <MoreButton query={query} className="mb-6">
              Show earlier messages
            </MoreButton>
            <Region>
              {() => (
                <ol className="flex flex-col gap-4">
                  {messages.toReversed().map((message) => (
                    <MessageItem
                      key={message.id}
                      message={message}
                      isOwn={message.sender_id === memberId}
                      name={
                        message.sender_id || message.notification_type === 'message' ? name : 'A moderator'
                      }
                      onRead={() => read.mutate([message.id])}
                      onReply={show('reply')}
                      onDelete={({ id }) => remove.ask(id)}
                      onReport={show('report')}
                    />
                  ))}
                </ol>
              )}
            </Region>
          </>
        )}
      </section>
      {messages && otherId && (
        <Composer
          memberId={memberId}
          other={{ id: otherId, name }}
          latest={messages[0]}
          isBlocked={isBlocked(otherId)}
          onUnblock={() => change.mutate({ id: otherId, name, blocked: false })}
          isUnblocking={change.isPending}
          onSent={() => void refresh()}
        />
      )}

      {open?.what === 'reply' && (
        <ReplyDialog
          message={open.message}
          memberId={memberId}
          onClose={close}
          onSent={() => {
            close();
            void refresh();
          }}
        />
      )}
      {remove.dialog}
      {open?.what === 'report' && (
        <ReportDialog
          kind="message"
          title="Report message"
          contentId={open.message.id}
          reporterId={memberId}
          onClose={close}
        />
      )}
      {change.dialog}
    </section>
  );
}

interface HeaderProps {
  name: string;
  other: Author | null;
  isChosen: boolean;
  isBlocked: boolean;
  onBlock: () => void;
}

function Header({ name, other, isChosen, isBlocked, onBlock }: HeaderProps) {
  const [isPressed, setIsPressed] = useState(false);
  const Heading = isChosen ? 'h1' : 'h2';
  const prepare = () => void loadMenu().catch(() => undefined);
  const closed = isPressed ? {} : ({ 'aria-haspopup': 'menu', 'aria-expanded': false } as const);
  const trigger = (
    <Button
      variant="quiet"
      size="icon"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => setIsPressed(true)}
      {...closed}
    >
      <EllipsisVertical className="size-5" strokeWidth={1.75} aria-hidden />
      <span className="sr-only">More about the conversation with {name}</span>
    </Button>
  );
  return (
    <header className="flex items-center gap-3 border-b bg-surface px-4 py-3 md:px-6">
      <ConversationsLink />
      <MemberAvatar name={name} member={other} size={40} />
      <div className="min-w-0 flex-1">
        <Heading className="line-clamp-2 text-lg/6 font-bold wrap-anywhere">
          <span className="sr-only">Conversation with </span>
          {isChosen || !other ? (
            <bdi dir="auto">{name}</bdi>
          ) : (
            <Link to={conversationUrl(other.id)} className="hover:underline">
              <bdi dir="auto">{name}</bdi>
            </Link>
          )}
        </Heading>
        {other?.profession && (
          <p dir="auto" className="text-left truncate text-sm text-ink-3">
            {other.profession}
          </p>
        )}
        <RegistrationBadge member={other} />
      </div>
      {other &&
        (isPressed ? (
          <ConversationMenu trigger={trigger} other={other} isBlocked={isBlocked} onBlock={onBlock} />
        ) : (
          trigger
        ))}
    </header>
  );
}

/** Leads from a conversation back to the list, where it does not stand beside it. */
export function ConversationsLink() {
  return (
    <Link to="/messages" className="-ms-2 flex size-11 shrink-0 items-center justify-center lg:hidden">
      <ArrowLeft className="size-5" strokeWidth={1.75} aria-hidden />
      <span className="sr-only">All conversations</span>
    </Link>
  );
}
