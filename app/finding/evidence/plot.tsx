import { withUnit } from '#app/solution/outcomes/measure.ts';
import { classes } from '#app/ui/texts/classes.ts';
import type { EvidencePoint, MeasureFacts } from './data.ts';

const [LEFT, TOP, SIZE] = [46, 8, 250];

interface PlotProps {
  points: EvidencePoint[];
  facts: MeasureFacts;
  low: number;
  high: number;
  /** The point of the row that the reader is at. */
  active: EvidencePoint | undefined;
  onActive: (point: EvidencePoint | undefined) => void;
}

/**
 * Each outcome as a point, its score before to the right and after upwards, so that no change lies on the diagonal. The
 * list beside it has the same with links, so that the drawing is hidden from screen readers and has none: its points overlap.
 */
export function Plot({ points, facts, low, high, active, onActive }: PlotProps) {
  const { unit, error_size: error, direction } = facts;
  const share = (score: number) => (Math.min(Math.max(score, low), high) - low) / (high - low);
  const x = (score: number) => LEFT + share(score) * SIZE;
  const y = (score: number) => TOP + SIZE - share(score) * SIZE;
  const at = (before: number, after: number) => `${x(before)},${y(after)}`;
  const isHigher = direction === 'higher';
  return (
    <svg
      aria-hidden
      viewBox="0 0 310 312"
      className="w-full max-w-[400px] overflow-visible text-sm [&_text]:fill-ink-3 [&_text]:forced-colors:fill-[CanvasText]"
    >
      <rect
        x={LEFT}
        y={TOP}
        width={SIZE}
        height={SIZE}
        className="fill-surface stroke-line forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]"
      />
      {error !== null && (
        <polygon
          points={[
            at(low, low),
            at(low, low + error),
            at(high - error, high),
            at(high, high),
            at(high, high - error),
            at(low + error, low),
          ].join(' ')}
          className="fill-accent-soft forced-colors:fill-none forced-colors:stroke-[GrayText] print:fill-none print:stroke-line-2"
        />
      )}
      <line
        x1={x(low)}
        y1={y(low)}
        x2={x(high)}
        y2={y(high)}
        className="stroke-line-2 [stroke-dasharray:4_4] forced-colors:stroke-[CanvasText]"
      />
      {direction !== 'none' && (
        <text
          x={isHigher ? LEFT + 8 : LEFT + SIZE - 8}
          y={isHigher ? TOP + 18 : TOP + SIZE - 10}
          textAnchor={isHigher ? 'start' : 'end'}
        >
          Better
        </text>
      )}
      {[low, high].map((end) => (
        <g key={end}>
          <text x={LEFT - 6} y={y(end) + (end === low ? 0 : 10)} textAnchor="end">
            {end}
          </text>
          <text x={x(end)} y={TOP + SIZE + 18} textAnchor={end === low ? 'start' : 'end'}>
            {withUnit(end, unit)}
          </text>
        </g>
      ))}
      <text x={LEFT + SIZE / 2} y={TOP + SIZE + 38} textAnchor="middle">
        Before
      </text>
      <text transform={`translate(${LEFT - 30} ${TOP + SIZE / 2}) rotate(-90)`} textAnchor="middle">
        After
      </text>
      {[...points.filter((point) => point !== active), ...points.filter((point) => point === active)].map(
        (point, index) => (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a case may have two outcomes alike
            key={index}
            onPointerEnter={() => onActive(point)}
            onPointerLeave={() => onActive(undefined)}
            cx={x(point.before ?? low)}
            cy={y(point.after)}
            // Larger for more people, and hollow for one.
            r={5 + Math.min(5, Math.log2(point.people)) + (point === active ? 2 : 0)}
            strokeWidth="2"
            className={classes(
              'stroke-accent forced-colors:stroke-[CanvasText]',
              point === active
                ? 'fill-warm forced-colors:fill-[Highlight]'
                : point.people === 1
                  ? 'fill-surface forced-colors:fill-[Canvas]'
                  : 'fill-accent/60 forced-colors:fill-[CanvasText]',
            )}
          />
        ),
      )}
    </svg>
  );
}
