import { formatBytes } from '#app/solution/build-files/kinds.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { FiguresTable, Panel } from '#app/ui/surfaces/panel.tsx';
import { fills, Legend } from './storage-charts.tsx';
import { type ByKind, kinds, sum } from './storage-figures.ts';

const ticks = [
  { share: 0.7, text: '70%', word: 'warning' },
  { share: 0.9, text: '90%', word: 'critical' },
];

/** The used share of the quota, by kind of file. */
export function QuotaBar({ sizes, quota }: { sizes: ByKind; quota: number }) {
  const used = sum(sizes);
  // Beyond the quota the bar is full; the figures show by how much.
  const whole = Math.max(quota, used, 1);
  let before = 0;
  return (
    <Panel title="Storage used" className="relative">
      <p className="mt-1 text-ink-2 md:absolute md:top-6 md:end-6 md:mt-0">
        <span className="text-2xl font-bold text-ink">{formatBytes(used)}</span> of {formatBytes(quota)}
      </p>
      <svg
        role="img"
        aria-label={`${formatBytes(used)} of ${formatBytes(quota)} used, ${Math.round((used / Math.max(quota, 1)) * 100)} %`}
        width="100%"
        height="58"
        className="mt-4 overflow-visible"
      >
        <rect y="6" width="100%" height="24" rx="6" className="fill-sunken" />
        {kinds.map((kind) => {
          const start = before;
          before += sizes[kind];
          return (
            sizes[kind] > 0 && (
              <rect
                key={kind}
                x={`${(start / whole) * 100}%`}
                y="6"
                width={`${(sizes[kind] / whole) * 100}%`}
                height="24"
                rx="2"
                strokeWidth={sizes[kind] / whole > 0.01 ? 2 : 0}
                className={`${fills[kind]} stroke-surface`}
              />
            )
          );
        })}
        {ticks.map(({ share, text, word }) => (
          <g key={share}>
            <line
              x1={`${((share * quota) / whole) * 100}%`}
              x2={`${((share * quota) / whole) * 100}%`}
              y1="2"
              y2="34"
              strokeWidth="2"
              className="stroke-ink"
            />
            <text
              x={`${((share * quota) / whole) * 100}%`}
              y="52"
              textAnchor="middle"
              className="fill-ink-2 text-sm"
            >
              {text}
              <tspan className="max-md:hidden"> {word}</tspan>
            </text>
          </g>
        ))}
      </svg>
      <Legend sizes={sizes} />
      <FiguresTable
        caption="Storage by kind as a table"
        head={['Kind', 'Size', 'Share of what is used']}
        rows={kinds.map((kind) => [
          knownText(kind),
          formatBytes(sizes[kind]),
          `${used ? Math.round((sizes[kind] / used) * 100) : 0} %`,
        ])}
      />
    </Panel>
  );
}
