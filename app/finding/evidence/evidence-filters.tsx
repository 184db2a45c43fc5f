import { Form, useNavigate } from 'react-router';
import { measures } from '#app/solution/outcomes/measures.ts';
import { amputationLevels, prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Options, Select } from '#app/ui/controls/input.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';
import { PhoneFold } from '#app/ui/states/phone-fold.tsx';
import { type EvidenceFilters, evidenceUrl, readEvidenceFilters } from './data.ts';

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
  const chosen = [
    filters.measure || 'all measures',
    knownText(filters.level) || 'all levels',
    knownText(filters.type) || 'all types',
  ];
  return (
    <PhoneFold
      summary={<span className="min-w-0">Filter: {chosen.join(', ')}</span>}
      className="mt-4 md:mt-8 print:hidden"
    >
      <Form
        method="get"
        action="/evidence"
        // An address without the empty choices.
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = readEvidenceFilters(new FormData(event.currentTarget));
          void navigate(evidenceUrl(wanted), { preventScrollReset: true });
        }}
        className="grid items-end max-md:pt-4 max-md:pb-2 gap-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_auto]"
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
        <Button type="submit" variant="primary" className="sm:justify-self-start">
          Show outcomes
        </Button>
      </Form>
    </PhoneFold>
  );
}
