import { useState } from 'react';
import { MAX_SUMMARY_LENGTH } from '#app/community/forum/categories.ts';
import { summariseTopic, type Topic } from '#app/community/forum/data.ts';
import { RichTextField } from '#app/community/forum/rich-text-field.tsx';
import { useAction } from '#app/frame/act/use-action.ts';
import { useLocalDraft } from '#app/frame/act/use-local-draft.ts';
import { browserClient } from '#app/supabase.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { chosenLanguage, LanguageChoice } from '#app/ui/languages/language-choice.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { formattingProblem } from '#app/ui/texts/formatting.ts';

interface SummaryDialogProps {
  topic: Pick<Topic, 'id' | 'summary' | 'summary_language'>;
  onClose: () => void;
}

/** Writes the summary of a topic, or changes it. */
export function SummaryDialog({ topic, onClose }: SummaryDialogProps) {
  const { fields, change, clearDraft } = useLocalDraft(`summary-${topic.id}`, {
    content: topic.summary ?? '',
    language: topic.summary_language ?? '',
  });
  const language = chosenLanguage(fields.language, fields.content);
  const [isTried, setIsTried] = useState(false);
  const problem = fields.content.trim() ? formattingProblem(fields.content) : 'A summary cannot be empty';
  const saving = useAction({
    act: async () =>
      summariseTopic(await browserClient(), topic.id, {
        content: fields.content.trim(),
        language,
      }),
    done: { title: 'Success', text: 'Summary saved successfully' },
    failed: 'Failed to save summary',
    onDone: () => {
      clearDraft();
      onClose();
    },
    refresh: [['forum', 'topic', topic.id]],
  });
  return (
    <Dialog
      onClose={onClose}
      title={topic.summary ? 'Edit summary' : 'Write a summary'}
      description={
        topic.summary
          ? 'It appears above the replies, with your name.'
          : 'It appears above the replies, with your name. We tell everyone who has replied about the first one.'
      }
      onSubmit={() => {
        setIsTried(true);
        if (!problem) saving.mutate();
      }}
      action={{ label: 'Save', busy: saving.isPending && 'Saving' }}
    >
      <div className="mt-5">
        <Field
          label="Summary"
          error={isTried ? problem : undefined}
          hint="Say what helped and what didn’t. Leave out anything that could identify a patient."
        >
          <RichTextField
            language={language}
            rows={7}
            maxLength={MAX_SUMMARY_LENGTH}
            value={fields.content}
            onChange={(content) => change({ content })}
          />
        </Field>
        <LanguageChoice
          text={fields.content}
          chosen={fields.language}
          onChange={(chosen) => change({ language: chosen })}
          className="mt-2"
        />
      </div>
    </Dialog>
  );
}
