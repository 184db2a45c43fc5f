import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useAction } from '#app/frame/context/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { MAX_NOTE, setNote } from './data.ts';

interface NoteProps {
  collectionId: string;
  solution: { id: string; title: string };
  note: string | null;
  isOwn: boolean;
  onRemove: () => void;
}

/** The note on a solution of a collection, which its owner edits in place. */
export function Note({ collectionId, solution, note, isOwn, onRemove }: NoteProps) {
  const cache = useQueryClient();
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? note ?? '';
  const saving = useAction({
    act: async () => setNote(await browserClient(), collectionId, solution.id, text),
    done: 'Note saved',
    failed: 'Failed to save the note',
    fallback: 'Please try again',
    onDone: async () => {
      // The note is read again first, so that the old one does not show in between.
      await cache.invalidateQueries({ queryKey: ['collections'] });
      setTyped(undefined);
    },
  });
  if (!isOwn)
    return (
      text && (
        <p
          {...asWritten(text)}
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
        rows={2}
        maxLength={MAX_NOTE}
        value={text}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="mt-2 flex flex-wrap gap-3">
        {typed !== undefined && typed !== (note ?? '') && (
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
