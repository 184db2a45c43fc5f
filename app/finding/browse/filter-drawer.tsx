import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { useModalPopover } from '#app/ui/states/back-closes.ts';
import { Count } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';

interface FilterDrawerProps {
  /** The id of the form that the button at the foot sends. */
  form: string;
  submit: string;
  /** The number of filters that are chosen. */
  count: number;
  /** The address without any filter. */
  cleared: string;
  /** The layout where there is room beside or above the results. */
  className: string;
  children: ReactNode;
}

/** The filters of a list: on the page where there is room, else in a drawer, which an element with `popoverTarget="filters"` opens. */
export function FilterDrawer({ form, submit, count, cleared, className, children }: FilterDrawerProps) {
  const drawer = useModalPopover<HTMLElement>();
  return (
    <section
      {...drawer}
      id="filters"
      popover="auto"
      data-sheet
      aria-label="Filters"
      className={classes(
        'inset-x-0 top-auto bottom-0 m-0 h-auto max-h-[calc(100dvh-56px)] w-full max-w-none flex-col rounded-t-lg bg-bg text-ink backdrop:bg-scrim max-lg:open:flex max-lg:open:animate-enter lg:inset-auto lg:block',
        className,
      )}
    >
      <div className="sticky top-0 z-10 flex h-16 shrink-0 items-center gap-3 border-b bg-bg px-4 lg:static lg:mb-3 lg:h-10 lg:border-0 lg:px-0">
        <h2 className="text-xl">Filters</h2>
        <Count value={count} className="lg:hidden" />
        <div className="ms-auto flex items-center">
          {count > 0 && (
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
      <div className="flex-1 overflow-y-auto px-4 py-4 lg:overflow-visible lg:p-0">{children}</div>
      <div className="border-t bg-surface p-4 lg:hidden">
        <button
          type="submit"
          form={form}
          // A browser does not let a submit button control a popover as well.
          onClick={({ currentTarget }) => currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
          className={buttonClass('primary', 'normal', 'w-full')}
        >
          {submit}
        </button>
      </div>
    </section>
  );
}
