import { useLocalDraft } from '#app/frame/act/use-local-draft.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { chosenLanguage, LanguageChoice } from '#app/ui/languages/language-choice.tsx';
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
  const { fields, change, clearDraft } = useLocalDraft(`reply-to-${message.id}`, {
    content: '',
    language: '',
  });
  const sending = useReply(memberId, () => {
    clearDraft();
    onSent();
  });
  const isEmpty = !fields.content.trim();
  return (
    <Dialog
      onClose={onClose}
      title={`Reply to ${correspondent(message.sender)}`}
      description={replySubject(message.subject)}
      onSubmit={() => {
        if (!isEmpty)
          sending.mutate({
            message,
            content: fields.content,
            language: chosenLanguage(fields.language, fields.content),
          });
      }}
      action={{ label: 'Send Reply', disabled: isEmpty, busy: sending.isPending && 'Sending' }}
    >
      <blockquote
        {...asWritten(message.content, message.language)}
        className="mt-4 line-clamp-3 border-s-2 ps-3 whitespace-pre-line text-ink-2 wrap-anywhere"
      >
        {message.content}
      </blockquote>
      <Field label="Your reply" className="mt-4">
        <Textarea
          dir="auto"
          rows={6}
          maxLength={10_000}
          autoFocus
          value={fields.content}
          onChange={(event) => change({ content: event.target.value })}
        />
      </Field>
      <LanguageChoice
        text={fields.content}
        chosen={fields.language}
        onChange={(language) => change({ language })}
        className="mt-2"
      />
    </Dialog>
  );
}
