import { useQuery } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { useAction } from '#app/frame/act/use-action.ts';
import { useLocalDraft } from '#app/frame/act/use-local-draft.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input, Textarea } from '#app/ui/controls/input.tsx';
import { chosenLanguage, LanguageChoice } from '#app/ui/languages/language-choice.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { acceptsMessagesQuery, sendMessage } from './data.ts';

interface MessageDialogProps {
  recipient: { id: string; name: string };
  senderId: string;
  /** The solution the message is about; its title is proposed as the subject. */
  solution?: { id: string; title: string };
  onClose: () => void;
}

/** A new message to a member, from a solution's page or their own. */
export function MessageDialog({ recipient, senderId, solution, onClose }: MessageDialogProps) {
  // Kept on this device until it has been sent.
  const { fields, change, clearDraft } = useLocalDraft(`message-${recipient.id}-${solution?.id ?? ''}`, {
    subject: solution?.title ?? '',
    content: '',
    language: '',
  });
  const { subject, content } = fields;
  const accepts = useQuery(acceptsMessagesQuery(browserClient, recipient.id));
  const sending = useAction({
    act: async () =>
      sendMessage(await browserClient(), {
        sender_id: senderId,
        recipient_id: recipient.id,
        subject: subject.trim() || null,
        content: content.trim(),
        language: chosenLanguage(fields.language, content),
        solution_id: solution?.id ?? null,
      }),
    done: 'Message sent',
    failed: 'Failed to send message',
    onDone: () => {
      clearDraft();
      onClose();
    },
  });
  const closed = accepts.data === false;
  return (
    <Dialog
      onClose={onClose}
      title={`Message ${recipient.name}`}
      onSubmit={() => content.trim() && !closed && !sending.isPending && sending.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{closed ? 'Close' : 'Cancel'}</Button>
          {!closed && (
            <Button
              type="submit"
              variant="primary"
              disabled={!content.trim()}
              busy={sending.isPending && 'Sending'}
            >
              Send message
            </Button>
          )}
        </>
      }
    >
      {closed ? (
        <Banner tone="amber" icon={Ban} title="This member does not accept messages" className="mt-5" />
      ) : (
        <div className="mt-5 flex flex-col gap-5">
          <Field label="Subject">
            <Input
              maxLength={200}
              value={subject}
              onChange={(event) => change({ subject: event.target.value })}
            />
          </Field>
          <Field label="Message">
            <Textarea
              dir="auto"
              rows={6}
              autoFocus
              maxLength={10_000}
              value={content}
              onChange={(event) => change({ content: event.target.value })}
            />
          </Field>
          <LanguageChoice
            text={content}
            chosen={fields.language}
            onChange={(language) => change({ language })}
          />
        </div>
      )}
    </Dialog>
  );
}
