import { useQuery } from '@tanstack/react-query';
import { data, Link, useLocation } from 'react-router';
import { socialMeta } from '#app/frame/layout/social-meta.ts';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/page/page-data.tsx';
import { reportContext } from '#app/frame/page/request-id.ts';
import { sumsQuery } from '#app/sharing/still-in-use/data.ts';
import { UseSums } from '#app/sharing/still-in-use/use-sums.tsx';
import { pageTitle } from '#app/site.ts';
import { scaleText } from '#app/solution/outcomes/measure.ts';
import { measures } from '#app/solution/outcomes/measures.ts';
import { browserClient, serverClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { PhoneFold } from '#app/ui/states/phone-fold.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { PageHeader } from '#app/ui/surfaces/page-header.tsx';
import type { Route } from './+types/evidence-page.ts';
import { evidenceQuery, evidenceUrl, LICENCE, MAX_DOWNLOADED, readEvidenceFilters } from './data.ts';
import { datasetOf } from './dataset.ts';
import { FilterForm } from './evidence-filters.tsx';
import { MeasureView } from './measure-view.tsx';
import { Overview } from './overview.tsx';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { origin, searchParams } = new URL(request.url);
  const cache = context.get(cacheContext);
  try {
    const client = serverClient(context);
    const filters = readEvidenceFilters(searchParams);
    await Promise.all([
      cache.fetchQuery({ ...evidenceQuery(client, filters), retry: false }),
      filters.measure === '' && cache.prefetchQuery({ ...sumsQuery(client, null), retry: false }),
    ]);
    return { state: pageData(cache), origin };
  } catch (error) {
    context.get(reportContext).report(error, 'evidence page');
    return data({ state: undefined, origin }, { status: 503 });
  }
}

/** Without a connection the page stays, and says that the figures could not be loaded. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch(() => ({ state: undefined, origin: location.origin }));
}

const lead = 'What members measured with the solutions they share, before and after.';

export const meta = ({ location, loaderData }: Route.MetaArgs) => {
  const filters = readEvidenceFilters(new URLSearchParams(location.search));
  const name = measures.find(({ abbreviation }) => abbreviation === filters.measure)?.name;
  const subject = [name, filters.type, filters.level].filter(Boolean).join(', ');
  const title = subject ? `${subject} · Reported outcomes` : 'Reported outcomes';
  const text = name ? `${lead} ${name}: each case, with its people and follow-up.` : lead;
  return [
    { title: pageTitle(title) },
    { name: 'description', content: text },
    ...socialMeta({
      origin: loaderData?.origin ?? '',
      path: evidenceUrl(filters),
      title,
      text,
      type: 'website',
    }),
    ...(loaderData?.state
      ? [
          {
            'script:ld+json': datasetOf(loaderData.origin, filters, {
              name: title,
              description: text,
              measure: name,
            }),
          },
        ]
      : []),
  ];
};

export default function EvidencePage({ loaderData }: Route.ComponentProps) {
  const { search } = useLocation();
  const filters = readEvidenceFilters(new URLSearchParams(search));
  const measure = measures.find(({ abbreviation }) => abbreviation === filters.measure);
  return (
    <PageDataBoundary data={loaderData.state}>
      <div className="page pt-8 pb-16 md:pt-12">
        {measure && (
          <Link
            to={evidenceUrl({ ...filters, measure: '' })}
            className="link mb-3 inline-flex min-h-11 items-center gap-2 print:hidden"
          >
            <span className="icon icon-arrow-right size-4 rotate-180" />
            Reported outcomes
          </Link>
        )}
        <PageHeader
          title={measure?.name ?? 'Reported outcomes'}
          lead={measure ? `${measure.construct}. ${scaleText(measure)}` : lead}
        >
          {measure && <p className="text-ink-3">{measure.abbreviation}</p>}
        </PageHeader>
        <p className="mt-3 max-w-[66ch] text-ink-2">
          Members choose which cases to share, so good results are reported more often than poor ones. Read
          the cases. Don’t add them up.{' '}
          {!measure && (
            <a href="#limits" className="reach link">
              Why
            </a>
          )}
        </p>
        <FilterForm filters={filters} />
        <Region>
          <Figures filters={filters} />
        </Region>
        {!measure && (
          <Region>
            <StillInUse />
          </Region>
        )}
        {!measure && (
          <section
            id="limits"
            aria-label="What you can’t conclude"
            className="mt-8 scroll-mt-24 md:mt-12 md:border-t md:pt-8"
          >
            <PhoneFold summary="What you can’t conclude">
              <h2 className="text-xl max-md:sr-only print:not-sr-only">What you can’t conclude</h2>
              <Limits />
            </PhoneFold>
          </section>
        )}
      </div>
    </PageDataBoundary>
  );
}

function Figures({ filters }: { filters: ReturnType<typeof readEvidenceFilters> }) {
  const evidence = useQuery(evidenceQuery(browserClient, filters));
  if (!evidence.data)
    return (
      <div className="mt-10">
        <NotLoaded
          loading="Loading the reported outcomes"
          failed="Failed to load the reported outcomes"
          query={evidence}
        />
      </div>
    );
  const { facts, counts, points } = evidence.data;
  return (
    <>
      {facts ? (
        <MeasureView facts={facts} counts={counts} points={points} limits={<Limits />} />
      ) : (
        <Overview counts={counts} filters={filters} />
      )}
      {(facts ? points : counts).length > 0 && <Downloads filters={filters} />}
    </>
  );
}

/** The sums of all solutions that the reader may see, whatever is chosen above: a small group would tell whose device it is. */
function StillInUse() {
  const sums = useQuery(sumsQuery(browserClient, null)).data ?? [];
  if (sums.length === 0) return null;
  return (
    <section aria-labelledby="still-in-use" className="mt-8 md:mt-12 md:border-t md:pt-8">
      <h2 id="still-in-use" className="text-xl">
        Still in use?
      </h2>
      <p className="mt-2 max-w-[66ch] text-ink-2">
        We ask everyone who reported a trial, and authors who measured outcomes, 3, 6 and 12 months later.
        These are the answers about all solutions that you can see. They count reports, and don’t compare
        devices.{' '}
        <Link to="/browse?filter=Asked+again" className="link">
          Browse solutions that were asked again
        </Link>
      </p>
      <UseSums sums={sums} />
    </section>
  );
}

const Downloads = ({ filters }: { filters: ReturnType<typeof readEvidenceFilters> }) => (
  <>
    <p className="mt-8 flex flex-wrap gap-3 print:hidden">
      <a href={evidenceUrl(filters, '/evidence/outcomes.csv')} download className={buttonClass()}>
        Download CSV
      </a>
      <a href={evidenceUrl(filters, '/evidence/outcomes.json')} download className={buttonClass()}>
        Download JSON
      </a>
    </p>
    <p className="mt-3 max-w-[66ch] text-sm text-ink-3 print:hidden">
      The files contain the newest {MAX_DOWNLOADED.toLocaleString('en-GB')} outcomes that match your filters,
      from cases that everyone can see. They include a citation and the date, and their licence is {LICENCE}.
    </p>
  </>
);

const limits = [
  'Members choose what they share. Good results are shared more often than poor ones.',
  'A case has no control group. Time, training, healing and other care change scores too.',
  'People, devices and follow-up differ between cases. Averages and comparisons of devices would mislead.',
  'Measurement error applies to one person’s score, in people like those it was measured in. It may differ for others.',
  'A change beyond measurement error is unlikely to be error alone. It may still be too small to matter to the person.',
  'A result from one person (n = 1) tells you only about that person.',
  'Not every case is here. Cases of fewer than 10 people without a statement of written consent are shown without their author, once a measure has 10 of them.',
];

const Limits = () => (
  <ul className="mt-3 max-w-[66ch] list-disc space-y-2 ps-5">
    {limits.map((limit) => (
      <li key={limit}>{limit}</li>
    ))}
  </ul>
);
