import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Printer } from 'lucide-react';
import { data, Link } from 'react-router';
import { Missing, NotFound } from '#app/frame/layout/not-found.tsx';
import { PageError } from '#app/frame/layout/page-error.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/page/page-data.tsx';
import { usePageTitle } from '#app/frame/page/page-title.ts';
import { PrintedAddress } from '#app/frame/printing/printed-address.tsx';
import { pageTitle } from '#app/site.ts';
import { FabricationView } from '#app/solution/fabrication/fabrication-view.tsx';
import { SafetyNotices } from '#app/solution/safety-notices/safety-notices.tsx';
import { solutionQuery } from '#app/solution/solutions/data.ts';
import { SolutionSkeleton } from '#app/solution/solutions/solution-skeleton.tsx';
import { warnedTitle } from '#app/solution/warnings/safety-notice-kinds.ts';
import { browserClient, serverClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import type { Route } from './+types/workshop-sheet-page.ts';

const failed = 'Failed to load solution';
const sheetTitle = (title: string) => `Workshop sheet: ${title}`;

export async function loader({ params, context }: Route.LoaderArgs) {
  const cache = context.get(cacheContext);
  const solution = await cache.fetchQuery({
    ...solutionQuery(serverClient(context), params.id),
    retry: false,
  });
  const title = solution?.fabrication ? solution.title : null;
  return data({ state: pageData(cache), title }, { status: title ? 200 : 404 });
}

export const meta = ({ loaderData, error }: Route.MetaArgs) => [
  {
    title: pageTitle(error ? failed : loaderData?.title ? sheetTitle(loaderData.title) : 'Workshop sheet'),
  },
  { name: 'robots', content: 'noindex' },
];

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageError error={error} title={failed} />;
}

export default function WorkshopSheetPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <PageDataBoundary data={loaderData.state}>
      <WorkshopSheet id={params.id} />
    </PageDataBoundary>
  );
}

/** Parts and steps of a published solution with boxes to tick, for the bench. */
function WorkshopSheet({ id }: { id: string }) {
  const { data: solution, isFetching } = useQuery(solutionQuery(browserClient, id));
  usePageTitle(
    solution?.fabrication ? warnedTitle(solution.safety_kind, sheetTitle(solution.title)) : undefined,
  );
  if (!solution?.fabrication)
    return (
      <Missing isAsking={isFetching} waiting={<SolutionSkeleton />}>
        <NotFound />
      </Missing>
    );
  const { title, language, author, user_id, version, versions, fabrication, media } = solution;
  const published = versions.find((one) => one.version === version)?.published_at;
  return (
    <div className="page py-8 md:py-10">
      <div className="page-column">
        <PrintedAddress path={`/solutions/${id}`} />
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3 print:hidden">
          <Link to={`/solutions/${id}`} className="link inline-flex items-center gap-2">
            <ArrowLeft className="size-4" strokeWidth={2} aria-hidden />
            Solution
          </Link>
          <Button onClick={() => window.print()}>
            <Printer className="size-5" strokeWidth={1.75} aria-hidden />
            Print
          </Button>
        </div>
        <p className="text-sm text-ink-3">Workshop sheet</p>
        <h1 {...textLanguage(language)} className="text-left text-2xl wrap-anywhere md:text-3xl">
          {title}
        </h1>
        <p className="mt-1 mb-6 text-ink-2">
          <bdi>{authorName(user_id, author, 'Anonymous')}</bdi>
          {published && `, version ${version}, ${formatDay(published)}`}
        </p>
        <SafetyNotices solution={solution} />
        <h2 className="sr-only">How to build it</h2>
        <FabricationView language={language} fabrication={fabrication} media={media} hasBoxes />
      </div>
    </div>
  );
}
