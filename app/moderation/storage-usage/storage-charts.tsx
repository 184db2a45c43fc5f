import { formatBytes } from '#app/solution/build-files/kinds.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { FiguresTable, Panel } from '#app/ui/surfaces/panel.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { CHART_HEIGHT, Chart } from './chart.tsx';
import type { StoredFile } from './data.ts';
import { type ByKind, kinds, sum, uploadsByDay, usageByDay } from './storage-figures.ts';

export const fills = {
  'Full size': 'fill-chart-1',
  Compressed: 'fill-chart-2',
  Videos: 'fill-chart-3',
  Thumbnails: 'fill-chart-4',
} as const;

/** The colours of the kinds in a chart, and how much each takes where that is known. */
export function Legend({ sizes }: { sizes?: ByKind }) {
  return (
    <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-2">
      {kinds.map((kind) => (
        <li key={kind} className="flex items-center gap-2">
          <svg width="12" height="12" aria-hidden>
            <rect width="12" height="12" rx="2.5" className={fills[kind]} />
          </svg>
          {knownText(kind)}
          {sizes && ` ${formatBytes(sizes[kind])}`}
        </li>
      ))}
    </ul>
  );
}

const bars = 14;

/** The uploads of each day, by kind. */
export function UploadsChart({ files, now }: { files: readonly StoredFile[]; now: number }) {
  const rows = uploadsByDay(files, bars, now);
  const max = Math.max(...rows.map(({ sizes }) => sum(sizes)));
  return (
    <Panel title="Uploads, last 14 days" hint="Per day (UTC)">
      <Chart
        label={`Uploads day by day; the most on one day is ${formatBytes(max)}`}
        max={max}
        marks={rows.map(({ date }, index) => ({
          at: (index + 0.5) / bars,
          text: String(new Date(date).getUTCDate()),
        }))}
      >
        {(y) =>
          rows.map(({ date, sizes }, index) => {
            let below = 0;
            return kinds.map((kind) => {
              const bottom = below;
              below += sizes[kind];
              // Two pixels apart, and never so thin that a small value looks like none.
              const height = Math.max(1, y(bottom) - y(below) - 2);
              return sizes[kind] > 0 ? (
                <rect
                  key={date + kind}
                  x={`${((index + 0.18) / bars) * 100}%`}
                  width={`${(0.64 / bars) * 100}%`}
                  y={y(bottom) - height}
                  height={height}
                  rx="2"
                  className={fills[kind]}
                />
              ) : null;
            });
          })
        }
      </Chart>
      <Legend />
      <FiguresTable
        caption="Uploads as a table"
        head={['Day', ...kinds.map(knownText), 'Total']}
        rows={rows.map(({ date, sizes }) => [
          formatDay(date),
          ...kinds.map((kind) => formatBytes(sizes[kind])),
          formatBytes(sum(sizes)),
        ])}
      />
    </Panel>
  );
}

const span = 30;

/** The stored size day by day. */
export function UsageChart({ files, now }: { files: readonly StoredFile[]; now: number }) {
  const rows = usageByDay(files, span, now);
  const last = rows.at(-1)?.total ?? 0;
  return (
    <Panel title="Usage over time" hint="At the end of each of the last 30 days">
      <Chart
        label={`Usage over 30 days, from ${formatBytes(rows[0]?.total ?? 0)} to ${formatBytes(last)}`}
        max={last}
        marks={[1, 8, 15, 22, 29].flatMap((index) => {
          const row = rows[index];
          return row ? [{ at: index / (span - 1), text: formatDay(row.date).replace(/,.*/, '') }] : [];
        })}
      >
        {(y) => {
          const line = rows.map(({ total }, index) => `${index},${y(total)}`).join(' ');
          return (
            <svg
              aria-hidden
              viewBox={`0 0 ${span - 1} ${CHART_HEIGHT}`}
              preserveAspectRatio="none"
              width="100%"
              height={CHART_HEIGHT}
              className="overflow-visible"
            >
              <polygon
                points={`0,${CHART_HEIGHT} ${line} ${span - 1},${CHART_HEIGHT}`}
                className="fill-accent-soft"
              />
              <polyline
                points={line}
                fill="none"
                vectorEffect="non-scaling-stroke"
                strokeWidth="2"
                strokeLinejoin="round"
                className="stroke-chart-1"
              />
            </svg>
          );
        }}
      </Chart>
      <FiguresTable
        caption="Usage as a table"
        head={['Day', 'Stored']}
        rows={rows.map(({ date, total }) => [formatDay(date), formatBytes(total)])}
      />
    </Panel>
  );
}
