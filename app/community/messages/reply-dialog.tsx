import { Textarea } from '#app/ui/controls/input.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import type { Message } from './data.ts';
import { correspondent, replySubject } from './reply.ts';
import { useReply } from './use-messages.ts';

interface ReplyDialogProps {
  message: Message;
  memberId: string;
  onClose: () => void;
  onSent: () => void;
}

/** A reply to one message. What is typed is kept on this device until it has been sent. */
export function ReplyDialog({ message, memberId, onClose, onSent }: ReplyDialogProps) {
  const form = useReply(memberId, `reply-to-${message.id}`, { message }, onSent);
  const { content } = form.fields;
  return (
    <Dialog
      onClose={onClose}
      title={`Reply to ${correspondent(message.sender)}`}
      description={replySubject(message.subject)}
      onSubmit={form.submit}
      action={{ label: 'Send Reply', disabled: !content.trim(), busy: form.isPending && 'Sending' }}
    >
      <blockquote
        {...asWritten(message.content, message.language)}
        className="mt-4 line-clamp-3 border-s-2 ps-3 whitespace-pre-line text-ink-2 wrap-anywhere"
      >
        {message.content}
      </blockquote>
      <LanguageField form={form} text={content} label="Your reply" className="mt-4">
        <Textarea {...form.register('content')} rows={6} maxLength={10_000} autoFocus />
      </LanguageField>
    </Dialog>
  );
}
