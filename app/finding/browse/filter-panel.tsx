import { useState } from 'react';
import { measureLimbs } from '#app/solution/outcomes/abbreviations.ts';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import type { Facets } from '#app/solution/solutions/data.ts';
import type { Filters } from '#app/solution/solutions/filters.ts';
import { facetGroups, facetLabel, limbOf } from '#app/solution/solutions/value-lists.ts';
import { SegmentedControl } from '#app/ui/controls/segmented-control.tsx';
import { classes } from '#app/ui/texts/classes.ts';

/** A long group shows this many values until it is expanded. */
const COLLAPSED_COUNT = 6;

/** The limb that the chosen levels are of; undefined without any, and where they are of both. */
function chosenLimb(values: readonly string[]): 'lower' | 'upper' | undefined {
  const [limb, other] = new Set(values.flatMap((value) => limbOf[value] ?? []));
  return other ? undefined : limb;
}

/** The languages to choose from, the commonest first: none where all solutions are in one. */
function inUse(facets: Facets | undefined, values: readonly string[]): string[] {
  const chosen = facetGroups.flatMap(({ key, values: all }) =>
    key === 'language' ? values.filter((value) => all.includes(value)) : [],
  );
  const counted = Object.entries(facets?.language ?? {}).sort(([, a], [, b]) => b - a);
  const languages = [...new Set([...counted.map(([value]) => value), ...chosen])];
  return languages.length > 1 || chosen.length > 0 ? languages : [];
}

interface FilterPanelProps {
  form: string;
  filters: Filters;
  facets: Facets | undefined;
  onChange: (next: Pick<Filters, 'values' | 'match'>) => void;
}

/** All values of all groups, each with the number of results it would leave. */
export function FilterPanel({ form, filters, facets, onChange }: FilterPanelProps) {
  const { values, match } = filters;
  const isChosen = (value: string) => values.includes(value);
  const limb = chosenLimb(values);
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
      {facetGroups.map((group) => {
        const offered: readonly string[] = group.key === 'language' ? inUse(facets, values) : group.values;
        return (
          offered.length > 0 && (
            <FilterGroup
              key={group.key}
              label={group.label}
              count={offered.length}
              isOpen={group.key !== 'measure' || limb !== undefined || offered.some(isChosen)}
            >
              {(all) =>
                offered
                  .filter(
                    (value, index) =>
                      all ||
                      isChosen(value) ||
                      (group.key === 'measure' && limb
                        ? [limb, 'both'].includes(measureLimbs[value] ?? limb)
                        : index < COLLAPSED_COUNT),
                  )
                  .map((value) => {
                    const chosen = isChosen(value);
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
                        {facetLabel(value)}
                        {count !== undefined && <span className="choice-count">{count}</span>}
                      </label>
                    );
                  })
              }
            </FilterGroup>
          )
        );
      })}
    </>
  );
}

interface FilterGroupProps {
  label: string;
  /** The number of its values. */
  count: number;
  /** Whether it is unfolded at first. */
  isOpen: boolean;
  children: (all: boolean) => React.ReactNode[];
}

function FilterGroup({ label, count, isOpen, children }: FilterGroupProps) {
  const [all, setAll] = useState(false);
  const shown = children(all);
  return (
    // Another address may unfold it, as its limb is chosen there.
    <details key={String(isOpen)} open={isOpen} className="filter-group">
      <summary className="disclosure">{label}</summary>
      <fieldset aria-label={label}>{shown}</fieldset>
      {shown.length < count && (
        <button type="button" className="link reach mt-2 font-bold" onClick={() => setAll(true)}>
          Show all {count}
          <span className="sr-only"> {label}</span>
        </button>
      )}
    </details>
  );
}
