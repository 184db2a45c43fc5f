import { classes } from '#app/ui/texts/classes.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { formatMinutes, percentage, type Uptime } from './data.ts';

const HEIGHT = 64;
/** Visible also where a minute of a day would be thinner than a line. */
const MIN_GAP = 10;
/** On phones only the newest have room. */
const PHONE_DAYS = 30;

/**
 * A bar for each day: whole without downtime, else with a gap of the other colour on top in proportion to it.
 */
export function UptimeBars({ days }: { days: Uptime['days'] }) {
  const measuredDays = days.filter(({ measured }) => measured > 0);
  const gaps = measuredDays.filter(({ up, measured }) => up < measured).length;
  return (
    <figure className="mt-6">
      <svg
        role="img"
        aria-label={`Uptime on each of the last ${days.length} days: ${measuredDays.length} measured, ${gaps} of them with downtime`}
        viewBox={`0 0 ${days.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        height={HEIGHT}
        className="w-full max-md:hidden"
      >
        <Bars days={days} />
      </svg>
      <svg
        role="img"
        aria-label={`Uptime on each of the last ${PHONE_DAYS} days`}
        viewBox={`0 0 ${PHONE_DAYS * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        height={HEIGHT}
        className="w-full md:hidden"
      >
        <Bars days={days.slice(-PHONE_DAYS)} />
      </svg>
      <figcaption className="mt-2 flex flex-wrap justify-between gap-x-5 gap-y-1 text-sm text-ink-2">
        <span className="text-ink-3 max-md:hidden">{days.length} days ago</span>
        <span className="text-ink-3 md:hidden">{PHONE_DAYS} days ago</span>
        <span className="order-last flex flex-wrap gap-x-5 gap-y-1 max-md:w-full md:order-none">
          <Key className="bg-chart-2">Up</Key>
          <Key className="bg-chart-3">Down</Key>
          <Key className="bg-chart-4">Not measured</Key>
        </span>
        <span className="text-ink-3">Today</span>
      </figcaption>
    </figure>
  );
}

function Bars({ days }: { days: Uptime['days'] }) {
  return days.map(({ day, up, measured }, index) => {
    const share = measured === 0 ? 0 : (measured - up) / measured;
    const gap = share === 0 ? 0 : Math.max(MIN_GAP, share * HEIGHT);
    const height = measured === 0 ? 6 : HEIGHT - gap;
    const x = index * 10 + 1.5;
    return (
      <g key={day}>
        <title>
          {measured === 0
            ? `${formatDay(day)}: not measured`
            : `${formatDay(day)}: ${percentage({ up, measured })}, ${formatMinutes(measured - up)} of downtime`}
        </title>
        <rect
          x={x}
          y={HEIGHT - height}
          width="7"
          height={height}
          className={measured === 0 ? 'fill-chart-4' : 'fill-chart-2'}
        />
        {gap > 0 && <rect x={x} y="0" width="7" height={Math.max(0, gap - 2)} className="fill-chart-3" />}
      </g>
    );
  });
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-2">
      <span className={classes('size-3 rounded-[2.5px]', className)} aria-hidden />
      {children}
    </span>
  );
}
