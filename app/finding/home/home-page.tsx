import { useQuery } from '@tanstack/react-query';
import { Form, Link } from 'react-router';
import { HEADLINE } from '#app/frame/layout/headline.ts';
import { feedLink, socialMeta } from '#app/frame/layout/social-meta.ts';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/page/page-data.tsx';
import { reportContext } from '#app/frame/page/request-id.ts';
import { CardSaves, SavableCard } from '#app/people/collections/card-saves.tsx';
import { useMember, useReaderId } from '#app/session.ts';
import { siteName, siteSettings } from '#app/site.ts';
import { SolutionCard } from '#app/solution/cards/solution-card.tsx';
import { featuredQuery } from '#app/solution/solutions/data.ts';
import { browserClient, serverClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { SearchInput } from '#app/ui/controls/search-input.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import type { Route } from './+types/home-page.ts';
import { AmputationLevelLinks } from './amputation-level-links.tsx';
import { memberHomeQuery, siteCountsQuery } from './data.ts';
import { HeroPictures } from './hero-pictures.tsx';
import { MemberHome } from './member-home.tsx';
import { sampleSolutions } from './samples.ts';

const summary =
  'Prosthetists, rehabilitation doctors and therapists share prosthetic solutions with photos and videos. Every submission is reviewed by moderators before it becomes public.';

export async function loader({ context, request }: Route.LoaderArgs) {
  const cache = context.get(cacheContext);
  const client = serverClient(context);
  // The page stands without either: samples take the place of unreadable data.
  await Promise.all(
    [
      cache.fetchQuery({ ...featuredQuery(client), retry: false }),
      cache.fetchQuery({ ...siteCountsQuery(client), retry: false }),
    ].map((read) => read.catch((error: unknown) => context.get(reportContext).report(error, 'home page'))),
  );
  return { state: pageData(cache), origin: new URL(request.url).origin };
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  // The headline, as it goes on behind a name.
  { title: `${siteName()}: advancing prosthetics through collaborative innovation` },
  { name: 'description', content: summary },
  feedLink('New solutions', '/browse.atom'),
  ...(loaderData
    ? socialMeta({ origin: loaderData.origin, path: '/', title: siteName(), text: HEADLINE, type: 'website' })
    : []),
];

export default function HomePage({ loaderData }: Route.ComponentProps) {
  return (
    <PageDataBoundary data={loaderData.state}>
      <Home />
    </PageDataBoundary>
  );
}

function Home() {
  const member = useMember();
  const readerId = useReaderId();
  // The page stands without either, but a member may see more than the server did; the counts are the same for everyone.
  const featured = useQuery({ ...featuredQuery(browserClient), enabled: member !== undefined });
  const counts = useQuery({ ...siteCountsQuery(browserClient), enabled: false });
  const home = useQuery({
    ...memberHomeQuery(browserClient, readerId ?? ''),
    enabled: readerId !== undefined,
  });
  const mine = member ? home.data : undefined;
  const ranked = [...(featured.data?.items ?? [])].sort((a, b) => weight(b) - weight(a));
  const topSolutions = ranked.slice(0, 3);
  const closed = (featured.data?.total ?? 0) - (counts.data?.solutions ?? Number.POSITIVE_INFINITY);
  return (
    <div className="page">
      <section className="grid grid-cols-1 gap-x-12 gap-y-8 pt-8 visitor:md:pt-14 visitor:lg:grid-cols-[640fr_592fr] visitor:lg:pt-16 member:pt-4 member:md:pt-6">
        <div className="min-w-0 self-center member:flex member:flex-wrap member:items-baseline member:gap-x-3">
          <h1 className="max-w-[15em] text-4xl font-bold md:text-5xl member:order-1 member:mt-2 member:max-w-none member:text-sm member:font-normal member:tracking-normal member:text-wrap member:text-ink-2">
            {HEADLINE}
          </h1>
          <p className="mt-4 max-w-[34em] text-prose text-ink-2 md:mt-5 member:hidden">{summary}</p>
          {siteSettings().welcome_text && (
            <p
              dir="auto"
              className="mt-3 max-w-[34em] whitespace-pre-line wrap-anywhere member:order-2 member:mt-1 member:basis-full"
            >
              {siteSettings().welcome_text}
            </p>
          )}
          <div className="member:flex member:grow member:basis-full member:flex-wrap member:gap-2">
            <Form
              action="/browse"
              role="search"
              aria-label="Solutions"
              className="mt-6 flex flex-col gap-2 sm:flex-row md:mt-8 member:mt-0 member:grow member:basis-80"
            >
              <SearchInput
                name="q"
                aria-label="Search solutions"
                placeholder="Search solutions..."
                className="flex-1 bg-surface visitor:min-h-[52px] member:min-h-11"
              />
              <Button type="submit" variant="primary" className="px-5 visitor:min-h-[52px]">
                Explore Solutions
              </Button>
            </Form>
            <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 member:mt-0 member:gap-x-2">
              <Link
                to={member ? '/forum' : '/auth?tab=sign-up'}
                className={buttonClass('default', 'normal', 'member:max-md:px-2')}
              >
                Join Community
              </Link>
              <Link
                to="/upload"
                className={buttonClass('quiet', 'normal', 'px-3 visitor:max-sm:-ms-3 member:max-md:px-2')}
              >
                Share Your Solution
                <span className="icon icon-arrow-right size-4 member:max-md:hidden" />
              </Link>
            </div>
          </div>
          <p className="mt-4 text-ink-2 member:order-1 member:mt-0 member:text-sm">
            <Link to="/evidence" className="reach link">
              Reported outcomes
            </Link>
            <span className="member:hidden">: what members measured, before and after</span>
          </p>
        </div>
        <div className="member:hidden">
          <Region>
            <HeroPictures solutions={ranked.slice(3)} />
          </Region>
        </div>
      </section>

      <div className="visitor:hidden">
        <Region>
          <MemberHome home={mine} isError={home.isError} onRetry={() => void home.refetch()} />
        </Region>
      </div>

      {/* What stands below moves when what waits for a member has come, and is not seen before. */}
      <div className={mine || home.isError ? undefined : 'member:invisible'}>
        <div className="mt-8 md:mt-16">
          <Region>
            <AmputationLevelLinks counts={featured.data?.facets.amputation_level} />
            {member && closed > 0 && (
              <p className="mt-2 text-sm text-ink-3">
                {closed === 1
                  ? 'The counts include 1 solution that visitors can’t see.'
                  : `The counts include ${closed.toLocaleString('en-GB')} solutions that visitors can’t see.`}
              </p>
            )}
          </Region>
        </div>

        <section aria-labelledby="featured" className="mt-12 md:mt-18">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <h2 id="featured" className="text-xl">
              Featured Solutions
            </h2>
            <Link to="/browse" className="link reach inline-flex items-center gap-2">
              View All Solutions
              <span className="icon icon-arrow-right size-4" />
            </Link>
          </div>
          <div className="mt-5 md:mt-8 card-trio">
            <Region>
              {() =>
                topSolutions.length > 0 ? (
                  <CardSaves solutions={topSolutions}>
                    {topSolutions.map((solution) => (
                      <SavableCard key={solution.id} solution={solution} />
                    ))}
                  </CardSaves>
                ) : (
                  sampleSolutions.map((solution) => (
                    <SolutionCard
                      key={solution.id}
                      solution={solution}
                      to="/browse"
                      action={<Badge>Example</Badge>}
                    />
                  ))
                )
              }
            </Region>
          </div>
        </section>

        <Region className="my-12">
          {() =>
            counts.data && (
              <section aria-label="The community in numbers" className="my-12 border-t pt-7 md:my-18">
                <dl className="grid gap-x-7 gap-y-3 md:grid-cols-3">
                  <Figure label="Professionals" value={counts.data.members} />
                  <Figure label="Approved solutions" value={counts.data.solutions} />
                  <Figure label="Success Stories in the forum" value={counts.data.success_stories} />
                </dl>
              </section>
            )
          }
        </Region>
      </div>
    </div>
  );
}

const weight = (solution: { likes_count: number; comments_count: number }) =>
  solution.likes_count + 2 * solution.comments_count;

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div className="flex flex-row-reverse items-baseline justify-end gap-3 md:flex-col-reverse md:gap-1">
      <dt className="text-ink-2">{label}</dt>
      <dd className="text-2xl font-bold md:text-3xl">{value.toLocaleString('en-GB')}</dd>
    </div>
  );
}
