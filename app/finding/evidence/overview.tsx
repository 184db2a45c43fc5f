import { Link } from 'react-router';
import { measures } from '#app/solution/outcomes/measures.ts';
import { prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { casesText } from './counts.ts';
import { type Counts, type EvidenceFilters, evidenceUrl } from './data.ts';

/** The number of measures that are in sight before the others are unfolded. */
const IN_SIGHT = 8;

type Measure = (typeof measures)[number];

/** The measures that cases report on, those with the most cases first, each with the prosthesis types that do. */
export function Overview({ counts, filters }: { counts: Counts; filters: EvidenceFilters }) {
  const reported = measures
    .map((measure) => {
      const found = counts.filter((count) => count.measure === measure.abbreviation);
      const sum = (of: 'cases' | 'people' | 'outcomes') =>
        found.reduce((total, count) => total + count[of], 0);
      const total = { cases: sum('cases'), people: sum('people'), outcomes: sum('outcomes') };
      const types = prosthesisTypes.filter((type) => found.some((count) => count.type === type));
      // Those without a type are shown without their case as well.
      const note = [
        ...types.map(knownText),
        ...(found.some(({ type }) => type === '') ? ['type not shown'] : []),
      ];
      return { measure, total, note: note.join(', ') };
    })
    .filter(({ total }) => total.outcomes > 0)
    .toSorted((a, b) => b.total.cases - a.total.cases || b.total.people - a.total.people);
  const others = measures.filter((measure) => !reported.some((one) => one.measure === measure));
  const row = ({ measure, total, note }: (typeof reported)[number]) => (
    <Row
      key={measure.abbreviation}
      measure={measure}
      filters={filters}
      count={casesText(total)}
      note={note}
    />
  );
  const inSight = reported.filter((_, index) => index < IN_SIGHT);
  const folded = reported.filter((_, index) => index >= IN_SIGHT);
  return (
    <>
      {reported.length === 0 ? (
        <div className="mt-8">
          <EmptyState icon="icon-nothing">
            No case with these filters reports a measured outcome yet.
          </EmptyState>
        </div>
      ) : (
        <section aria-labelledby="reported" className="mt-4 md:mt-10">
          <h2 id="reported" className="mb-3 text-xl max-md:sr-only">
            Reported cases
          </h2>
          <ul className="border-b">{inSight.map(row)}</ul>
          {folded.length > 0 && (
            <details className="border-b open-on-paper">
              <summary className="disclosure">
                {folded.every(({ total }) => total.people === 1)
                  ? `${folded.length} more with n = 1`
                  : `${folded.length} more ${folded.length === 1 ? 'measure' : 'measures'}`}
              </summary>
              <ul>{folded.map(row)}</ul>
            </details>
          )}
        </section>
      )}
      {others.length > 0 && (
        <details className="border-b open-on-paper" open={reported.length === 0}>
          <summary className="disclosure">
            {others.length === 1
              ? '1 measure that no case here has used yet'
              : `${others.length} measures that no case here has used yet`}
          </summary>
          <ul>
            {others.map((measure) => (
              <Row key={measure.abbreviation} measure={measure} filters={filters} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface RowProps {
  measure: Measure;
  filters: EvidenceFilters;
  /** Left out where no case reports it. */
  count?: string;
  note?: string;
}

/** A measure by its full name, with its abbreviation and the types that report it below. */
function Row({ measure: { abbreviation, name }, filters, count, note }: RowProps) {
  return (
    <li className="border-t">
      <Link
        to={evidenceUrl({ ...filters, measure: abbreviation })}
        className="group grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-2 hover:bg-chip"
      >
        <span className="font-bold wrap-anywhere group-hover:underline">{name}</span>
        {count && <span className="font-bold">{count}</span>}
        <span className="col-span-2 text-sm text-ink-3">
          {[abbreviation, note].filter(Boolean).join(' · ')}
        </span>
      </Link>
    </li>
  );
}
