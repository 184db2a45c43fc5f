import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { useLocalDraft } from '#app/members/use-local-draft.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { formatDay } from '#app/ui/dates.ts';
import { Field } from '#app/ui/field.tsx';
import { Textarea } from '#app/ui/input.tsx';
import { toast } from '#app/ui/toast.tsx';
import { answerTrial, type Trial } from './data.ts';
import { MAX_ANSWER_LENGTH } from './form-schema.ts';

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
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { fields, change, clearDraft } = useLocalDraft(`trial-answer:${trial.id}`, {
    answer: trial.author_answer ?? '',
  });
  const saving = useMutation({
    mutationFn: async (answer: string) => answerTrial(await browserClient(), trial.id, answer),
    networkMode: 'always',
    onSuccess: async (_nothing, answer) => {
      toast({ tone: 'success', title: answer ? 'Answer saved' : 'Answer removed' });
      clearDraft();
      setOpen(false);
      await cache.invalidateQueries({ queryKey: ['solutions', 'trials', trial.solution_id] });
    },
    onError: (error) => toast({ tone: 'error', title: messageOf(error, 'Failed to save the answer') }),
  });
  if (isOpen) {
    return (
      <form
        method="dialog"
        className="mt-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (fields.answer.trim() && !saving.isPending) saving.mutate(fields.answer.trim());
        }}
      >
        <Field label="Your answer" hint="Everyone who reads the report sees it.">
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              autoFocus
              maxLength={MAX_ANSWER_LENGTH}
              value={fields.answer}
              onChange={(event) => change({ answer: event.target.value })}
            />
          )}
        </Field>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button type="submit" variant="primary" busy={saving.isPending && 'Saving'}>
            Save answer
          </Button>
          <Button
            onClick={() => {
              clearDraft();
              setOpen(false);
            }}
          >
            Cancel
          </Button>
        </div>
      </form>
    );
  }
  return (
    <>
      {trial.author_answer && (
        <div className="mt-4 border-l-2 border-accent pl-4">
          <h4 className="text-sm text-ink-3">
            Answer of the author{trial.answered_at && `, ${formatDay(trial.answered_at)}`}
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
