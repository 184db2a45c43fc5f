import { Link } from 'react-router';
import { authorName } from '#app/people/members/names.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { formatVersionDay } from '#app/ui/texts/dates.ts';
import { CiteButton } from './cite-button.tsx';

/** What a page shows of a solution's versions. */
type Versioned = Pick<Solution, 'id' | 'title' | 'version' | 'versions' | 'user_id' | 'author'>;

/** The version that readers see, with a way to cite it and to the earlier ones. */
export function VersionLine({ solution }: { solution: Versioned }) {
  const [latest] = solution.versions;
  if (!latest) return null;
  const { version, published_at: publishedAt, change_note: note } = latest;
  const author = authorName(solution.user_id, solution.author);
  return (
    <div className="py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p>
          Version {version}, <span className="whitespace-nowrap">{formatVersionDay(publishedAt)}</span>
        </p>
        <span className="print:hidden">
          <CiteButton cited={{ id: solution.id, title: solution.title, author, version, publishedAt }} />
        </span>
      </div>
      {note && (
        <p dir="auto" className="mt-1 text-sm whitespace-pre-line text-ink-2 wrap-anywhere">
          {note}
        </p>
      )}
      {solution.versions.length > 1 && (
        <details className="mt-1 print:hidden">
          <summary className="disclosure min-h-11 justify-between text-sm text-ink-2 md:min-h-9">
            Earlier versions
          </summary>
          <VersionList solution={solution} except={version} />
        </details>
      )}
    </div>
  );
}

interface VersionListProps {
  solution: Versioned;
  /** The one that is shown already. */
  except: number;
}

/** The other versions, each with its day and what its author said of it. */
export function VersionList({ solution, except }: VersionListProps) {
  return (
    <ol reversed className="mt-1 flex flex-col gap-2.5 pb-2">
      {solution.versions
        .filter(({ version }) => version !== except)
        .map(({ version, published_at, change_note, removed_at }) => (
          <li key={version}>
            <Link to={`/solutions/${solution.id}/versions/${version}`} className="reach link">
              Version {version}
            </Link>
            , <span className="whitespace-nowrap">{formatVersionDay(published_at)}</span>
            {version === solution.version && ' (current)'}
            {removed_at && <span className="block text-sm text-ink-3">Text removed</span>}
            {change_note && (
              <span dir="auto" className="block text-sm text-ink-2 wrap-anywhere">
                {change_note}
              </span>
            )}
          </li>
        ))}
    </ol>
  );
}
