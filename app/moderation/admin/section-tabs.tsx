import { Tabs as Primitive } from 'radix-ui';
import { Fragment, type ReactNode } from 'react';
import { Select } from '#app/ui/controls/input.tsx';
import { Region } from '#app/ui/states/region.tsx';

export interface Section {
  value: string;
  label: string;
  count?: number | undefined;
  /** The name of the group that it is the first of. */
  startsGroup?: string;
}

interface SectionTabsProps {
  value: string;
  onChange: (value: string) => void;
  sections: readonly Section[];
  /** Stands at the end of the list, and of the page where there is no room for one. */
  last: ReactNode;
  children: ReactNode;
}

/** The sections of the dashboard as a list at its side, with what waits in each; on phones a select. */
export function SectionTabs({ value, onChange, sections, last, children }: SectionTabsProps) {
  return (
    <Primitive.Root
      orientation="vertical"
      value={value}
      onValueChange={onChange}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-6 lg:grid-cols-[208px_minmax(0,1fr)]"
    >
      <div className="group-has-data-entry/dashboard:hidden lg:hidden">
        <label htmlFor="dashboard-section" className="sr-only">
          Section
        </label>
        <Select id="dashboard-section" value={value} onChange={(event) => onChange(event.target.value)}>
          {sections.map((section) => (
            <option key={section.value} value={section.value}>
              {section.label}
              {section.count ? ` (${section.count})` : ''}
            </option>
          ))}
        </Select>
      </div>
      <div className="-ms-3 max-lg:hidden lg:sticky lg:top-(--below-header) lg:self-start">
        <Primitive.List aria-label="Sections of the dashboard" className="flex flex-col">
          {sections.map((section) => (
            <Fragment key={section.value}>
              {section.startsGroup && (
                <p className="mt-4 mb-1 px-3 text-sm text-ink-3" aria-hidden>
                  {section.startsGroup}
                </p>
              )}
              <Primitive.Trigger
                value={section.value}
                className="flex min-h-10 items-center justify-between gap-2 rounded-md px-3 text-start text-ink-2 -outline-offset-3 hover:bg-chip hover:text-ink data-[state=active]:bg-accent-soft data-[state=active]:font-medium data-[state=active]:text-accent-ink forced-colors:data-[state=active]:border-s-4"
              >
                {section.label}
                {section.count !== undefined && <span className="tabular-nums">{section.count}</span>}
              </Primitive.Trigger>
            </Fragment>
          ))}
        </Primitive.List>
        {last}
      </div>
      {/* At least as high as the screen, so that what stands last on a phone is not pushed away under a finger. */}
      <div className="min-w-0 max-lg:min-h-dvh">{children}</div>
      <div className="lg:hidden">{last}</div>
    </Primitive.Root>
  );
}

/** The contents of a section, drawn while it is chosen; an error in it leaves the other sections usable. */
export function SectionPanel({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Primitive.Content value={value} className="outline-offset-4">
      <Region>{children}</Region>
    </Primitive.Content>
  );
}
