import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { browserClient } from '#app/supabase.ts';
import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { Field, FieldGroup } from '#app/ui/controls/field.tsx';
import { Select } from '#app/ui/controls/input.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { authoritiesQuery, type IncidentAuthority } from './data.ts';

interface HarmQuestionProps {
  /** Where the answer is sent along with what is written; without it the answer stays in the page. */
  onAnswer?: (wasHarmed: boolean) => void;
  /** What can be done on this site, said after a yes. */
  children: ReactNode;
}

/** Asks whether someone was hurt, and leads to the authority of the country, which stays in the page. */
export function HarmQuestion({ onAnswer, children }: HarmQuestionProps) {
  const [wasHarmed, setWasHarmed] = useState<boolean>();
  const answer = (harmed: boolean) => {
    setWasHarmed(harmed);
    onAnswer?.(harmed);
  };
  // Read before they are asked for, so that nothing moves when they are.
  const authorities = useQuery(authoritiesQuery(browserClient));
  return (
    <div className="mt-5 first:mt-0">
      <FieldGroup radios id="harm" legend="Was someone hurt, or could they have been?">
        <div className="flex flex-wrap gap-x-7">
          <Radio name="harm" checked={wasHarmed === false} onChange={() => answer(false)}>
            No
          </Radio>
          <Radio name="harm" checked={wasHarmed === true} onChange={() => answer(true)}>
            Yes
          </Radio>
        </div>
      </FieldGroup>
      {wasHarmed && (
        <div className="mt-2 rounded-md border border-amber px-4 py-3">
          <p>
            Please also report this to your national authority, so it can warn others.{' '}
            {onAnswer
              ? 'We don’t store the country you choose.'
              : 'We don’t store your answer or the country you choose.'}
          </p>
          {authorities.data ? (
            <Authority authorities={authorities.data} />
          ) : (
            <NotLoaded
              loading="Loading the authorities"
              failed="Failed to load the authorities"
              query={authorities}
            />
          )}
          <div className="mt-3 text-ink-2">{children}</div>
        </div>
      )}
    </div>
  );
}

/** Members of the European Union, by their codes; those without an entry of their own have the one of the Union. */
const EU = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

/** The country of the browser's language, with which the choice begins; some browsers name a language that no tag may be. */
const likelyCountry = () => /[-_]([A-Z]{2})\b/.exec(navigator.language)?.[1] ?? '';

function Authority({ authorities }: { authorities: IncidentAuthority[] }) {
  const [code, setCode] = useState(likelyCountry);
  const find = (wanted: string) => authorities.find((one) => one.code === wanted);
  const authority = find(code) ?? (EU.includes(code) ? find('EU') : undefined);
  return (
    <>
      <Field id="harm-country" label="Country" className="mt-3">
        <Select value={authority?.code ?? ''} onChange={({ target }) => setCode(target.value)}>
          <option value="">Please select</option>
          {authorities.map((one) => (
            <option key={one.code} value={one.code}>
              {one.country}
            </option>
          ))}
        </Select>
      </Field>
      <p role="status" className="mt-2 min-h-11">
        {authority && (
          <a
            href={authority.url}
            target="_blank"
            rel="noopener noreferrer"
            className="link inline-flex min-h-11 items-center"
          >
            {authority.name}
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        )}
      </p>
    </>
  );
}
