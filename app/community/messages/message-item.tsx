import { CornerUpLeft, Flag, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import type { Message } from './data.ts';

interface MessageItemProps {
  message: Message;
  isOwn: boolean;
  /** The other member's. */
  name: string;
  onRead: () => void;
  onReply: (message: Message) => void;
  onDelete: (message: Message) => void;
  onReport: (message: Message) => void;
}

/** A message of a conversation; a press marks a new one as read. Deleting it leaves the other member's copy. */
export function MessageItem({ message, isOwn, name, onRead, onReply, onDelete, onReport }: MessageItemProps) {
  const ago = useRelativeTime(message.created_at);
  const unread = !isOwn && !message.read;
  return (
    <li className={`max-w-[92%] md:max-w-[80%] ${isOwn ? 'self-end' : 'self-start'}`}>
      {/* By keyboard the actions below mark it read.
          biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <article
        aria-label={`${unread ? 'New: ' : ''}${message.subject ?? '(no subject)'}, ${isOwn ? 'to' : 'from'} ${name}`}
        className={`rounded-md px-4 py-3 ${isOwn ? 'bg-accent-soft' : 'border bg-surface'}`}
        onClick={() => unread && onRead()}
      >
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-ink-2">
          <bdi dir="auto" className="min-w-0 font-bold wrap-anywhere">
            {isOwn ? 'You' : name}
          </bdi>
          <time dateTime={message.created_at} className="whitespace-nowrap" suppressHydrationWarning>
            {ago}
          </time>
          {unread && (
            <Badge tone="warm" className="min-h-6 px-2">
              New
            </Badge>
          )}
        </p>
        {message.subject && (
          <p {...asWritten(message.subject)} className="font-bold wrap-anywhere">
            {message.subject}
          </p>
        )}
        {message.solution && (
          <p className="text-sm wrap-anywhere">
            <SafetyMark kind={message.solution.safety_kind} className="my-1 flex" />
            <Link to={`/solutions/${message.solution.id}`} className="reach link">
              Re: <bdi {...asWritten(message.solution.title)}>{message.solution.title}</bdi>
            </Link>
          </p>
        )}
        <p
          {...asWritten(message.content, message.language)}
          className="mt-1 whitespace-pre-line wrap-anywhere"
        >
          {message.content}
        </p>
        <div className="mt-1 flex flex-wrap gap-x-5">
          {!isOwn && message.sender_id && (
            <button type="button" className="reach text-action" onClick={() => onReply(message)}>
              <CornerUpLeft className="size-4" strokeWidth={2} aria-hidden />
              Reply<span className="sr-only"> to {name}</span>
            </button>
          )}
          <button type="button" className="reach text-action" onClick={() => onDelete(message)}>
            <Trash2 className="size-4" strokeWidth={2} aria-hidden />
            {isOwn ? (
              <>
                Delete<span className="sr-only"> your message</span>
              </>
            ) : (
              <>
                Delete<span className="sr-only"> message from {name}</span>
              </>
            )}
          </button>
          {!isOwn && (
            <button type="button" className="reach text-action" onClick={() => onReport(message)}>
              <Flag className="size-4" strokeWidth={2} aria-hidden />
              Report<span className="sr-only"> message from {name}</span>
            </button>
          )}
        </div>
      </article>
    </li>
  );
}
