import { type ReactNode, useId } from 'react';
import { Region } from '#app/ui/states/region.tsx';
import { classes } from '#app/ui/texts/classes.ts';

interface PanelProps {
  title: string;
  hint?: string;
  className?: string;
  children: ReactNode;
}

/** A part of the dashboard with a heading. */
export function Panel({ title, hint, className, children }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classes('min-w-0 rounded-md border bg-surface px-5 py-5 md:px-6 md:py-6', className)}
    >
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {hint && <p className="text-sm text-ink-3">{hint}</p>}
      <Region className="mt-4">{children}</Region>
    </section>
  );
}

interface FiguresTableProps {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly [string, ...string[]])[];
}

/** The figures behind a drawing. */
export function FiguresTable({ caption, head, rows }: FiguresTableProps) {
  return (
    <details className="mt-4">
      <summary className="disclosure">{caption}</summary>
      <div className="mt-2 overflow-x-auto">
        <table className="w-full text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-b text-ink-3">
              {head.map((name, column) => (
                <th
                  key={name}
                  scope="col"
                  className={`py-2 font-medium ${column === 0 ? 'text-start' : 'ps-3 text-end'}`}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y">
            {rows.map(([first, ...figures]) => (
              <tr key={[first, ...figures].join()}>
                <th scope="row" className="py-2 pe-3 text-start font-normal wrap-anywhere">
                  {first}
                </th>
                {figures.map((figure, column) => (
                  <td key={head[column + 1]} className="ps-3 text-end whitespace-nowrap tabular-nums">
                    {figure}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
