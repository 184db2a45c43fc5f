import { useQuery } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { useFields } from '#app/frame/act/use-fields.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input, Textarea } from '#app/ui/controls/input.tsx';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
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
  const accepts = useQuery(acceptsMessagesQuery(browserClient, recipient.id));
  const closed = accepts.data === false;
  const form = useFields(
    { subject: solution?.title ?? '', content: '', language: '' },
    {
      draft: `message-${recipient.id}-${solution?.id ?? ''}`,
      isEmpty: ({ content }) => closed || !content.trim(),
      act: async ({ subject, content, language }) =>
        sendMessage(await browserClient(), {
          sender_id: senderId,
          recipient_id: recipient.id,
          subject: subject.trim() || null,
          content: content.trim(),
          language: chosenLanguage(language, content),
          solution_id: solution?.id ?? null,
        }),
      done: 'Message sent',
      failed: 'Failed to send message',
      onDone: onClose,
    },
  );
  const { content } = form.fields;
  return (
    <Dialog
      onClose={onClose}
      title={`Message ${recipient.name}`}
      onSubmit={form.submit}
      actions={
        <>
          <Button onClick={onClose}>{closed ? 'Close' : 'Cancel'}</Button>
          {!closed && (
            <Button
              type="submit"
              variant="primary"
              disabled={!content.trim()}
              busy={form.isPending && 'Sending'}
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
            <Input {...form.register('subject')} maxLength={200} />
          </Field>
          <LanguageField form={form} text={content} lineClassName="" label="Message">
            <Textarea {...form.register('content')} rows={6} autoFocus maxLength={10_000} />
          </LanguageField>
        </div>
      )}
    </Dialog>
  );
}
