import { useQuery } from '@tanstack/react-query';
import { sanctionsQuery } from '#app/frame/members/data.ts';
import { browserClient } from '#app/supabase.ts';
import { TitleLink } from '#app/ui/languages/title-link.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { authorHistoryQuery } from './author-history-data.ts';

interface AuthorHistoryProps {
  authorId: string;
  /** The solution under review, which is excluded from the history. */
  except: string;
}

/** The decisions on the author's other solutions, and the author's sanctions. */
export function AuthorHistory({ authorId, except }: AuthorHistoryProps) {
  const record = useQuery(authorHistoryQuery(browserClient, authorId, except));
  const sanctions = useQuery(sanctionsQuery(browserClient, authorId)).data ?? [];
  if (record.isError) return <p className="text-ink-2">Earlier decisions could not be loaded</p>;
  if (!record.data) return null;
  const { approved, rejected, latest, hasMore } = record.data;
  const more = hasMore ? '+' : '';
  if (approved + rejected + sanctions.length === 0)
    return <p className="text-ink-2">This is the author’s first solution</p>;
  return (
    <>
      <p>
        {approved}
        {more} approved, {rejected}
        {more} rejected
        {sanctions.length > 0 && `, ${sanctions.length} ${sanctions.length === 1 ? 'sanction' : 'sanctions'}`}
      </p>
      <ul className="mt-2 flex flex-col gap-2">
        {latest.map(({ id, reason, created_at, solution }) => (
          <li key={id} className="text-sm">
            <TitleLink to={`/solutions/${solution.id}`} title={solution.title} language={solution.language} />
            <span className="text-ink-3">, rejected {formatDay(created_at)}</span>
            {reason && (
              <p dir="auto" className="line-clamp-3 text-ink-2 wrap-anywhere">
                “{reason}”
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
