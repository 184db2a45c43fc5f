import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { chosenLanguage, LanguageChoice } from '#app/ui/languages/language-choice.tsx';
import { MAX_NOTE, setNote } from './data.ts';

interface NoteProps {
  collectionId: string;
  solution: { id: string; title: string };
  note: string | null;
  language: string | null;
  isOwn: boolean;
  onRemove: () => void;
}

/** The note on a solution of a collection, which its owner edits in place. */
export function Note({ collectionId, solution, note, language, isOwn, onRemove }: NoteProps) {
  const cache = useQueryClient();
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  const text = typed ?? note ?? '';
  const said = chosen ?? language ?? '';
  const isChanged = text !== (note ?? '') || (chosen !== undefined && chosen !== language);
  const saving = useAction({
    act: async () =>
      setNote(await browserClient(), collectionId, solution.id, {
        note: text,
        language: chosenLanguage(said, text),
      }),
    done: 'Note saved',
    failed: 'Failed to save the note',
    fallback: 'Please try again',
    onDone: async () => {
      // The note is read again first, so that the old one does not show in between.
      await cache.invalidateQueries({ queryKey: ['collections'] });
      setTyped(undefined);
      setChosen(undefined);
    },
  });
  if (!isOwn)
    return (
      text && (
        <p
          {...asWritten(text, language)}
          className="mt-3 border-s-4 border-accent ps-3 whitespace-pre-line wrap-anywhere"
        >
          {text}
        </p>
      )
    );
  return (
    <form
      method="dialog"
      className="mt-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving.isPending) saving.mutate();
      }}
    >
      <label htmlFor={id} className="text-sm text-ink-3">
        Your note<span className="sr-only"> on {solution.title}</span>
      </label>
      <Textarea
        id={id}
        dir="auto"
        rows={2}
        maxLength={MAX_NOTE}
        value={text}
        onChange={(event) => setTyped(event.target.value)}
      />
      {(typed !== undefined || chosen !== undefined || language) && (
        <LanguageChoice text={text} chosen={said} onChange={setChosen} className="mt-2" />
      )}
      <div className="mt-2 flex flex-wrap gap-3">
        {isChanged && (
          <Button type="submit" size="small" variant="primary" busy={saving.isPending && 'Saving'}>
            Save note
          </Button>
        )}
        <Button size="small" className="text-red-ink" onClick={onRemove}>
          Remove solution<span className="sr-only">: {solution.title}</span>
        </Button>
      </div>
    </form>
  );
}
