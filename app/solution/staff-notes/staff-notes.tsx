import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { useFields } from '#app/frame/act/use-fields.ts';
import { authorName } from '#app/frame/members/names.ts';
import { useViewer } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { classes } from '#app/ui/texts/classes.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import {
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

/** So many notes are shown above an item, first those on it, then those on its sender; those on other items are folded up. */
const MAX_SHOWN = 3;

const REFRESH = [
  ['moderation', 'notes'],
  ['moderation', 'queue'],
];

interface StaffNotesProps extends NoteSubject {
  /** Whether nothing is shown where no note is on the item. */
  isBrief?: boolean;
  /** Whether a dialog has them all, and a title. */
  isDialog?: boolean;
}

/** What moderators wrote down about an item, to be read before it, or about a member; and the form for more. */
export function StaffNotes({ isBrief = false, isDialog = false, ...subject }: StaffNotesProps) {
  const { item } = subject;
  const notes = useQuery(notesQuery(browserClient, subject));
  const [isWriting, setWriting] = useState(false);
  const [removed, setRemoved] = useState<Note>();
  const removal = useAction({
    act: async (id: string) => removeNote(await browserClient(), id),
    done: 'Note removed',
    failed: 'Failed to remove the note',
    onDone: () => setRemoved(undefined),
    refresh: REFRESH,
  });
  const all = notes.data ?? [];
  const onItem = all.filter(({ isOnItem }) => isOnItem);
  const onSender = all.filter((note) => kindOf(note) === undefined);
  const shown = isDialog ? all : [...onItem, ...onSender].filter((_, place) => place < MAX_SHOWN);
  const folded = all.filter((note) => !shown.includes(note));
  if (isBrief && shown.length === 0) return null;
  const rows = (list: Note[]) => (
    <ul className="divide-y divide-current/20">
      {list.map((note) => (
        <NoteRow key={note.id} note={note} onRemove={() => setRemoved(note)} />
      ))}
    </ul>
  );
  return (
    <section
      aria-labelledby="staff-notes"
      className={classes(
        'print:hidden',
        isDialog ? 'mt-4' : 'mb-5',
        !isDialog && shown.length > 0 && 'rounded-md border px-4 py-2',
        // A long one leaves room for the case.
        !isDialog && !isWriting && 'max-h-[50dvh] overflow-y-auto',
        !isDialog &&
          shown.length > 0 &&
          (onItem.length > 0 ? 'border-amber bg-amber-soft text-amber-ink' : 'bg-surface'),
      )}
    >
      {/* A dialog has a title of its own, and a note says who wrote it. */}
      <h2 id="staff-notes" className="sr-only">
        Staff notes
      </h2>
      {notes.data ? (
        shown.length > 0 ? (
          rows(shown)
        ) : (
          isDialog && <p className="mt-1 text-ink-2">No notes so far</p>
        )
      ) : notes.isError ? (
        <LoadFailed title="Failed to load the notes" onRetry={() => void notes.refetch()} className="mt-2" />
      ) : (
        <Skeleton className={isDialog ? 'mt-2 h-6' : 'h-64'} />
      )}
      {isWriting ? (
        <NoteForm subject={subject} onClose={() => setWriting(false)} />
      ) : (
        <div className="flex flex-wrap items-baseline gap-x-6">
          <button
            type="button"
            className="reach text-action text-current underline underline-offset-4"
            onClick={() => setWriting(true)}
          >
            Add a note
          </button>
          {folded.length > 0 && (
            <details className="open:basis-full">
              <summary className="disclosure">
                {folded.length === 1 ? '1 other note' : `${folded.length} other notes`}
              </summary>
              {rows(folded)}
            </details>
          )}
        </div>
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

function NoteForm({ subject, onClose }: { subject: NoteSubject; onClose: () => void }) {
  const form = useFields(
    { content: '' },
    {
      problems: ({ content }) => ({ content: content.trim() ? undefined : 'A note cannot be empty' }),
      act: async ({ content }) => writeNote(await browserClient(), subject, content.trim()),
      done: 'Note saved',
      failed: 'Failed to save the note',
      onDone: onClose,
      refresh: REFRESH,
    },
  );
  return (
    <form method="dialog" className="mt-3" onSubmit={form.submit}>
      <Field
        label="Note"
        error={form.errors.content}
        hint={
          subject.memberId
            ? 'Only moderators and admins see it. The member gets it if they download their data.'
            : 'Only moderators and admins see it.'
        }
      >
        <Textarea {...form.register('content')} rows={3} maxLength={MAX_NOTE_LENGTH} autoFocus />
      </Field>
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.isPending && 'Saving'}>
          Save note
        </Button>
      </div>
    </form>
  );
}

function NoteRow({ note, onRemove }: { note: Note; onRemove: () => void }) {
  const viewer = useViewer();
  const kind = kindOf(note);
  const name = authorName(note.created_by, note.writer);
  const place = kind ? kinds[kind] : 'On the member';
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="text-sm wrap-anywhere">
          <bdi className="font-bold">{name}</bdi>, {formatDay(note.created_at)}
          {!note.isOnItem && ` · ${place}`}
          {!note.isOnItem && note.solution && (
            <>
              : <bdi {...asWritten(note.solution.title)}>{note.solution.title}</bdi>
            </>
          )}
        </p>
        <p {...asWritten(note.content)} className="max-w-[75ch] whitespace-pre-line wrap-anywhere">
          {note.content}
        </p>
      </div>
      {(viewer?.isAdmin || note.created_by === viewer?.profile?.id) && (
        <button type="button" className="reach text-action text-current" onClick={onRemove}>
          Remove<span className="sr-only"> note by {name}</span>
        </button>
      )}
    </li>
  );
}
