import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useDeferredValue, useEffect, useEffectEvent, useId, useState } from 'react';
import { MAX_SOURCES, type SolutionForm } from '#app/solution/solutions/form-schema.ts';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { OptionalPart } from '#app/ui/controls/optional-part.tsx';
import { foundSourcesQuery } from './data.ts';

type Sources = SolutionForm['basedOn'];

interface BasedOnFieldProps {
  /** The id of the summary. */
  id: string;
  /** Whether it is unfolded also while none is chosen. */
  isOpen: boolean;
  field: { value: Sources; onChange: (sources: Sources) => void };
  /** The published solution that is edited, which is not offered. */
  except: string | null;
  /** The one with which the form was opened, if any: it is chosen at first. */
  wanted: Sources[number] | null;
}

/** The choice of the published solutions that a solution is based on; folded until there is one. */
export function BasedOnField({ id, isOpen, field, except, wanted }: BasedOnFieldProps) {
  const { value: sources, onChange } = field;
  const choose = (one: Sources[number]) => {
    if (sources.length < MAX_SOURCES && !sources.some((source) => source.id === one.id))
      onChange([...sources, one]);
  };
  const chooseWanted = useEffectEvent(choose);
  useEffect(() => {
    if (wanted) chooseWanted(wanted);
  }, [wanted]);
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const listId = useId();
  const found = useQuery({
    ...foundSourcesQuery(browserClient, search),
    enabled: search.length > 2,
  }).data;
  const offered = (search.length > 2 ? (found ?? []) : []).filter(
    ({ id }) => id !== except && !sources.some((source) => source.id === id),
  );
  return (
    <OptionalPart
      id={id}
      title="Based on other solutions"
      isFilled={isOpen || sources.length > 0 || wanted !== null}
    >
      {sources.length > 0 && (
        <ul aria-label="Chosen solutions" className="mb-3 divide-y rounded-md border">
          {sources.map(({ id, title }) => (
            <li key={id} className="flex items-center gap-2 py-1 ps-4 pe-1">
              <span dir="auto" className="text-left min-w-0 flex-1 wrap-anywhere">
                {title}
              </span>
              <Button
                size="icon"
                variant="quiet"
                onClick={() => onChange(sources.filter((source) => source.id !== id))}
              >
                <X className="size-5" strokeWidth={1.75} aria-hidden />
                <span className="sr-only">Remove {title}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {sources.length < MAX_SOURCES ? (
        <Field label="Find a solution" hint="The solutions yours was built from. Each will link to yours.">
          <Input
            type="search"
            dir="auto"
            autoComplete="off"
            aria-controls={listId}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            // Enter would submit the form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </Field>
      ) : (
        <p className="text-ink-3">You can choose up to {MAX_SOURCES}.</p>
      )}
      <ul id={listId} aria-label="Found solutions" className="mt-1">
        {offered.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              dir="auto"
              className="flex min-h-11 w-full items-center gap-2 rounded-md px-3 py-2 text-start wrap-anywhere hover:bg-chip"
              onClick={() => {
                choose({ id: one.id, title: one.title });
                setTyped('');
              }}
            >
              <span className="icon icon-plus shrink-0 text-accent" />
              <span className="min-w-0">
                <SafetyMark kind={one.safety_kind} className="mb-1 flex" />
                {one.title}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-sm text-ink-3">
        {search.length > 2 && found && offered.length === 0 && 'No other published solution matches.'}
      </p>
    </OptionalPart>
  );
}
