import { type FormEvent, useId, useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '#app/errors.ts';
import { reasonOr, useAction } from '#app/frame/act/use-action.ts';
import { useLocalDraft } from '#app/frame/act/use-local-draft.ts';
import { PatientIdentifierWarning } from '#app/frame/patient-identifiers/patient-identifier-warning.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { characterCount } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { AnswerFields, WhoSees } from './answer-fields.tsx';
import { answerText } from './answers.ts';
import { answerQuestion, type OwnQuestion, sendComment } from './data.ts';

const MAX_COMMENT_LENGTH = 2000;

/** In which a member answers, or corrects their answer; words that go with it are reviewed before others read them. */
export function AnswerForm({ question }: { question: OwnQuestion }) {
  const { id, months, solution_id } = question;
  const formId = useId();
  const [error, setError] = useState<string>();
  const { fields, change, clearDraft } = useLocalDraft(`still-in-use:${id}`, { comment: '', language: '' });
  const saving = useAction({
    act: async (given: FormData) => {
      const db = await browserClient();
      await answerQuestion(db, id, given);
      const comment = fields.comment.trim();
      if (!comment) return false;
      const reason = given.get('answer') === 'no_longer' ? String(given.get('reason')) : null;
      const answer = answerText(String(given.get('answer')), reason);
      await sendComment(db, {
        solution_id,
        content: `Still in use after ${months} months? ${answer}.\n\n${comment}`,
        language: chosenLanguage(fields.language, comment),
      });
      clearDraft();
      return true;
    },
    done: (hasComment) => ({
      title: 'Answer saved',
      text: hasComment
        ? 'A moderator will read your comment before it appears.'
        : 'Thank you. It is counted now.',
    }),
    failed: reasonOr('Failed to save your answer'),
    refresh: [['solutions'], ['held-posts']],
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (saving.isPending) return;
    const form = event.currentTarget;
    setError(undefined);
    saving.mutate(new FormData(form), {
      onError: (refusal) => {
        setError(messageOf(refusal, 'Failed to save your answer'));
        form.querySelector<HTMLElement>('[aria-invalid=true], fieldset')?.focus();
      },
    });
  };
  return (
    <form method="dialog" noValidate id={formId} onSubmit={save} className="mt-7">
      <AnswerFields answer={question.answer} reason={question.reason} error={error} />
      <LanguageField
        form={{ fields, change }}
        text={fields.comment}
        label="Anything to add?"
        optional
        hint="A moderator reads it first. Then it appears as a comment on the solution, with your name."
        note={characterCount(fields.comment, MAX_COMMENT_LENGTH)}
        className="mt-7"
      >
        <Textarea
          rows={3}
          maxLength={MAX_COMMENT_LENGTH}
          value={fields.comment}
          onChange={(event) => change({ comment: event.target.value })}
        />
      </LanguageField>
      <Region>{() => <PatientIdentifierWarning text={fields.comment} />}</Region>
      <WhoSees />
      <Button type="submit" variant="primary" busy={saving.isPending && 'Saving'} className="mt-6">
        Save answer
      </Button>
      <p className="mt-6 text-ink-2">
        We ask 3, 6 and 12 months after a report. To stop these questions, go to{' '}
        <Link to="/settings#notifications" className="link">
          Settings
        </Link>
        .
      </p>
    </form>
  );
}
