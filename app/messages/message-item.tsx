import { Ban, CornerUpLeft, EllipsisVertical, Flag, MailCheck, MessagesSquare, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFileUrl } from '#app/file-url.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { Menu, MenuItem } from '#app/ui/menu.tsx';
import { useRelativeTime } from '#app/ui/relative-time.ts';
import type { Message } from './data.ts';
import { correspondent } from './reply.ts';

export interface MessageActions {
  read: (message: Message) => void;
  reply: (message: Message) => void;
  remove: (message: Message) => void;
  report: (message: Message) => void;
  block: (message: Message) => void;
}

/** A message as the inbox shows it, or, without actions, as the sent messages show it. */
export function MessageItem({ message, actions }: { message: Message; actions?: MessageActions }) {
  const fileUrl = useFileUrl();
  const ago = useRelativeTime(message.created_at);
  const person = actions ? message.sender : message.recipient;
  const name = correspondent(person);
  const unread = actions !== undefined && !message.read;
  return (
    // A click anywhere marks it read; by keyboard the button below does.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <article
      aria-label={`${unread ? 'New: ' : ''}${message.subject ?? '(no subject)'}, ${actions ? 'from' : 'to'} ${name}`}
      className={`flex gap-3 px-4 py-5 md:gap-4 md:px-6 ${unread ? 'bg-surface' : 'bg-bg'}`}
      onClick={() => unread && actions.read(message)}
    >
      <Avatar name={name} src={person?.avatar_url ? fileUrl(person.avatar_url) : null} size={40} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className={`wrap-anywhere ${unread ? 'font-bold' : 'font-title'}`}>
            {!actions && <span className="font-normal text-ink-2">To </span>}
            {name}
          </span>
          {unread && (
            <Badge tone="warm" className="min-h-6 px-2">
              New
            </Badge>
          )}
          <time dateTime={message.created_at} className="ml-auto text-sm text-ink-3" suppressHydrationWarning>
            {ago}
          </time>
        </p>
        <h2 className="mt-1 text-base font-title wrap-anywhere">{message.subject ?? '(no subject)'}</h2>
        {message.solution && (
          <p className="text-sm text-ink-2 wrap-anywhere">
            <Link
              to={`/solutions/${message.solution.id}`}
              className="reach text-accent underline-offset-4 hover:underline"
            >
              Re: {message.solution.title}
            </Link>
          </p>
        )}
        <p className="mt-2 max-w-[66ch] whitespace-pre-line wrap-anywhere">{message.content}</p>
        <div className="mt-3 -ml-3 flex flex-wrap items-center gap-x-1">
          {actions && message.sender_id && (
            <Button variant="quiet" size="small" onClick={() => actions.reply(message)}>
              <CornerUpLeft className="size-4" strokeWidth={2} aria-hidden />
              Reply<span className="sr-only"> to {name}</span>
            </Button>
          )}
          {person && (
            <Link to={`/messages/${person.id}`} className={buttonClass('quiet', 'small')}>
              <MessagesSquare className="size-4" strokeWidth={2} aria-hidden />
              Conversation<span className="sr-only"> with {name}</span>
            </Link>
          )}
          {actions && (
            <Button variant="quiet" size="small" onClick={() => actions.remove(message)}>
              <Trash2 className="size-4" strokeWidth={2} aria-hidden />
              Delete<span className="sr-only"> message from {name}</span>
            </Button>
          )}
          {actions && (
            <Menu
              trigger={
                <Button variant="quiet" size="icon" className="md:size-9">
                  <EllipsisVertical className="size-4" strokeWidth={2} aria-hidden />
                  <span className="sr-only">More about the message from {name}</span>
                </Button>
              }
            >
              <MessageMenuItems message={message} actions={actions} />
            </Menu>
          )}
        </div>
      </div>
    </article>
  );
}

/** Further actions on a message. Opening the menu marks the message read, which moves nothing in the menu. */
function MessageMenuItems({ message, actions }: { message: Message; actions: MessageActions }) {
  const [wasUnread] = useState(!message.read);
  return (
    <>
      {wasUnread && (
        <MenuItem onSelect={() => actions.read(message)}>
          <MailCheck aria-hidden />
          Mark as read
        </MenuItem>
      )}
      <MenuItem onSelect={() => actions.report(message)}>
        <Flag aria-hidden />
        Report message
      </MenuItem>
      {message.sender_id && (
        <MenuItem onSelect={() => actions.block(message)}>
          <Ban aria-hidden />
          Block {correspondent(message.sender)}
        </MenuItem>
      )}
    </>
  );
}
