import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Form, Link, useNavigate, useNavigation } from 'react-router';
import { CardSaves, SavableCard } from '#app/people/collections/card-saves.tsx';
import { searchSubject } from '#app/people/follows/data.ts';
import { FollowButton } from '#app/people/follows/follow-button.tsx';
import { useViewer } from '#app/session.ts';
import { highlightPattern } from '#app/solution/cards/highlight.tsx';
import { SolutionCardSkeleton } from '#app/solution/cards/solution-card.tsx';
import { browseQuery } from '#app/solution/solutions/data.ts';
import { browseUrl, type Filters, readFilters } from '#app/solution/solutions/filters.ts';
import { facetLabel } from '#app/solution/solutions/value-lists.ts';
import { DeleteSolution } from '#app/solution/withdrawals/delete-solution.tsx';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { chipClass } from '#app/ui/controls/chip.tsx';
import { Select } from '#app/ui/controls/input.tsx';
import { SegmentedControl } from '#app/ui/controls/segmented-control.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { Count } from '#app/ui/surfaces/badge.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { FilterDrawer } from './filter-drawer.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { LoadMore } from './load-more.tsx';
import { SearchBox } from './search-box.tsx';

const formId = 'browse';

const resultCount = (total: number) => `${total.toLocaleString('en-GB')} solutions found`;

/** The browse page: search, filters and the solutions that match, as cards or as a list. */
export function SolutionList({ filters: settled }: { filters: Filters }) {
  const navigate = useNavigate();
  const pending = useNavigation().location?.pathname === '/browse';
  // A choice shows at once; its results follow, and the address with them.
  const address = browseUrl(settled);
  const [displayed, setDisplayed] = useState({ address, filters: settled });
  if (displayed.address !== address) setDisplayed({ address, filters: settled });
  const { filters } = displayed;
  const isAdmin = useViewer()?.isAdmin;
  const results = useInfiniteQuery({
    ...browseQuery(browserClient, settled),
    placeholderData: (before) => before,
  });
  const first = results.data?.pages[0];
  const cards = results.data?.pages.flatMap((page) => page.items) ?? [];
  const waiting = pending || results.isPending || results.isPlaceholderData;
  const list = filters.view === 'list';

  const failed = results.isError;
  useErrorToast(failed, 'Error', 'Failed to load solutions');

  // A search typed with pauses is one history entry, like any other choice.
  const typed = useRef(false);
  const change = (part: Partial<Filters>, typing = false) => {
    const next = { ...filters, pages: 1, ...part };
    setDisplayed({ address, filters: next });
    const replace = browseUrl(next) === browseUrl({ ...filters, pages: 1 }) || (typing && typed.current);
    typed.current = typing;
    void navigate(browseUrl(next), { replace, preventScrollReset: true });
  };
  const marked = first && highlightPattern(settled.search, first.marks);
  const cleared = browseUrl({ ...filters, values: [], match: 'all', pages: 1 });
  const clearAll = (className: string) =>
    filters.values.length > 0 && (
      <Link to={cleared} preventScrollReset className={className}>
        Clear all
      </Link>
    );

  return (
    <div className="page grid gap-x-11 pt-6 pb-16 lg:grid-cols-[284px_1fr] lg:pt-10">
      <Region>
        <FilterDrawer
          form={formId}
          submit={first ? `Show ${first.total} solution${first.total === 1 ? '' : 's'}` : 'Show solutions'}
          count={filters.values.length}
          cleared={cleared}
          // It scrolls by itself, so that a choice far down leaves the results and their number in view.
          className="lg:sticky lg:top-(--header) lg:-ms-1 lg:max-h-[calc(100dvh-var(--header))] lg:self-start lg:overflow-y-auto lg:w-[312px] lg:[scrollbar-width:thin] lg:pb-2 lg:ps-1 lg:pe-4"
        >
          <FilterPanel form={formId} filters={filters} facets={first?.facets} onChange={change} />
          <noscript>
            <button
              type="submit"
              form={formId}
              className={buttonClass('primary', 'normal', 'mt-4 w-full max-lg:hidden')}
            >
              Apply filters
            </button>
          </noscript>
        </FilterDrawer>
      </Region>

      <div className="min-w-0">
        <h1 className="text-2xl md:text-3xl">Browse Solutions</h1>
        <Form
          id={formId}
          action="/browse"
          role="search"
          aria-label="Solutions"
          className="mt-4 flex flex-wrap gap-2 *:max-md:flex-auto md:grid md:grid-cols-[1fr_auto_auto_auto] md:gap-3 lg:grid-cols-[1fr_auto_auto]"
          onSubmit={(event) => {
            event.preventDefault();
            const search = new FormData(event.currentTarget).get('q');
            change({ search: typeof search === 'string' ? search.trim() : '' });
          }}
        >
          <SearchBox search={settled.search} onSearch={(search, typing) => change({ search }, typing)} />
          <button
            type="button"
            popoverTarget="filters"
            className={buttonClass('default', 'normal', 'with-icon icon-filters max-sm:px-3 lg:hidden')}
          >
            Filters
            <Count value={filters.values.length} />
            <span className="sr-only">chosen</span>
          </button>
          <Select
            name="sort"
            aria-label="Sort"
            className="md:w-40"
            value={filters.sort}
            onChange={(event) =>
              change({ sort: readFilters(new URLSearchParams({ sort: event.target.value })).sort })
            }
          >
            <option value="newest">Newest</option>
            <option value="oldest">Oldest</option>
            <option value="popular">Popular</option>
            <option value="tried">Tried most</option>
          </Select>
          <SegmentedControl
            legend="View"
            name="view"
            value={filters.view}
            onChange={(view) => change({ view })}
            options={[
              {
                value: 'grid',
                label: <span className="max-md:sr-only">Grid</span>,
                className: 'with-icon icon-grid max-sm:px-2',
              },
              {
                value: 'list',
                label: <span className="max-md:sr-only">List</span>,
                className: 'with-icon icon-list max-sm:px-2',
              },
            ]}
          />
        </Form>

        {first?.corrected && cards.length > 0 && !waiting && (
          <p className="mt-4 text-ink-2">
            No results for “{settled.search}”. Showing results for{' '}
            <Link
              to={browseUrl({ ...settled, search: first.corrected, pages: 1 })}
              preventScrollReset
              className="link font-bold"
            >
              {first.corrected}
            </Link>
            .
          </p>
        )}
        <div className="mt-3 flex flex-wrap items-center gap-2 lg:sticky lg:top-(--header) lg:z-20 lg:mt-2 lg:min-h-13 lg:bg-bg lg:py-2">
          <p role="status" className="me-2 font-bold">
            {first && !waiting ? resultCount(first.total) : waiting || !failed ? 'Loading solutions...' : ''}
          </p>
          {filters.values.map((value) => (
            <Link
              key={value}
              to={browseUrl({
                ...filters,
                pages: 1,
                values: filters.values.filter((other) => other !== value),
              })}
              preventScrollReset
              className={chipClass('filter')}
            >
              <span className="sr-only">Remove </span>
              <span className="truncate">{facetLabel(value)}</span>
              <span className="icon icon-close size-4" />
            </Link>
          ))}
          {clearAll(buttonClass('quiet', 'bar'))}
          {(settled.search || settled.values.length > 0) && (
            <FollowButton
              subject={searchSubject(settled)}
              className={buttonClass('quiet', 'bar')}
              followed="Search saved"
            >
              Save search
            </FollowButton>
          )}
          <Link to="/evidence" className="reach ms-auto link text-sm">
            Reported outcomes
          </Link>
        </div>
        {first?.partial && !waiting && (
          <p className="mt-2 text-ink-2">
            This search is very broad, so some solutions may be missing. Try fewer or longer words.
          </p>
        )}

        <div className="mt-5 lg:mt-3" aria-busy={waiting}>
          {failed && cards.length === 0 ? (
            <LoadFailed title="Failed to load solutions" onRetry={() => void results.refetch()} />
          ) : first && cards.length === 0 ? (
            <EmptyState
              icon="icon-nothing"
              action={
                <>
                  {first.suggested && (
                    <p>
                      Did you mean{' '}
                      <Link
                        to={browseUrl({ ...settled, search: first.suggested, pages: 1 })}
                        className="link reach font-bold"
                      >
                        {first.suggested}
                      </Link>
                      ?
                    </p>
                  )}
                  <Link to={browseUrl({ view: filters.view, sort: filters.sort })} className={buttonClass()}>
                    {settled.values.length > 0 ? 'Clear all' : 'Clear search'}
                  </Link>
                </>
              }
            >
              No solutions found matching your criteria
            </EmptyState>
          ) : (
            <Region>
              {() => (
                <CardSaves solutions={cards} isAsking={results.isFetching}>
                  <ul
                    className={classes(
                      'solution-list grid gap-x-7 transition-opacity',
                      list ? 'as-rows gap-y-8' : 'gap-y-11 md:grid-cols-2 xl:grid-cols-3',
                      waiting && first && 'opacity-60',
                    )}
                  >
                    {cards.map((solution, index) => (
                      <li key={solution.id}>
                        <SavableCard
                          solution={solution}
                          eager={index === 0}
                          headingLevel={2}
                          marked={marked}
                          action={
                            isAdmin && (
                              <DeleteSolution
                                id={solution.id}
                                title={solution.title}
                                isAuthor={false}
                                isPublished
                              />
                            )
                          }
                        />
                      </li>
                    ))}
                    {(!first || results.isFetchingNextPage) &&
                      Array.from({ length: 6 }, (_, index) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins without identity
                        <li key={index}>
                          <SolutionCardSkeleton />
                        </li>
                      ))}
                  </ul>
                </CardSaves>
              )}
            </Region>
          )}
        </div>
        {first && cards.length > 0 && (
          <LoadMore filters={settled} loadedCount={cards.length} total={first.total} results={results} />
        )}
      </div>
    </div>
  );
}
