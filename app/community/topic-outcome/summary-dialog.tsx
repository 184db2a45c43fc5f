import { MAX_SUMMARY_LENGTH } from '#app/community/forum/categories.ts';
import { summariseTopic, type Topic } from '#app/community/forum/data.ts';
import { RichTextField } from '#app/community/forum/rich-text-field.tsx';
import { useFields } from '#app/frame/act/use-fields.ts';
import { browserClient } from '#app/supabase.ts';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { formattingProblem } from '#app/ui/texts/formatting.ts';

interface SummaryDialogProps {
  topic: Pick<Topic, 'id' | 'summary' | 'summary_language'>;
  onClose: () => void;
}

/** Writes the summary of a topic, or changes it. */
export function SummaryDialog({ topic, onClose }: SummaryDialogProps) {
  const form = useFields(
    { content: topic.summary ?? '', language: topic.summary_language ?? '' },
    {
      draft: `summary-${topic.id}`,
      problems: ({ content }) => ({
        content: content.trim() ? formattingProblem(content) : 'A summary cannot be empty',
      }),
      act: async ({ content }) =>
        summariseTopic(await browserClient(), topic.id, { content: content.trim(), language }),
      done: { title: 'Success', text: 'Summary saved successfully' },
      failed: 'Failed to save summary',
      onDone: onClose,
      refresh: [['forum', 'topic', topic.id]],
    },
  );
  const { content } = form.fields;
  const language = chosenLanguage(form.fields.language, content);
  return (
    <Dialog
      onClose={onClose}
      title={topic.summary ? 'Edit summary' : 'Write a summary'}
      description={
        topic.summary
          ? 'It appears above the replies, with your name.'
          : 'It appears above the replies, with your name. We tell everyone who has replied about the first one.'
      }
      onSubmit={form.submit}
      action={{ label: 'Save', busy: form.isPending && 'Saving' }}
    >
      <div className="mt-5">
        <LanguageField
          form={form}
          text={content}
          label="Summary"
          error={form.errors.content}
          hint="Say what helped and what didn’t. Leave out anything that could identify a patient."
        >
          <RichTextField
            {...form.register('content')}
            language={language}
            rows={7}
            maxLength={MAX_SUMMARY_LENGTH}
          />
        </LanguageField>
      </div>
    </Dialog>
  );
}
