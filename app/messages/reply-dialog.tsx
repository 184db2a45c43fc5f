import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { Textarea } from '#app/ui/input.tsx';
import type { Message } from './data.ts';
import { correspondent, replySubject } from './reply.ts';
import { useReply } from './use-reply.ts';

interface ReplyDialogProps {
  message: Message;
  memberId: string;
  /** Kept by the page, so that a dialog closed by accident loses nothing. */
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
  onSent: () => void;
}

export function ReplyDialog({ message, memberId, text, onText, onClose, onSent }: ReplyDialogProps) {
  const sending = useReply(memberId, onSent);
  return (
    <Dialog
      onClose={onClose}
      title={`Reply to ${correspondent(message.sender)}`}
      description={replySubject(message.subject)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!text.trim() || sending.isPending}
            onClick={() => sending.mutate({ message, content: text })}
          >
            {sending.isPending ? 'Sending' : 'Send Reply'}
          </Button>
        </>
      }
    >
      <blockquote className="mt-4 line-clamp-3 border-l-2 pl-3 whitespace-pre-line text-ink-2 wrap-anywhere">
        {message.content}
      </blockquote>
      <Field label="Your reply" className="mt-4">
        {(control) => (
          <Textarea
            {...control}
            rows={6}
            maxLength={10_000}
            autoFocus
            value={text}
            onChange={(event) => onText(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
