import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { socialMeta } from '#app/frame/layout/social-meta.ts';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/page/page-data.tsx';
import { reportContext } from '#app/frame/page/request-id.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient, serverClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyDialog, Region } from '#app/ui/states/region.tsx';
import { Drawing, PageHeader } from '#app/ui/surfaces/page-header.tsx';
import type { Route } from './+types/resources-page.ts';
import { type CategoryName, categories, readCategory, resourcesUrl } from './categories.ts';
import { approvedQuery, waitingQuery } from './data.ts';
import { builtInLinks } from './links.ts';
import { type Resource, ResourceList } from './resource-list.tsx';
import shelf from './shelf.svg';

const SuggestDialog = lazyDialog(() => import('./suggest-dialog.tsx'), 'SuggestDialog');

export async function loader({ context, request }: Route.LoaderArgs) {
  const cache = context.get(cacheContext);
  // The built-in links stand without it.
  await cache
    .fetchQuery({ ...approvedQuery(serverClient(context)), retry: false })
    .catch((error: unknown) => context.get(reportContext).report(error, 'resources page'));
  return { state: pageData(cache), origin: new URL(request.url).origin };
}

/** Without a connection the page stays. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch(() => ({ state: undefined, origin: location.origin }));
}

const text =
  'Organisations, teaching, journals, tools, standards and help for patients, chosen for prosthetics professionals and suggested by members.';

export const meta = ({ loaderData, location }: Route.MetaArgs) => {
  const category = readCategory(new URLSearchParams(location.search));
  const title = pageTitle(category ? `${knownText(category)} · Resources` : 'Resources');
  return [
    { title },
    { name: 'description', content: text },
    ...socialMeta({
      origin: loaderData?.origin ?? '',
      path: resourcesUrl(category),
      title,
      text,
      type: 'website',
    }),
  ];
};

export default function ResourcesPage({ loaderData }: Route.ComponentProps) {
  return (
    <PageDataBoundary data={loaderData.state}>
      <Resources />
    </PageDataBoundary>
  );
}

function Resources() {
  const { search } = useLocation();
  const signInFirst = useRequireSignIn();
  const category = readCategory(new URLSearchParams(search));
  const member = useMember();
  const [suggesting, setSuggesting] = useState(false);
  const approved = useQuery(approvedQuery(browserClient));
  const waiting = useQuery({
    ...waitingQuery(browserClient, member?.id ?? ''),
    enabled: member != null,
  }).data;
  const visibleCategories = categories.filter(({ name }) => category === null || name === category);

  const resourcesOf = (name: CategoryName): Resource[] => {
    const suggested = (approved.data ?? [])
      .filter((suggestion) => suggestion.category === name)
      .map(({ resource_name, resource_url, description, language }) => ({
        name: resource_name,
        language,
        url: resource_url,
        text: description,
        suggested: true,
      }));
    // The first of two links with the same address stays.
    return [
      ...new Map([...builtInLinks[name], ...suggested].toReversed().map((one) => [one.url, one])).values(),
    ].toReversed();
  };

  const suggest = () => {
    if (member) return setSuggesting(true);
    signInFirst('Please sign in to suggest a resource');
  };

  return (
    <div className="page pt-6 pb-16 lg:pt-12">
      <PageHeader
        title="Resources"
        lead="Trusted websites for prosthetics professionals. We don’t control external sites and aren’t responsible for their content."
        action={
          <Button variant="primary" onClick={suggest}>
            <Plus className="size-5" strokeWidth={1.75} aria-hidden />
            Suggest a resource
          </Button>
        }
        picture={<Drawing src={shelf} />}
      />
      <nav
        aria-label="Categories"
        className="-mx-4 mt-6 overflow-x-auto px-4 py-1 md:mx-0 md:px-0 print:hidden"
      >
        <ul className="flex gap-2 md:flex-wrap">
          {[null, ...categories.map(({ name }) => name)].map((name) => (
            <li key={name}>
              <Link
                to={resourcesUrl(name)}
                preventScrollReset
                aria-current={name === category ? 'true' : undefined}
                className="inline-flex min-h-11 items-center rounded-md border border-line-2 bg-surface px-4 whitespace-nowrap transition-colors hover:bg-chip aria-current:border-accent aria-current:bg-accent-soft aria-current:font-medium aria-current:text-accent-ink lg:min-h-10"
              >
                {name ? knownText(name) : 'All'}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {approved.isError && (
        <LoadFailed
          title="Members’ suggestions could not be loaded."
          onRetry={() => void approved.refetch()}
          className="mt-6"
        />
      )}
      {member && waiting && waiting.length > 0 && (
        <section aria-labelledby="waiting" className="mt-6 border-s-4 border-line-2 ps-4">
          <h2 id="waiting" className="text-base font-bold">
            Your suggestions waiting for review
          </h2>
          <ul className="text-ink-2">
            {waiting.map(({ id, resource_name }) => (
              <li key={id} dir="auto" className="wrap-anywhere">
                {resource_name}
              </li>
            ))}
          </ul>
          <p className="mt-2">
            <Link to="/reports" className="link">
              My reports and suggestions
            </Link>
          </p>
        </section>
      )}
      <div className="mt-8 flex flex-col gap-12">
        {visibleCategories.map(({ name }) => (
          <Region key={name}>
            {() => <ResourceList title={knownText(name)} resources={resourcesOf(name)} />}
          </Region>
        ))}
      </div>
      {suggesting && member && (
        <SuggestDialog memberId={member.id} category={category} onClose={() => setSuggesting(false)} />
      )}
    </div>
  );
}
