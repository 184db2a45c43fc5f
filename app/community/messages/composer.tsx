import { useQuery } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { acceptsMessagesQuery } from '#app/frame/members/data.ts';
import { useSanction } from '#app/frame/members/use-sanction.ts';
import { useViewer } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Input, Textarea } from '#app/ui/controls/input.tsx';
import { LanguageChoice } from '#app/ui/languages/language-choice.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import type { Message } from './data.ts';
import { COMPOSING, replySubject } from './reply.ts';
import { useReply } from './use-messages.ts';

interface ComposerProps {
  memberId: string;
  other: { id: string; name: string };
  /** The latest message, which is answered; undefined in a new conversation. */
  latest: Message | undefined;
  isBlocked: boolean;
  onUnblock: () => void;
  isUnblocking: boolean;
  onSent: () => void;
}

/** The field for the next message, or the reason why there is none. */
export function Composer({ memberId, other, latest, ...rest }: ComposerProps) {
  const { isBlocked, onUnblock, isUnblocking, onSent } = rest;
  const isModerator = useViewer()?.isModerator ?? false;
  const sanction = useSanction();
  const accepts = useQuery(acceptsMessagesQuery(browserClient, other.id)).data;
  if (isBlocked)
    return (
      <Notice title={`You have blocked ${other.name}.`}>
        You can’t message each other.
        <div className="mt-3">
          <Button busy={isUnblocking && 'Unblocking'} onClick={onUnblock}>
            Unblock
          </Button>
        </div>
      </Notice>
    );
  // A sanctioned member can still write to the moderator who decided.
  if (sanction && sanction.created_by !== other.id)
    return <Notice title={sanction.sentence}>You can’t send messages.</Notice>;
  if (accepts === false && !isModerator)
    return (
      <Notice title="This member does not accept messages">
        {latest && 'You can still read your conversation.'}
      </Notice>
    );
  return <MessageForm memberId={memberId} other={other} latest={latest} onSent={onSent} />;
}

function Notice({ title, children }: { title: string; children?: React.ReactNode }) {
  return (
    <div className="border-t bg-surface px-4 py-4 md:px-6">
      <Banner tone="amber" icon={Ban} title={title}>
        {children}
      </Banner>
    </div>
  );
}

type MessageFormProps = Pick<ComposerProps, 'memberId' | 'other' | 'latest' | 'onSent'>;

function MessageForm({ memberId, other, latest, onSent }: MessageFormProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const isComposing = useLocation().state === COMPOSING;
  useEffect(() => {
    if (isComposing) box.current?.focus();
  }, [isComposing]);
  const form = useReply(
    memberId,
    `message-${other.id}`,
    latest ? { message: latest } : { recipientId: other.id },
    () => {
      box.current?.focus();
      onSent();
    },
  );
  const { content, language } = form.fields;
  return (
    <form method="dialog" className="border-t bg-surface px-4 py-3 md:px-6" onSubmit={form.submit}>
      {!latest && (
        <>
          <label htmlFor="message-subject" className="block font-bold">
            Subject <span className="font-normal text-ink-3">optional</span>
          </label>
          <Input {...form.register('subject')} id="message-subject" maxLength={200} className="mt-1 mb-3" />
        </>
      )}
      <label htmlFor="message" className="block font-bold wrap-anywhere">
        {latest ? 'Reply to' : 'Message to'} <bdi dir="auto">{other.name}</bdi>
      </label>
      {latest && (
        <p id="message-hint" dir="auto" className="truncate text-sm text-ink-3">
          {replySubject(latest.subject)}
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-end gap-x-3 gap-y-2">
        <Textarea
          {...form.register('content')}
          id="message"
          ref={box}
          aria-describedby={latest && 'message-hint'}
          rows={3}
          maxLength={10_000}
          className="max-h-[40dvh] min-w-60 flex-1 max-sm:basis-full"
          onKeyDown={({ key, ctrlKey, metaKey }) => {
            if (key === 'Enter' && (ctrlKey || metaKey)) form.submit();
          }}
        />
        {/* Below the field, which is the whole row on a phone. */}
        <LanguageChoice
          text={content}
          chosen={language}
          onChange={(chosen) => form.change({ language: chosen })}
          className="w-full sm:order-1"
        />
        <Button
          type="submit"
          variant="primary"
          className="max-sm:ms-auto"
          disabled={!content.trim() && !form.isPending}
          busy={form.isPending && 'Sending'}
        >
          {latest ? 'Send Reply' : 'Send message'}
        </Button>
      </div>
    </form>
  );
}
