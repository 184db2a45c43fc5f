import { Link } from 'react-router';
import type { BrowsePage } from '#app/solution/solutions/data.ts';
import type { Filters } from '#app/solution/solutions/filters.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { useModalPopover } from '#app/ui/states/back-closes.ts';
import { Count } from '#app/ui/surfaces/badge.tsx';
import { FilterPanel } from './filter-panel.tsx';

interface FilterDrawerProps {
  form: string;
  filters: Filters;
  page: BrowsePage | undefined;
  /** The address without any filter. */
  cleared: string;
  onChange: (next: Pick<Filters, 'values' | 'match'>) => void;
}

/**
 * The filters: beside the results where there is room, scrolling by themselves so that a choice far down leaves the results
 * and their number in view, else in a drawer that shows the number of results.
 */
export function FilterDrawer({ form, filters, page, cleared, onChange }: FilterDrawerProps) {
  const drawer = useModalPopover<HTMLElement>();
  return (
    <section
      {...drawer}
      id="filters"
      popover="auto"
      data-sheet
      aria-label="Filters"
      className="inset-x-0 top-14 bottom-0 m-0 h-[calc(100dvh-56px)] max-h-none w-full max-w-none flex-col rounded-t-lg bg-bg text-ink backdrop:bg-scrim max-lg:open:flex max-lg:open:animate-enter lg:sticky lg:inset-auto lg:top-16 lg:-ms-1 lg:block lg:h-auto lg:max-h-[calc(100dvh-64px)] lg:self-start lg:overflow-y-auto lg:w-[312px] lg:[scrollbar-width:thin] lg:pb-2 lg:ps-1 lg:pe-4"
    >
      <div className="sticky top-0 z-10 flex h-16 shrink-0 items-center gap-3 border-b bg-bg px-4 lg:static lg:mb-3 lg:h-10 lg:border-0 lg:px-0">
        <h2 className="text-xl">Filters</h2>
        <Count value={filters.values.length} className="lg:hidden" />
        <div className="ms-auto flex items-center">
          {filters.values.length > 0 && (
            <Link to={cleared} preventScrollReset className="link reach me-4 font-bold lg:me-0">
              Clear all
            </Link>
          )}
          <button
            type="button"
            popoverTarget="filters"
            popoverTargetAction="hide"
            className={buttonClass('quiet', 'icon', '-me-2 text-ink hover:text-accent-hover lg:hidden')}
          >
            <span className="icon icon-close" />
            <span className="sr-only">Close filters</span>
          </button>
        </div>
      </div>
      <div className="flex-1 overflow-y-auto px-4 py-4 lg:overflow-visible lg:p-0">
        <FilterPanel form={form} filters={filters} facets={page?.facets} onChange={onChange} />
      </div>
      <div className="border-t bg-surface p-4 lg:hidden">
        <button
          type="submit"
          form={form}
          // A browser does not let a submit button control a popover as well.
          onClick={({ currentTarget }) => currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
          className={buttonClass('primary', 'normal', 'w-full')}
        >
          {page ? `Show ${page.total} solution${page.total === 1 ? '' : 's'}` : 'Show solutions'}
        </button>
      </div>
      <noscript>
        <button
          type="submit"
          form={form}
          className={buttonClass('primary', 'normal', 'mt-4 w-full max-lg:hidden')}
        >
          Apply filters
        </button>
      </noscript>
    </section>
  );
}
