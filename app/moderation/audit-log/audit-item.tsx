import { Link } from 'react-router';
import type { Json } from '#app/database.types.ts';
import { acts, targets } from '#app/kinds.ts';
import { isSafetyKind, safetyKinds } from '#app/solution/warnings/safety-notice-kinds.ts';
import { dateLanguage } from '#app/ui/languages/interface-language.ts';
import type { AuditEntry } from './data.ts';

const time = new Intl.DateTimeFormat(dateLanguage, {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
});

/** One entry of the log: who did what, to what and when, with the states before and after if they were recorded. */
export function AuditItem({ entry }: { entry: AuditEntry }) {
  const { name: kind = entry.target_type.replaceAll('_', ' '), path } = targets.get(entry.target_type) ?? {};
  const name = entry.names.get(entry.target_id);
  const target = name === undefined ? entry.target_id : <bdi dir="auto">{name}</bdi>;
  return (
    <li className="px-4 py-4 md:px-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="min-w-0 wrap-anywhere">
          <span className="font-bold">{acts[entry.action] ?? entry.action}</span>
          <span className="text-ink-2">
            {' '}
            by <bdi>{entry.actor}</bdi>
          </span>
        </p>
        <time dateTime={entry.created_at} className="text-sm whitespace-nowrap text-ink-3 tabular-nums">
          {time.format(new Date(entry.created_at))}
        </time>
      </div>
      <p className="mt-1 text-sm text-ink-3 wrap-anywhere">
        {kind}{' '}
        {path ? (
          <Link to={path + entry.target_id} className="link">
            {target}
          </Link>
        ) : (
          <span className="text-ink-2">{target}</span>
        )}
      </p>
      {(entry.before ?? entry.after) !== null && (
        <dl className="mt-2 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
          {entry.before !== null && <State name="Before" value={entry.before} names={entry.names} />}
          {entry.after !== null && <State name="After" value={entry.after} names={entry.names} />}
        </dl>
      )}
    </li>
  );
}

/** What is recorded of a target, in words, where its name alone is not one. */
const FIELDS: Record<string, string> = {
  user_id: 'author',
  solution_id: 'solution',
  content_type: 'kind',
  content_id: 'content',
  media_ids: 'images',
  search_url: 'public search',
};
/** The action says these already. */
const SAID = ['status', 'state'];
/** What no and yes are called, where the name of the field alone does not say it. */
const ANSWERS: Record<string, [no: string, yes: string]> = {
  own: ['', 'the moderator’s own'],
  is_pinned: ['not pinned', 'pinned'],
  is_locked: ['not locked', 'locked'],
  is_retired: ['offered to members', 'retired'],
};

interface StateProps {
  name: string;
  value: Json;
  names: ReadonlyMap<string, string>;
}

function State({ name, value, names }: StateProps) {
  const say = (part: Json): string =>
    typeof part === 'boolean'
      ? part
        ? 'yes'
        : 'no'
      : typeof part === 'string'
        ? (names.get(part) ?? (/^\d{4}-\d\d-\d\dT/.test(part) ? time.format(new Date(part)) : part))
        : Array.isArray(part)
          ? part.map(say).join(', ') || 'none'
          : typeof part === 'object' && part !== null
            ? fieldsIn(part)
            : String(part);
  const field = (key: string, part: Json) =>
    typeof part === 'boolean' && ANSWERS[key]
      ? ANSWERS[key][part ? 1 : 0]
      : key === 'kind' && typeof part === 'string' && isSafetyKind(part)
        ? safetyKinds[part].choice
        : `${FIELDS[key] ?? key.replaceAll('_', ' ')}: ${key === 'media_ids' && Array.isArray(part) ? part.length : say(part)}`;
  const fieldsIn = (fields: Record<string, Json | undefined>): string =>
    Object.entries(fields)
      .flatMap(([key, part = null]) => (part === null || SAID.includes(key) ? [] : field(key, part) || []))
      .join(' · ');
  const said = say(value);
  if (!said) return null;
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd dir="auto" className="text-ink-2 wrap-anywhere">
        {said}
      </dd>
    </>
  );
}
