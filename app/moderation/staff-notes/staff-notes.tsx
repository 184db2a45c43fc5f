import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#app/frame/context/use-action.ts';
import { authorName } from '#app/people/members/names.ts';
import { useViewer } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import {
  isOn,
  kindOf,
  MAX_NOTE_LENGTH,
  type Note,
  type NoteSubject,
  notesQuery,
  removeNote,
  writeNote,
} from './data.ts';

const kinds = {
  solution: 'On a solution',
  trial: 'On a trial report',
  translation: 'On a translation',
  resource: 'On a resource suggestion',
  report: 'On a report',
  removal_request: 'On a removal request',
  registration: 'On a registration',
  post: 'On a first post',
};

/** What moderators wrote down about an item or a member, and the form for more. */
export function StaffNotes(subject: NoteSubject) {
  const { item, memberId } = subject;
  const notes = useQuery(notesQuery(browserClient, subject));
  const [text, setText] = useState<string>();
  const [error, setError] = useState<string>();
  const [removed, setRemoved] = useState<Note>();
  const refresh = [['moderation', 'notes']];
  const writing = useAction({
    act: async (content: string) => writeNote(await browserClient(), subject, content),
    done: 'Note saved',
    failed: 'Failed to save the note',
    onDone: () => setText(undefined),
    refresh,
  });
  const removal = useAction({
    act: async (id: string) => removeNote(await browserClient(), id),
    done: 'Note removed',
    failed: 'Failed to remove the note',
    onDone: () => setRemoved(undefined),
    refresh,
  });
  const save = () => {
    const content = text?.trim() ?? '';
    setError(content ? undefined : 'A note cannot be empty');
    if (!content) document.getElementById('staff-note')?.focus();
    else if (!writing.isPending) writing.mutate(content);
  };
  return (
    <section
      aria-labelledby="staff-notes"
      // Below an entry of the queue, which it waits for: it would be moved by what is loaded above it.
      className={
        item
          ? 'mt-8 rounded-md border bg-surface px-5 py-4 group-has-[.animate-pulse]/entry:hidden md:px-6'
          : 'mt-4'
      }
    >
      {/* A dialog has a title of its own. */}
      <h3 id="staff-notes" className={item ? 'text-lg' : 'sr-only'}>
        Staff notes
      </h3>
      {notes.data ? (
        notes.data.length === 0 ? (
          <p className="mt-1 text-ink-2">No notes so far</p>
        ) : (
          <ul className="mt-1 divide-y">
            {notes.data.map((note) => (
              <NoteRow key={note.id} note={note} item={item} onRemove={() => setRemoved(note)} />
            ))}
          </ul>
        )
      ) : notes.isError ? (
        <LoadFailed title="Failed to load the notes" onRetry={() => void notes.refetch()} className="mt-2" />
      ) : (
        <Skeleton className="mt-2 h-6" />
      )}
      {text === undefined ? (
        <Button size="small" className="mt-3" onClick={() => setText('')}>
          Add a note
        </Button>
      ) : (
        <form
          method="dialog"
          className="mt-3"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <Field
            label="Note"
            id="staff-note"
            error={error}
            hint={
              memberId
                ? 'Only moderators and admins see it. The member gets it if they download their data.'
                : 'Only moderators and admins see it.'
            }
          >
            <Textarea
              rows={3}
              maxLength={MAX_NOTE_LENGTH}
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoFocus
            />
          </Field>
          <div className="mt-2.5 flex justify-end gap-2">
            <Button
              onClick={() => {
                setText(undefined);
                setError(undefined);
              }}
            >
              Cancel
            </Button>
            <Button type="submit" variant="primary" busy={writing.isPending && 'Saving'}>
              Save note
            </Button>
          </div>
        </form>
      )}
      {removed && (
        <ConfirmDialog
          title="Remove note"
          question={`Are you sure you want to remove this note${item ? '' : ' about the member'}? This action cannot be undone.`}
          verb="Remove"
          busy={removal.isPending && 'Removing'}
          onConfirm={() => removal.mutate(removed.id)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </section>
  );
}

interface NoteRowProps extends Pick<NoteSubject, 'item'> {
  note: Note;
  onRemove: () => void;
}

function NoteRow({ note, item, onRemove }: NoteRowProps) {
  const viewer = useViewer();
  const kind = kindOf(note);
  const name = authorName(note.created_by, note.writer);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="text-sm text-ink-3">
          <bdi className="font-title text-ink">{name}</bdi>,{' '}
          <span className="whitespace-nowrap">{formatDay(note.created_at)}</span>
          {!isOn(note, item) && ` · ${kind ? kinds[kind] : 'On the member'}`}
          {!isOn(note, item) && note.solution && (
            <>
              : <bdi {...asWritten(note.solution.title)}>{note.solution.title}</bdi>
            </>
          )}
        </p>
        <p {...asWritten(note.content)} className="whitespace-pre-line wrap-anywhere">
          {note.content}
        </p>
      </div>
      {(viewer?.isAdmin || note.created_by === viewer?.profile?.id) && (
        <button type="button" className="reach text-action" onClick={onRemove}>
          Remove<span className="sr-only"> note by {name}</span>
        </button>
      )}
    </li>
  );
}
