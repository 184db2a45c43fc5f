import { Link } from 'react-router';
import { deedOf } from '#app/solution/build-files/text-licences.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { formatDay } from '#app/ui/texts/dates.ts';

/** What a page shows of a solution's versions. */
type Versioned = Pick<Solution, 'id' | 'language' | 'version' | 'versions'>;

/** The version that readers see, with what its author said of it, and the earlier ones. */
export function Versions({ solution }: { solution: Versioned & Pick<Solution, 'licence'> }) {
  const deed = deedOf(solution.licence);
  const [latest] = solution.versions;
  if (!latest) return null;
  const { version, published_at: publishedAt, change_note: note } = latest;
  return (
    <section>
      <h3 className="text-sm text-ink-3">Versions</h3>
      <p className="mt-1">
        Version {version}, {formatDay(publishedAt)}
      </p>
      {note && (
        <p
          {...textLanguage(solution.language)}
          className="text-sm whitespace-pre-line text-ink-2 wrap-anywhere"
        >
          {note}
        </p>
      )}
      {deed ? (
        <p>
          Texts and images:{' '}
          <a href={deed} rel="license noopener noreferrer" className="reach link">
            {solution.licence}
          </a>
        </p>
      ) : (
        solution.licence && <p>Texts and images: all rights reserved</p>
      )}
      {solution.versions.length > 1 && (
        <div className="print:hidden">
          <VersionList solution={solution} except={version} />
        </div>
      )}
    </section>
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
    <ol reversed className="mt-1 flex flex-col gap-2 pb-2">
      {solution.versions
        .filter(({ version }) => version !== except)
        .map(({ version, published_at, change_note, removed_at }) => (
          <li key={version}>
            <Link to={`/solutions/${solution.id}/versions/${version}`} className="reach link">
              Version {version}
            </Link>
            , {formatDay(published_at)}
            {version === solution.version && ' (current)'}
            {removed_at && <span className="block text-sm text-ink-3">Text removed</span>}
            {change_note && (
              <span {...textLanguage(solution.language)} className="block text-sm text-ink-2 wrap-anywhere">
                {change_note}
              </span>
            )}
          </li>
        ))}
    </ol>
  );
}
