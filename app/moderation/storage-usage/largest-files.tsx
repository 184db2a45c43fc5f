import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { formatBytes } from '#app/solution/build-files/kinds.ts';
import { browserClient } from '#app/supabase.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { FiguresTable, Panel } from '#app/ui/surfaces/panel.tsx';
import { ownersQuery, type StoredFile } from './data.ts';
import { fills } from './storage-charts.tsx';
import { kindOf } from './storage-figures.ts';

/** The largest files, with the solutions they belong to. */
export function LargestFiles({ files }: { files: readonly StoredFile[] }) {
  const owners = useQuery(
    ownersQuery(
      browserClient,
      files.map(({ path }) => path),
    ),
  ).data;
  const most = files[0]?.size ?? 1;
  const nameOf = (path: string) => {
    const name = path.split('/').at(-1) ?? path;
    const title = owners?.get(path)?.title;
    if (title !== undefined) return `${title}: ${name}`;
    return owners ? `${name} (not attached to a solution)` : name;
  };
  return (
    <Panel title="Largest items">
      {files.length === 0 ? (
        <p className="mt-4 text-ink-2">No files are stored yet</p>
      ) : (
        <>
          <ol className="mt-4 flex flex-col gap-3">
            {files.map(({ path, size }) => {
              const solution = owners?.get(path);
              return (
                <li key={path}>
                  <div className="flex items-baseline justify-between gap-4">
                    <span className="truncate">
                      {solution ? (
                        <Link to={`/solutions/${solution.id}`} className="link">
                          {solution.title}
                        </Link>
                      ) : (
                        nameOf(path)
                      )}
                    </span>
                    <span className="shrink-0 text-sm text-ink-2 tabular-nums">{formatBytes(size)}</span>
                  </div>
                  <svg width="100%" height="8" className="mt-1 block" aria-hidden>
                    <rect width="100%" height="8" rx="4" className="fill-sunken" />
                    <rect
                      width={`${(size / most) * 100}%`}
                      height="8"
                      rx="4"
                      className={fills[kindOf(path)]}
                    />
                  </svg>
                </li>
              );
            })}
          </ol>
          <FiguresTable
            caption="Largest items as a table"
            head={['Solution and file', 'Kind', 'Size']}
            rows={files.map(({ path, size }, place) => [
              `${place + 1}. ${nameOf(path)}`,
              knownText(kindOf(path)),
              formatBytes(size),
            ])}
          />
        </>
      )}
    </Panel>
  );
}
