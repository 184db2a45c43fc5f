import { Eye } from 'lucide-react';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { waitingKinds } from '#app/kinds.ts';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { timeLeft, useRelativeTime } from '#app/ui/texts/relative-time.ts';
import type { QueueItem } from './data.ts';

/** No submission should wait for longer. */
const PATIENCE_MS = 2 * 86_400_000;

interface QueueRowProps {
  item: QueueItem;
  current: boolean;
  elsewhere: boolean;
  onChoose: () => void;
}

/** An entry of the list: what waits, of whom, how long it has, and whether colleagues wrote about it. */
export function QueueRow({ item, current, elsewhere, onChoose }: QueueRowProps) {
  const fileUrl = useFileUrl();
  const ago = useRelativeTime(item.submitted_at);
  const { name, icon: Icon = Eye } = waitingKinds.get(item.kind) ?? {};
  const isUrgent = item.due_at !== null || Date.now() - Date.parse(item.submitted_at) > PATIENCE_MS;
  return (
    <button
      type="button"
      aria-current={current ? 'true' : undefined}
      onClick={onChoose}
      className="flex w-full gap-3 rounded-md border border-transparent p-3 text-start transition-colors hover:bg-chip aria-[current]:border-accent aria-[current]:bg-surface aria-[current]:ring-1 aria-[current]:ring-accent forced-colors:aria-[current]:outline-2"
    >
      {item.picture ? (
        <Picture
          src={fileUrl(item.picture)}
          alt=""
          width={48}
          height={48}
          className="size-12 shrink-0 rounded-sm object-cover"
        />
      ) : (
        <span className="flex size-12 shrink-0 items-center justify-center rounded-sm bg-chip">
          <Icon className="size-5 text-ink-3" strokeWidth={1.75} aria-hidden />
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap justify-between gap-x-3 text-sm text-ink-3">
          <span>
            {name}
            {item.notes ? (
              <strong className="font-bold text-amber-ink">
                {' · '}
                {item.notes === 1 ? '1 note' : `${item.notes} notes`}
              </strong>
            ) : (
              ''
            )}
          </span>{' '}
          <span className={classes('whitespace-nowrap', isUrgent && 'font-bold text-amber-ink')}>
            {item.due_at ? timeLeft(item.due_at) : ago}
          </span>
        </span>
        <span
          {...asWritten(item.title)}
          className="text-left line-clamp-2 text-base/5 font-bold wrap-anywhere"
        >
          {item.kind === 'registration'
            ? `${item.title.replace(/ registration$/, '')} registration`
            : item.title}
        </span>
        <bdi dir="auto" className="text-left mt-1 line-clamp-2 text-sm text-ink-3 wrap-anywhere">
          {item.sender}
          {item.reason && `: ${item.reason}`}
        </bdi>
        {item.tells_of_harm && (
          <Badge tone="red" className="mt-1">
            Someone may have been hurt
          </Badge>
        )}
        {elsewhere && (
          <span className="flex items-center gap-2 text-sm text-amber-ink">
            <Eye className="size-4" strokeWidth={2} aria-hidden />
            Open by another moderator
          </span>
        )}
      </span>
    </button>
  );
}
