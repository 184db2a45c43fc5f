import type { ReactNode } from 'react';
import { formatBytes } from '#app/solution/build-files/kinds.ts';

/** A round figure at or above the largest value, in steps of 1024, so that the axis reads well. */
function roundAbove(value: number): number {
  const unit = 1024 ** Math.max(0, Math.floor(Math.log(Math.max(value, 1)) / Math.log(1024)));
  const step = [1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1024].find(
    (candidate) => candidate * unit >= value,
  );
  return (step ?? 1024) * unit;
}

interface ChartProps {
  /** The text alternative of the drawing; the figures are in the table below. */
  label: string;
  max: number;
  /** Labels under the drawing, positioned from left to right as a share of the width. */
  marks: readonly { at: number; text: string }[];
  /** Draws in a plane 100 % wide and `height` high; `y` turns a value into its place. */
  children: (y: (value: number) => number) => ReactNode;
}

export const CHART_HEIGHT = 176;

/** Axis, grid lines and marks around a drawing of sizes. */
export function Chart({ label, max, marks, children }: ChartProps) {
  if (max === 0) return <p className="mt-7 text-ink-2">Nothing yet</p>;
  // Below this, half of it would be no whole unit.
  const top = roundAbove(Math.max(max, 2048));
  const y = (value: number) => CHART_HEIGHT - (value / top) * CHART_HEIGHT;
  const lines = [0, 0.5, 1].map((share) => share * top);
  return (
    <div className="mt-7 flex gap-3">
      <div className="relative w-14 shrink-0 text-end text-sm text-ink-3 tabular-nums" aria-hidden>
        {lines.map((line) => (
          <span key={line} className="absolute end-0 -translate-y-1/2" style={{ top: y(line) }}>
            {line === 0 ? 0 : formatBytes(line)}
          </span>
        ))}
      </div>
      <svg
        role="img"
        aria-label={label}
        width="100%"
        height={CHART_HEIGHT + 28}
        className="min-w-0 flex-1 overflow-visible"
      >
        {lines.map((line) => (
          <line key={line} x1="0" x2="100%" y1={y(line)} y2={y(line)} className="stroke-line" />
        ))}
        {children(y)}
        {marks.map(({ at, text }, index) => (
          <text
            key={at}
            x={`${at * 100}%`}
            y={CHART_HEIGHT + 22}
            textAnchor={at === 1 ? 'end' : 'middle'}
            className={`fill-ink-3 text-sm ${marks.length > 4 && (marks.length - index) % 2 === 0 ? 'max-md:hidden' : ''}`}
          >
            {text}
          </text>
        ))}
      </svg>
    </div>
  );
}
