import { Form, useNavigate } from 'react-router';
import { measures } from '#app/solution/outcomes/measures.ts';
import { amputationLevels, prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Options, Select } from '#app/ui/controls/input.tsx';
import { type EvidenceFilters, evidenceUrl, readEvidenceFilters } from './data.ts';

/** Measure, level and type as a form that works without scripts. */
export function FilterForm({ filters }: { filters: EvidenceFilters }) {
  const navigate = useNavigate();
  const selects = [
    {
      name: 'measure',
      label: 'Measure',
      all: 'All measures',
      options: measures.map(({ abbreviation }) => abbreviation),
    },
    { name: 'level', label: 'Amputation level', all: 'All levels', options: amputationLevels },
    { name: 'type', label: 'Prosthesis type', all: 'All types', options: prosthesisTypes },
  ] as const;
  return (
    <Form
      method="get"
      action="/evidence"
      // An address without the empty choices.
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = readEvidenceFilters(new FormData(event.currentTarget));
        void navigate(evidenceUrl(chosen), { preventScrollReset: true });
      }}
      className="mt-8 grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_auto] print:hidden"
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
  );
}
