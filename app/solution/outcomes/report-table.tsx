import type { ReactNode } from 'react';

interface ReportTableProps {
  summary: string;
  /** What screen readers call it. */
  label: string;
  columns: string[];
  className: string;
  children: ReactNode;
}

/** What is drawn or told above as a table, which unfolds and scrolls sideways. */
export const ReportTable = ({ summary, label, columns, className, children }: ReportTableProps) => (
  <details className={className}>
    <summary className="disclosure">{summary}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by key */}
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto">
      <table className="min-w-[680px] text-start text-sm">
        <thead>
          <tr className="border-b text-ink-2">
            {columns.map((name) => (
              <th key={name} scope="col" className="py-2 pe-4 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  </details>
);
