import { useLocalDraft } from '#app/frame/act/use-local-draft.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import type { Trial } from './data.ts';

const MAX_ANSWER_LENGTH = 2000;

interface AnswerFormProps {
  trial: Trial;
  isSaving: boolean;
  onSave: (answer: string) => Promise<void>;
  onClose: () => void;
}

/** In which the author of a solution answers a report; what is typed stays on the device until it is saved. */
export function AnswerForm({ trial, isSaving, onSave, onClose }: AnswerFormProps) {
  const { fields, change, clearDraft } = useLocalDraft(`trial-answer:${trial.id}`, {
    answer: trial.author_answer ?? '',
  });
  const finish = () => {
    clearDraft();
    onClose();
  };
  return (
    <form
      method="dialog"
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        const answer = fields.answer.trim();
        // A failure is said by a toast, and the text stays.
        if (answer && !isSaving) onSave(answer).then(finish, () => undefined);
      }}
    >
      <Field label="Your answer" hint="Everyone who reads the report sees it.">
        <Textarea
          rows={3}
          autoFocus
          maxLength={MAX_ANSWER_LENGTH}
          value={fields.answer}
          onChange={(event) => change({ answer: event.target.value })}
        />
      </Field>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={isSaving && 'Saving'}>
          Save answer
        </Button>
        <Button onClick={finish}>Cancel</Button>
      </div>
    </form>
  );
}
