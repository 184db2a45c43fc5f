import { CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import { reportContext } from '#app/frame/page/request-id.ts';
import { siteName } from '#app/site.ts';
import { textMeta } from '#app/site-pages/static-pages/prose.tsx';
import { serverClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { FiguresTable } from '#app/ui/surfaces/panel.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { version } from '../../../package.json';
import type { Route } from './+types/status-page.ts';
import { formatMinutes, percentage, readUptime, type Uptime } from './data.ts';
import { UptimeBars } from './uptime-bars.tsx';

/** An older record is late: one is made each minute. */
const LATE_MINUTES = 3;

/** The number on the page is that of the last 90 days. */
const SHOWN_HOURS = 2160;

/** The page answers also when the database does not, and says so. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const uptime = await readUptime(serverClient(context)).catch((error: unknown) => {
    context.get(reportContext).report(error, 'status page');
    return undefined;
  });
  return { uptime, now: Date.now(), origin: new URL(request.url).origin };
}

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/status',
    'Status',
    `Whether ${siteName()} works now, and its uptime in the last 90 days.`,
  );

export default function StatusPage({ loaderData: { uptime, now } }: Route.ComponentProps) {
  return (
    <div className="page pt-6 pb-16 lg:pt-12 lg:pb-24">
      <h1 className="text-2xl md:text-3xl">Status</h1>
      <Now uptime={uptime} now={now} />
      {uptime && uptime.spans.length > 0 && <Figures uptime={uptime} />}
      <section aria-labelledby="measure" className="mt-12 max-w-[66ch]">
        <h2 id="measure" className="text-xl">
          How we measure
        </h2>
        <div className="mt-3 flex flex-col gap-4 text-prose text-ink-2">
          <p>
            Every minute we check that the database, file storage and home page work. A minute without a
            successful check counts as down, including faults, updates and planned maintenance.
          </p>
          <p>
            These checks run on our own servers. They don’t notice problems with the network between you and
            us, or interruptions shorter than a minute. Days are in UTC.
          </p>
          {uptime?.began && (
            <p>Measuring began on {formatDay(uptime.began)}. We have no data from before then.</p>
          )}
          <p>{`The site runs version ${version} of its software.`}</p>
        </div>
      </section>
    </div>
  );
}

function Now({ uptime, now }: { uptime: Uptime | undefined; now: number }) {
  const late = uptime?.latest ? Math.floor((now - Date.parse(uptime.latest)) / 60_000) : undefined;
  if (!uptime)
    return (
      <Banner tone="red" icon={TriangleAlert} title="Part of the site isn’t working." className="mt-6">
        The database isn’t responding. Some pages may be missing, and nothing can be saved.
      </Banner>
    );
  if (late === undefined)
    return (
      <Banner tone="accent" icon={CircleHelp} title="The site is responding." className="mt-6">
        Measuring hasn’t started yet.
      </Banner>
    );
  if (late > LATE_MINUTES)
    return (
      <Banner tone="amber" icon={TriangleAlert} title="Some parts of the site may not work." className="mt-6">
        The last successful check was {formatMinutes(late)} ago.
      </Banner>
    );
  return (
    <Banner tone="ok" icon={CircleCheck} title="All systems operational." className="mt-6">
      Checked within the last {late + 1 === 1 ? 'minute' : `${late + 1} minutes`}.
    </Banner>
  );
}

/** One number and one bar: the uptime of the last 90 days, and of each of them. */
function Figures({ uptime: { spans, days } }: { uptime: Uptime }) {
  const span = spans.find(({ hours }) => hours === SHOWN_HOURS);
  const measured = days.filter((day) => day.measured > 0);
  if (!span) return null;
  const down = span.measured - span.up;
  return (
    <section aria-labelledby="uptime" className="mt-6 rounded-md border bg-surface px-5 py-6 md:px-8 md:py-7">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div>
          <h2 id="uptime" className="text-base font-normal text-ink-2">
            Uptime in the last 90 days
          </h2>
          <p className="mt-1 font-bold text-4xl leading-none tabular-nums md:text-5xl">
            {percentage(span) ?? '–'}
          </p>
        </div>
        <p className="text-ink-2">
          {down === 0 ? 'No downtime' : `${formatMinutes(down)} of downtime`}
          {span.measured < span.hours * 60 && ` (${readable(span.measured)} measured)`}
        </p>
      </div>
      <UptimeBars days={days} />
      <div className="max-w-[640px]">
        <FiguresTable
          caption="Days as a table"
          head={['Day', 'Uptime', 'Downtime']}
          rows={measured
            .toReversed()
            .map((day) => [formatDay(day.day), percentage(day) ?? '–', formatMinutes(day.measured - day.up)])}
        />
      </div>
    </section>
  );
}

/** A rough duration, for a time that grows while it is read. */
function readable(minutes: number): string {
  if (minutes < 120) return minutes === 1 ? 'one minute' : `${minutes} minutes`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / 1440)} days`;
}
