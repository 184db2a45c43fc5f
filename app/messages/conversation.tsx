import { Ban, MessagesSquare } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'react-router';
import { useBlocks } from '#app/members/use-blocks.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Textarea } from '#app/ui/input.tsx';
import { LoadFailedLine } from '#app/ui/load-failed-line.tsx';
import { fetchNextPage } from '#app/ui/next-page.ts';
import { Region } from '#app/ui/region.tsx';
import { useRelativeTime } from '#app/ui/relative-time.ts';
import { Skeleton } from '#app/ui/skeleton.tsx';
import type { Message } from './data.ts';
import { replySubject } from './reply.ts';
import { useMessages } from './use-messages.ts';
import { useReply } from './use-reply.ts';

interface ConversationProps {
  memberId: string;
  other: { id: string; name: string };
}

/** All messages between two members, oldest first, and a field for a reply. */
export function Conversation({ memberId, other }: ConversationProps) {
  const { query, messages, read, refresh } = useMessages(memberId, { with: other.id });
  const { isBlocked, change } = useBlocks(memberId);
  const blocked = isBlocked(other.id);
  const unread = messages?.filter((message) => message.recipient_id === memberId && !message.read).length;
  // A message that is open in front of its recipient counts as read.
  const markRead = useEffectEvent(() => read.mutate({ from: other.id }));
  useEffect(() => {
    if (unread) markRead();
  }, [unread]);

  if (!messages)
    return query.isError ? (
      <LoadFailedLine title="Failed to load messages" onRetry={() => void query.refetch()} className="mt-8" />
    ) : (
      <div className="mt-8 flex flex-col gap-4" role="status" aria-label="Loading messages">
        <Skeleton className="h-24 w-3/4" />
        <Skeleton className="ml-auto h-20 w-3/4" />
      </div>
    );
  const [latest] = messages;
  const setBlocked = (next: boolean) => change.mutate({ ...other, blocked: next });
  return (
    <div className="mt-8">
      {query.hasNextPage && (
        <Button
          className="mb-6"
          busy={query.isFetchingNextPage && 'Loading'}
          onClick={() => void fetchNextPage(query)}
        >
          Show earlier messages
        </Button>
      )}
      {latest ? (
        <Region>
          {() => (
            <ol className="flex flex-col gap-4" aria-label={`Messages with ${other.name}`}>
              {messages.toReversed().map((message) => (
                <Line
                  key={message.id}
                  message={message}
                  mine={message.sender_id === memberId}
                  name={other.name}
                />
              ))}
            </ol>
          )}
        </Region>
      ) : (
        <EmptyState icon={MessagesSquare}>No messages yet</EmptyState>
      )}
      {blocked ? (
        <Banner tone="amber" icon={Ban} title={`You have blocked ${other.name}.`} className="mt-8">
          Neither of you can write to the other.
          <div className="mt-3">
            <Button busy={change.isPending && 'Unblocking'} onClick={() => setBlocked(false)}>
              Unblock
            </Button>
          </div>
        </Banner>
      ) : (
        latest && (
          <>
            <Answer latest={latest} memberId={memberId} name={other.name} onSent={() => void refresh()} />
            <Button
              variant="quiet"
              size="small"
              className="mt-6 -ml-3"
              busy={change.isPending && 'Blocking'}
              onClick={() => setBlocked(true)}
            >
              <Ban className="size-4" strokeWidth={2} aria-hidden />
              Block {other.name}
            </Button>
          </>
        )
      )}
    </div>
  );
}

function Line({ message, mine, name }: { message: Message; mine: boolean; name: string }) {
  const ago = useRelativeTime(message.created_at);
  return (
    <li
      className={`max-w-[88%] rounded-md px-4 py-3 md:max-w-[76%] ${mine ? 'self-end bg-accent-soft' : 'self-start border bg-surface'}`}
    >
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-ink-2">
        <span className="font-title">{mine ? 'You' : name}</span>
        <time dateTime={message.created_at} suppressHydrationWarning>
          {ago}
        </time>
      </p>
      {message.subject && <p className="mt-0.5 font-title wrap-anywhere">{message.subject}</p>}
      {message.solution && (
        <Link
          to={`/solutions/${message.solution.id}`}
          className="reach text-sm text-accent underline-offset-4 wrap-anywhere hover:underline"
        >
          Re: {message.solution.title}
        </Link>
      )}
      <p className="mt-1 whitespace-pre-line wrap-anywhere">{message.content}</p>
    </li>
  );
}

function Answer({
  latest,
  memberId,
  name,
  onSent,
}: {
  latest: Message;
  memberId: string;
  name: string;
  onSent: () => void;
}) {
  const [text, setText] = useState('');
  const sending = useReply(memberId, () => {
    setText('');
    onSent();
  });
  return (
    <form
      method="dialog"
      className="mt-8"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() && !sending.isPending) sending.mutate({ message: latest, content: text });
      }}
    >
      <label htmlFor="answer" className="block font-title">
        Reply to {name}
      </label>
      <p id="answer-subject" className="text-ink-3 wrap-anywhere">
        {replySubject(latest.subject)}
      </p>
      <Textarea
        id="answer"
        aria-describedby="answer-subject"
        rows={6}
        maxLength={10_000}
        className="mt-1.5"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="mt-3 flex justify-end">
        <Button type="submit" variant="primary" disabled={!text.trim() || sending.isPending}>
          {sending.isPending ? 'Sending' : 'Send Reply'}
        </Button>
      </div>
    </form>
  );
}
