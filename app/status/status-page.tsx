import { CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import { reportContext } from '#app/context/request-id.ts';
import { SITE_NAME } from '#app/site.ts';
import { textMeta } from '#app/static-pages/prose.tsx';
import { serverClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/banner.tsx';
import { formatDay } from '#app/ui/dates.ts';
import { FiguresTable } from '#app/ui/panel.tsx';
import type { Route } from './+types/status-page.ts';
import { formatMinutes, percentage, readUptime, type Uptime } from './data.ts';
import { UptimeBars } from './uptime-bars.tsx';

/** An older record is late: one is made each minute. */
const LATE_MINUTES = 3;

const names: Record<number, string> = { 24: '24 hours', 168: '7 days', 720: '30 days', 2160: '90 days' };

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
    `Whether ${SITE_NAME} works now, and how much of the last 90 days it did.`,
  );

export default function StatusPage({ loaderData: { uptime, now } }: Route.ComponentProps) {
  return (
    <div className="page pt-6 pb-16 lg:pt-12 lg:pb-24">
      <h1 className="text-2xl md:text-3xl">Status</h1>
      <Now uptime={uptime} now={now} />
      {uptime && uptime.spans.length > 0 && <Figures uptime={uptime} />}
      <section aria-labelledby="measure" className="mt-12 max-w-[66ch]">
        <h2 id="measure" className="text-xl">
          What is measured
        </h2>
        <div className="mt-3 flex flex-col gap-4 text-prose text-ink-2">
          <p>
            Each minute the site checks itself: that its database answers and takes a record, that files can
            be stored, and that the home page can be made. A minute without such a record counts as down,
            whatever the reason: a fault, an update or announced maintenance.
          </p>
          <p>
            This is seen from inside. If the site works but cannot be reached, because of the network between
            it and you, the figures do not show it; nor do they show interruptions shorter than a minute. Days
            are those of universal time (UTC).
          </p>
          {uptime?.began && (
            <p>Measuring began on {formatDay(uptime.began)}; nothing is claimed about the time before.</p>
          )}
        </div>
      </section>
    </div>
  );
}

function Now({ uptime, now }: { uptime: Uptime | undefined; now: number }) {
  const late = uptime?.latest ? Math.floor((now - Date.parse(uptime.latest)) / 60_000) : undefined;
  if (!uptime)
    return (
      <Banner tone="red" icon={TriangleAlert} title="Part of the site does not work." className="mt-6">
        Its database does not answer right now. Pages may be missing, and nothing can be saved.
      </Banner>
    );
  if (late === undefined)
    return (
      <Banner tone="accent" icon={CircleHelp} title="The site answers." className="mt-6">
        Its record has not begun yet.
      </Banner>
    );
  if (late > LATE_MINUTES)
    return (
      <Banner
        tone="amber"
        icon={TriangleAlert}
        title="The site answers, but not all of it works."
        className="mt-6"
      >
        It has not passed its own check for {formatMinutes(late)}.
      </Banner>
    );
  return (
    <Banner tone="ok" icon={CircleCheck} title="Everything works." className="mt-6">
      Checked within the last {late + 1 === 1 ? 'minute' : `${late + 1} minutes`}.
    </Banner>
  );
}

function Figures({ uptime: { spans, days } }: { uptime: Uptime }) {
  const measured = days.filter((day) => day.measured > 0);
  return (
    <>
      <section aria-labelledby="uptime" className="mt-10">
        <h2 id="uptime" className="text-xl">
          Uptime
        </h2>
        <dl className="mt-4 grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-5">
          {spans.map((span) => (
            <div key={span.hours} className="rounded-md border bg-surface px-5 py-4">
              <dt className="text-sm text-ink-2">Last {names[span.hours]}</dt>
              <dd className="mt-1 font-title text-2xl tabular-nums">{percentage(span) ?? '–'}</dd>
              <dd className="mt-1 text-sm text-ink-3">
                Down: {formatMinutes(span.measured - span.up)}
                {span.measured < span.hours * 60 && `, in ${readable(span.measured)}`}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="days" className="mt-10">
        <h2 id="days" className="text-xl">
          Day by day
        </h2>
        <UptimeBars days={days} />
        <div className="max-w-[640px]">
          <FiguresTable
            caption="Days as a table"
            head={['Day', 'Uptime', 'Down']}
            rows={measured
              .toReversed()
              .map((day) => [
                formatDay(day.day),
                percentage(day) ?? '–',
                formatMinutes(day.measured - day.up),
              ])}
          />
        </div>
      </section>
    </>
  );
}

/** A rough duration, for a time that grows while it is read. */
function readable(minutes: number): string {
  if (minutes < 120) return minutes === 1 ? 'one minute' : `${minutes} minutes`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / 1440)} days`;
}
