import { Link } from 'react-router';
import { measures } from '#app/solution/outcomes/measures.ts';
import { prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { type Counts, type EvidenceFilters, evidenceUrl } from './data.ts';

/** A table of the cases that report on each measure, by prosthesis type. */
export function Overview({ counts, filters }: { counts: Counts; filters: EvidenceFilters }) {
  const reported = measures.filter(({ abbreviation }) =>
    counts.some(({ measure }) => measure === abbreviation),
  );
  const others = measures.filter((measure) => !reported.includes(measure));
  const types = prosthesisTypes.filter((type) => counts.some((count) => count.type === type));
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
          {/* On a phone five columns don't fit: each measure is then followed by the types that have a report. */}
          <table className="mt-3 w-full text-left max-md:block">
            <thead className="max-md:sr-only">
              <tr className="border-b text-sm text-ink-2">
                <th scope="col" className="py-2 pr-4 font-medium lg:w-2/5">
                  Measure
                </th>
                {types.map((type) => (
                  <th key={type} scope="col" className="py-2 pr-4 font-medium last:pr-0">
                    {type}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="max-md:block">
              {reported.map(({ abbreviation, name }) => (
                <tr key={abbreviation} className="border-b align-top max-md:block max-md:py-2.5">
                  <th scope="row" className="py-2.5 pr-4 font-normal max-md:block max-md:py-0">
                    <Link
                      to={evidenceUrl({ ...filters, measure: abbreviation })}
                      className="reach link font-title"
                    >
                      {abbreviation}
                    </Link>
                    {name !== abbreviation && <span className="block text-sm text-ink-3">{name}</span>}
                  </th>
                  {types.map((type) => {
                    const count = find(abbreviation, type);
                    return (
                      <td
                        key={type}
                        className={classes(
                          'py-2.5 pr-4 whitespace-nowrap last:pr-0 max-md:flex max-md:items-baseline max-md:gap-2 max-md:py-1 max-md:pr-0',
                          !count && 'max-md:hidden',
                        )}
                      >
                        <span className="grow md:hidden">{type}</span>
                        {count && (
                          <Link
                            to={evidenceUrl({ ...filters, measure: abbreviation, type })}
                            className="reach link"
                          >
                            {count.cases === 1 ? '1 case' : `${count.cases.toLocaleString('en-GB')} cases`}
                          </Link>
                        )}
                        {count && (
                          <span className="block text-sm text-ink-3">
                            {count.people === 1 ? 'n = 1' : `${count.people.toLocaleString('en-GB')} people`}
                          </span>
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {others.length > 0 && (
        <section className="mt-8">
          <h2 className="text-xl">{reported.length === 0 ? 'Measures' : 'Measures without a report'}</h2>
          <ul className="mt-2 flex flex-wrap gap-x-5">
            {others.map(({ abbreviation, name }) => (
              <li key={abbreviation}>
                <Link
                  to={evidenceUrl({ ...filters, measure: abbreviation })}
                  title={name}
                  className="link inline-block py-2"
                >
                  {abbreviation}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
