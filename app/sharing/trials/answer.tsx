import { type ReactNode, useState } from 'react';
import { reasonOr, useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { lazyPart } from '#app/ui/states/region.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { answerTrial, type Trial } from './data.ts';

// Few readers are authors: the form loads when it is opened.
const AnswerForm = lazyPart(() => import('./answer-form.tsx'), 'AnswerForm');

interface AnswerProps {
  trial: Trial;
  /** What else the reader can do with the report. */
  actions: ReactNode;
  /** Whether the reader shared the solution. */
  isAuthor: boolean;
  isModerator: boolean;
}

/** What the author of the solution answered, and the way for them to do so. */
export function Answer({ trial, actions, isAuthor, isModerator }: AnswerProps) {
  const [isOpen, setOpen] = useState(false);
  const saving = useAction({
    act: async (answer: string) => answerTrial(await browserClient(), trial.id, answer),
    done: (_nothing, answer) => (answer ? 'Answer saved' : 'Answer removed'),
    failed: reasonOr('Failed to save the answer'),
    refresh: [['solutions', 'trials', trial.solution_id]],
  });
  if (isOpen)
    return (
      <AnswerForm
        trial={trial}
        isSaving={saving.isPending}
        onSave={(answer) => saving.mutateAsync(answer)}
        onClose={() => setOpen(false)}
      />
    );
  return (
    <>
      {trial.author_answer && (
        <div className="mt-4 border-s-2 border-accent ps-4">
          <h4 className="text-sm text-ink-3">
            Author’s answer{trial.answered_at && `, ${formatDay(trial.answered_at)}`}
          </h4>
          <p dir="auto" className="max-w-[66ch] text-prose whitespace-pre-line wrap-anywhere">
            {trial.author_answer}
          </p>
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-x-5 print:hidden">
        {isAuthor && (
          <button type="button" className="reach text-action" onClick={() => setOpen(true)}>
            <span className="icon icon-comment size-4" />
            {trial.author_answer ? 'Edit your answer' : 'Answer'}
          </button>
        )}
        {trial.author_answer && (isAuthor || isModerator) && (
          <button
            type="button"
            className="reach text-action"
            onClick={() => !saving.isPending && saving.mutate('')}
          >
            <span className="icon icon-delete size-4" />
            Remove answer
          </button>
        )}
        {actions}
      </div>
    </>
  );
}
