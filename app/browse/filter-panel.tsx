import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { AmputationLevelIcon } from '#app/solutions/amputation-level-icon.tsx';
import type { Facets } from '#app/solutions/data.ts';
import type { Filters } from '#app/solutions/filters.ts';
import { facetGroups } from '#app/solutions/options.ts';
import { Checkbox } from '#app/ui/checkbox-radio.tsx';
import { SegmentedControl } from '#app/ui/segmented-control.tsx';

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
      {facetGroups.map((group) => (
        <FilterGroup key={group.key} label={group.label} long={group.values.length > COLLAPSED_COUNT + 1}>
          {(all) =>
            group.values
              .filter((value, index) => all || index < COLLAPSED_COUNT || values.includes(value))
              .map((value) => {
                const chosen = values.includes(value);
                const count = facets?.[group.key][value];
                return (
                  <Checkbox
                    key={value}
                    name="filter"
                    value={value}
                    form={form}
                    checked={chosen}
                    disabled={count === 0 && !chosen}
                    count={count}
                    onChange={() =>
                      onChange({
                        match,
                        values: chosen ? values.filter((other) => other !== value) : [...values, value],
                      })
                    }
                  >
                    {group.key === 'amputation_level' && (
                      <AmputationLevelIcon
                        level={value}
                        className={chosen ? 'size-[22px] text-accent' : 'size-[22px] text-ink-2'}
                      />
                    )}
                    {value}
                  </Checkbox>
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
    <details open className="group/filters border-t pt-3 pb-4 last:border-b [&:first-of-type]:mt-5">
      <summary className="flex min-h-10 list-none items-center justify-between rounded-sm font-title">
        {label}
        <ChevronDown
          className="size-5 transition-transform group-open/filters:rotate-180"
          strokeWidth={1.75}
          aria-hidden
        />
      </summary>
      <fieldset>
        <legend className="sr-only">{label}</legend>
        {children(all)}
      </fieldset>
      {long && !all && (
        <button type="button" className="link reach mt-2 font-title" onClick={() => setAll(true)}>
          Show all {children(true).length}
          <span className="sr-only"> {label}</span>
        </button>
      )}
    </details>
  );
}
