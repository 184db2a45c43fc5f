import { Mail, Send } from 'lucide-react';
import { useState } from 'react';
import { useBlocks } from '#app/members/use-blocks.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { LoadFailedLine } from '#app/ui/load-failed-line.tsx';
import { fetchNextPage } from '#app/ui/next-page.ts';
import { lazyDialog, Region } from '#app/ui/region.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import type { Message } from './data.ts';
import { type MessageActions, MessageItem } from './message-item.tsx';
import { correspondent } from './reply.ts';
import { useMessages } from './use-messages.ts';

const ConfirmDialog = lazyDialog(() =>
  import('#app/ui/confirm-dialog.tsx').then((module) => module.ConfirmDialog),
);
const ReportDialog = lazyDialog(() =>
  import('#app/members/report-dialog.tsx').then((module) => module.ReportDialog),
);
const ReplyDialog = lazyDialog(() => import('./reply-dialog.tsx').then((module) => module.ReplyDialog));

/** The messages a member received or sent, with their actions. */
export function MessageList({ memberId, box }: { memberId: string; box: 'inbox' | 'sent' }) {
  const { query, messages, read, remove, refresh } = useMessages(memberId, box);
  const { change } = useBlocks(memberId);
  const [open, setOpen] = useState<{ what: 'reply' | 'delete' | 'report' | 'block'; message: Message }>();
  const [drafts, setDrafts] = useState<Record<string, string>>({});
  const close = () => setOpen(undefined);

  const show = (what: 'reply' | 'delete' | 'report' | 'block') => (message: Message) => {
    if (!message.read) read.mutate([message.id]);
    setOpen({ what, message });
  };
  const actions: MessageActions = {
    read: (message) => read.mutate([message.id]),
    reply: show('reply'),
    remove: (message) => setOpen({ what: 'delete', message }),
    report: show('report'),
    block: (message) => setOpen({ what: 'block', message }),
  };

  if (!messages)
    return query.isError ? (
      <LoadFailedLine title="Failed to load messages" onRetry={() => void query.refetch()} />
    ) : (
      <div className="overflow-clip rounded-md border" role="status" aria-label="Loading messages">
        {[0, 1, 2].map((row) => (
          <div key={row} className="flex gap-4 border-b bg-surface px-4 py-5 last:border-0 md:px-6">
            <Skeleton className="size-10 rounded-full" />
            <div className="flex-1">
              <Skeleton className="h-5 w-40" />
              <Skeleton className="mt-2 h-5 w-2/3" />
              <Skeleton className="mt-3 h-12" />
            </div>
          </div>
        ))}
      </div>
    );
  if (messages.length === 0)
    return box === 'inbox' ? (
      <EmptyState icon={Mail}>No messages yet</EmptyState>
    ) : (
      <EmptyState icon={Send}>No messages sent yet</EmptyState>
    );
  return (
    <>
      <Region>
        {() => (
          <ul className="divide-y overflow-clip rounded-md border">
            {messages.map((message) => (
              <li key={message.id}>
                <MessageItem message={message} {...(box === 'inbox' ? { actions } : {})} />
              </li>
            ))}
          </ul>
        )}
      </Region>
      {query.hasNextPage && (
        <Button
          className="mt-6"
          busy={query.isFetchingNextPage && 'Loading'}
          onClick={() => void fetchNextPage(query)}
        >
          Show older messages
        </Button>
      )}

      {open?.what === 'reply' && (
        <ReplyDialog
          message={open.message}
          memberId={memberId}
          text={drafts[open.message.id] ?? ''}
          onText={(text) => setDrafts((before) => ({ ...before, [open.message.id]: text }))}
          onClose={close}
          onSent={() => {
            setDrafts(({ [open.message.id]: _sent, ...rest }) => rest);
            close();
            void refresh();
          }}
        />
      )}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title="Delete message"
          question="Are you sure you want to delete this message? This action cannot be undone."
          verb="Delete"
          busy={remove.isPending && 'Deleting'}
          onConfirm={() => remove.mutate(open.message.id, { onSuccess: close })}
          onClose={close}
        />
      )}
      {open?.what === 'report' && (
        <ReportDialog kind="message" contentId={open.message.id} reporterId={memberId} onClose={close} />
      )}
      {open?.what === 'block' && (
        <ConfirmDialog
          title={`Block ${correspondent(open.message.sender)}`}
          question="They can no longer send you messages, and are not told why. You can unblock them in your conversation with them or in Settings."
          verb="Block"
          busy={change.isPending && 'Blocking'}
          onConfirm={() =>
            change.mutate(
              {
                id: open.message.sender_id ?? '',
                name: correspondent(open.message.sender),
                blocked: true,
              },
              { onSuccess: close },
            )
          }
          onClose={close}
        />
      )}
    </>
  );
}
