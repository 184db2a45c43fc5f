import { Link } from 'react-router';
import { measures } from '#app/solution/outcomes/measures.ts';
import { prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { APART_TITLE, casesText } from './counts.ts';
import { type Counts, type EvidenceFilters, evidenceUrl } from './data.ts';

/** The measures that cases report on, each with the prosthesis types that do. */
export function Overview({ counts, filters }: { counts: Counts; filters: EvidenceFilters }) {
  const reported = measures.filter(({ abbreviation }) =>
    counts.some(({ measure }) => measure === abbreviation),
  );
  const others = measures.filter((measure) => !reported.includes(measure));
  const find = (measure: string, type: string) =>
    counts.find((count) => count.measure === measure && count.type === type);
  return (
    <>
      {reported.length === 0 ? (
        <div className="mt-8">
          <EmptyState icon="icon-nothing">
            No case with these filters reports a measured outcome yet.
          </EmptyState>
        </div>
      ) : (
        <section aria-labelledby="reported" className="mt-10">
          <h2 id="reported" className="text-xl">
            Reported cases
          </h2>
          <ul className="mt-3 grid gap-x-12 border-b lg:grid-cols-2">
            {reported.map((measure) => (
              <li key={measure.abbreviation} className="grid gap-x-8 gap-y-1 border-t py-3 md:grid-cols-2">
                <div>
                  <MeasureName measure={measure} filters={filters} />
                </div>
                <ul className="space-y-1.5" aria-label={`${measure.abbreviation} by type`}>
                  {prosthesisTypes.flatMap((type) => {
                    const count = find(measure.abbreviation, type);
                    return count
                      ? [
                          <li key={type}>
                            <Link
                              to={evidenceUrl({ ...filters, measure: measure.abbreviation, type })}
                              className="reach link"
                            >
                              {knownText(type)}
                            </Link>
                            <span className="block text-sm text-ink-3">{casesText(count)}</span>
                          </li>,
                        ]
                      : [];
                  })}
                  <Apart count={find(measure.abbreviation, '')} />
                </ul>
              </li>
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section className="mt-8">
          <h2 className="text-xl">{reported.length === 0 ? 'Measures' : 'Measures without a report'}</h2>
          <ul className="mt-3 grid gap-x-12 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
            {others.map((measure) => (
              <li key={measure.abbreviation}>
                <MeasureName measure={measure} filters={filters} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Those without a type have no list of their own to lead to. */
const Apart = ({ count }: { count: Counts[number] | undefined }) =>
  count && (
    <li>
      {APART_TITLE}
      <span className="block text-sm text-ink-3">{casesText(count)}</span>
    </li>
  );

/** A measure by its abbreviation, with its full name below. */
function MeasureName({
  measure: { abbreviation, name },
  filters,
}: {
  measure: (typeof measures)[number];
  filters: EvidenceFilters;
}) {
  return (
    <>
      <Link to={evidenceUrl({ ...filters, measure: abbreviation })} className="reach link font-title">
        {abbreviation}
      </Link>
      <span className="block text-sm text-ink-3">{name}</span>
    </>
  );
}
