import { useState } from 'react';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import type { Facets } from '#app/solution/solutions/data.ts';
import type { Filters } from '#app/solution/solutions/filters.ts';
import { facetGroups } from '#app/solution/solutions/value-lists.ts';
import { SegmentedControl } from '#app/ui/controls/segmented-control.tsx';
import { classes } from '#app/ui/texts/classes.ts';

/** A long group shows this many values until it is expanded. */
const COLLAPSED_COUNT = 6;

interface FilterPanelProps {
  form: string;
  filters: Filters;
  facets: Facets | undefined;
  onChange: (next: Pick<Filters, 'values' | 'match'>) => void;
}

/** All values of all groups, each with the number of results it would leave. */
export function FilterPanel({ form, filters, facets, onChange }: FilterPanelProps) {
  const { values, match } = filters;
  return (
    <>
      <SegmentedControl
        legend="How the chosen filters combine"
        name="match"
        form={form}
        value={match}
        onChange={(next) => onChange({ values, match: next })}
        options={[
          { value: 'all', label: 'Match all' },
          { value: 'any', label: 'Match any' },
        ]}
      />
      <p className="mt-2 text-sm text-ink-3">
        {match === 'all'
          ? 'Shows solutions with every filter you choose.'
          : 'Shows solutions with at least one of the filters you choose in each group.'}
      </p>
      {facetGroups.map((group) => (
        <FilterGroup key={group.key} label={group.label} long={group.values.length > COLLAPSED_COUNT + 1}>
          {(all) =>
            group.values
              .filter((value, index) => all || index < COLLAPSED_COUNT || values.includes(value))
              .map((value) => {
                const chosen = values.includes(value);
                const count = facets?.[group.key][value];
                return (
                  <label key={value} className="choice">
                    <input
                      type="checkbox"
                      className="checkbox"
                      name="filter"
                      value={value}
                      form={form}
                      checked={chosen}
                      disabled={count === 0 && !chosen}
                      onChange={() =>
                        onChange({
                          match,
                          values: chosen ? values.filter((other) => other !== value) : [...values, value],
                        })
                      }
                    />
                    {group.key === 'amputation_level' && (
                      <span
                        className={classes(
                          'icon size-[22px]',
                          levelSigns[value]?.className,
                          chosen ? 'text-accent' : 'text-ink-2',
                        )}
                      />
                    )}
                    {value}
                    {count !== undefined && <span className="choice-count">{count}</span>}
                  </label>
                );
              })
          }
        </FilterGroup>
      ))}
    </>
  );
}

interface FilterGroupProps {
  label: string;
  long: boolean;
  children: (all: boolean) => React.ReactNode[];
}

function FilterGroup({ label, long, children }: FilterGroupProps) {
  const [all, setAll] = useState(false);
  return (
    <details open className="filter-group">
      <summary className="disclosure">{label}</summary>
      <fieldset aria-label={label}>{children(all)}</fieldset>
      {long && !all && (
        <button type="button" className="link reach mt-2 font-title" onClick={() => setAll(true)}>
          Show all {children(true).length}
          <span className="sr-only"> {label}</span>
        </button>
      )}
    </details>
  );
}
