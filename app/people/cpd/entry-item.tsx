import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { Button } from '#app/ui/controls/button.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { activities, type CpdEntry, kinds } from './data.ts';
import { EntryText } from './entry-text.tsx';
import { durationText, subjectPathOf } from './record.ts';

interface EntryItemProps {
  entry: CpdEntry;
  onEdit: () => void;
  onDelete: () => void;
}

/** One entry of a CPD record, with the reflection on it and the buttons that change or delete it. */
export function EntryItem({ entry, onEdit, onDelete }: EntryItemProps) {
  const path = subjectPathOf(entry);
  const subject = (
    <bdi dir="auto" className="wrap-anywhere">
      {entry.subject}
    </bdi>
  );
  return (
    <li className="px-4 py-4 md:px-5">
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <h2 className="text-base">
            {path ? (
              <Link to={path} className="hover:underline">
                {subject}
              </Link>
            ) : (
              subject
            )}
          </h2>
          <p className="text-sm text-ink-3">
            {activities[entry.activity]} on <span className="whitespace-nowrap">{formatDay(entry.day)},</span>{' '}
            <span className="whitespace-nowrap">{durationText(entry.minutes)}</span>
            {entry.kind && `. ${kinds[entry.kind]}`}
            {entry.in_detail && '. Told in detail'}
          </p>
        </div>
        <div className="flex">
          <Button variant="quiet" size="icon" onClick={onEdit}>
            <Pencil className="size-5" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">Edit {entry.subject}</span>
          </Button>
          <Button variant="quiet" size="icon" className="text-red-ink" onClick={onDelete}>
            <Trash2 className="size-5" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">Delete {entry.subject}</span>
          </Button>
        </div>
      </div>
      {entry.reflection && <EntryText>{entry.reflection}</EntryText>}
      {entry.benefit && <EntryText>{entry.benefit}</EntryText>}
    </li>
  );
}
