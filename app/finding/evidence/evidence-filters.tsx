import { Form, useNavigate } from 'react-router';
import { FilterDrawer } from '#app/finding/browse/filter-drawer.tsx';
import { measures } from '#app/solution/outcomes/measures.ts';
import { amputationLevels, prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Options, Select } from '#app/ui/controls/input.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';
import { type EvidenceFilters, evidenceUrl, readEvidenceFilters } from './data.ts';

const formId = 'evidence';
const SUBMIT = 'Show outcomes';

/** Measure, level and type as a form that works without scripts. */
export function FilterForm({ filters }: { filters: EvidenceFilters }) {
  const navigate = useNavigate();
  const selects = [
    {
      name: 'measure',
      label: 'Measure',
      all: 'All measures',
      options: measures.map(({ abbreviation, name }) => ({ value: abbreviation, label: name })),
    },
    { name: 'level', label: 'Amputation level', all: 'All levels', options: amputationLevels },
    { name: 'type', label: 'Prosthesis type', all: 'All types', options: prosthesisTypes },
  ] as const;
  return (
    <>
      <button
        type="button"
        popoverTarget="filters"
        className={buttonClass('default', 'normal', 'mt-4 max-md:w-full lg:hidden print:hidden')}
      >
        <span className="truncate">
          Filter: {knownText(filters.level) || 'all levels'}, {knownText(filters.type) || 'all types'}
        </span>
      </button>
      <FilterDrawer
        form={formId}
        submit={SUBMIT}
        count={[filters.level, filters.type].filter(Boolean).length}
        cleared={evidenceUrl({ measure: filters.measure })}
        className="lg:static lg:mt-8 lg:overflow-visible lg:[&>:first-child]:hidden print:hidden"
      >
        <Form
          id={formId}
          method="get"
          action="/evidence"
          // An address without the empty choices.
          onSubmit={(event) => {
            event.preventDefault();
            const wanted = readEvidenceFilters(new FormData(event.currentTarget));
            void navigate(evidenceUrl(wanted), { preventScrollReset: true });
          }}
          className="grid items-end gap-4 lg:grid-cols-[1fr_1fr_1fr_auto]"
        >
          {selects.map(({ name, label, all, options }) => (
            <Field key={name} id={`evidence-${name}`} label={label}>
              {
                // A new address brings its own choice.
                <Select key={filters[name]} name={name} defaultValue={filters[name]}>
                  <Options of={options} none={all} />
                </Select>
              }
            </Field>
          ))}
          <Button type="submit" variant="primary" className="max-lg:hidden">
            {SUBMIT}
          </Button>
        </Form>
      </FilterDrawer>
    </>
  );
}
