import { directionText, scaleOf, withUnit } from './measure.ts';
import type { Outcome } from './outcome.ts';

const AXIS = 36;

/**
 * Before and after on the measure's own scale, with the band of measurement error around the score before. The sentence and
 * the table say the same, so that the drawing is hidden from screen readers.
 */
export function OutcomePicture({ outcome }: { outcome: Outcome }) {
  const { measure, score_before: before, score_after: after } = outcome;
  const { unit, error_size: error } = measure;
  const [low, high] = scaleOf({ ...measure, isOpen: measure.is_open }, [after, (before ?? 0) + (error ?? 0)]);
  const place = (score: number) => (100 * (Math.min(Math.max(score, low), high) - low)) / (high - low);
  const at = (score: number) => `${place(score)}%`;
  const anchor = (score: number) => {
    if (place(score) < 15) return 'start';
    return place(score) > 85 ? 'end' : 'middle';
  };
  const band = before !== null && error !== null ? [place(before - error), place(before + error)] : null;
  return (
    <div aria-hidden className="mt-4 max-w-[560px] px-2 break-inside-avoid">
      <svg aria-hidden width="100%" height="72" className="overflow-visible">
        {band && (
          <rect
            x={`${band[0]}%`}
            width={`${(band[1] ?? 0) - (band[0] ?? 0)}%`}
            y={AXIS - 10}
            height="20"
            className="fill-accent-soft stroke-line-2 [stroke-dasharray:3_3] forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText] print:fill-none"
          />
        )}
        <line x1="0" x2="100%" y1={AXIS} y2={AXIS} className="stroke-line-2" />
        {[0, 100].map((end) => (
          <line
            key={end}
            x1={`${end}%`}
            x2={`${end}%`}
            y1={AXIS - 5}
            y2={AXIS + 5}
            className="stroke-line-2"
          />
        ))}
        {before !== null && (
          <>
            <line
              x1={at(before)}
              x2={at(after)}
              y1={AXIS}
              y2={AXIS}
              strokeWidth="3"
              className="stroke-accent forced-colors:stroke-[CanvasText]"
            />
            <circle
              cx={at(before)}
              cy={AXIS}
              r="6"
              strokeWidth="2.5"
              className="fill-surface stroke-accent forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]"
            />
            <text
              x={at(before)}
              y="16"
              textAnchor={anchor(before)}
              className="fill-ink-2 text-sm forced-colors:fill-[CanvasText]"
            >
              Before {before}
            </text>
          </>
        )}
        {/* A drawing of its own, whose place is a share of the width and whose size is not. */}
        <svg aria-hidden x={at(after)} y={AXIS} className="overflow-visible">
          {before === null || before === after ? (
            <circle r="6" className="fill-accent forced-colors:fill-[CanvasText]" />
          ) : (
            <path
              d={after > before ? 'M-11 -8 L3 0 L-11 8 Z' : 'M11 -8 L-3 0 L11 8 Z'}
              className="fill-accent forced-colors:fill-[CanvasText]"
            />
          )}
        </svg>
        <text
          x={at(after)}
          y="66"
          textAnchor={anchor(after)}
          className="fill-ink text-sm font-bold forced-colors:fill-[CanvasText]"
        >
          After {after}
        </text>
      </svg>
      <p className="flex justify-between gap-3 text-sm text-ink-3">
        <span>{withUnit(low, unit)}</span>
        <span className="text-center">
          {directionText(measure.direction)}
          {band && '. Dashed: measurement error'}
        </span>
        <span>{withUnit(high, unit)}</span>
      </p>
    </div>
  );
}
