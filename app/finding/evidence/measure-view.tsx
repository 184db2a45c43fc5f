import { Link } from 'react-router';
import { errorText } from '#app/solution/outcomes/change.ts';
import { scaleOf, scaleText, withUnit } from '#app/solution/outcomes/measure.ts';
import { measures } from '#app/solution/outcomes/measures.ts';
import { ReportTable } from '#app/solution/outcomes/report-table.tsx';
import { prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { type Counts, type EvidencePoint, type MeasureFacts, pointPath } from './data.ts';
import { Plot } from './plot.tsx';

const peopleText = (people: number) =>
  people === 1 ? '1 person (n = 1)' : `${people.toLocaleString('en-GB')} people`;
const casesText = (cases: number) => (cases === 1 ? '1 case' : `${cases.toLocaleString('en-GB')} cases`);

interface MeasureViewProps {
  facts: MeasureFacts;
  counts: Counts;
  points: EvidencePoint[];
}

/** What has been reported on one measure: its facts, a plot for each prosthesis type, and the cases as a table. */
export function MeasureView({ facts, counts, points }: MeasureViewProps) {
  const measure = measures.find(({ abbreviation }) => abbreviation === facts.abbreviation);
  const total = counts.reduce((sum, { outcomes }) => sum + outcomes, 0);
  const compared = points.filter(({ before }) => before !== null);
  const scores = points.flatMap(({ before, after }) => [before ?? after, after]);
  const [low, high] = scaleOf({ ...facts, isOpen: facts.is_open }, scores);
  const error = errorText(facts);
  return (
    <>
      <h2 className="mt-10 text-xl">{facts.name}</h2>
      <p className="mt-2 max-w-[66ch] text-ink-2">
        {facts.construct}. {measure && scaleText(measure)}{' '}
        {error
          ? `Measurement error: ${error}.`
          : 'We know of no published measurement error for people with limb loss.'}
      </p>
      <ul className="mt-2 max-w-[80ch] text-sm text-ink-3">
        <li>
          Measure:{' '}
          <a href={facts.reference_url} rel="noopener noreferrer" className="link wrap-anywhere">
            {facts.reference}
          </a>
        </li>
        {facts.error_url && (
          <li className="mt-1">
            Measurement error:{' '}
            <a href={facts.error_url} rel="noopener noreferrer" className="link wrap-anywhere">
              {facts.error_reference}
            </a>
          </li>
        )}
      </ul>
      {total === 0 ? (
        <div className="mt-8">
          <EmptyState icon="icon-nothing">
            No case with these filters reports {facts.abbreviation} yet.
          </EmptyState>
        </div>
      ) : (
        <>
          {points.length < total && (
            <p className="mt-4 text-ink-2">
              The plots show the newest {points.length} of {total.toLocaleString('en-GB')} outcomes. The
              counts include all of them.
            </p>
          )}
          {points.length > compared.length && (
            <p className="mt-4 text-ink-2">
              {points.length - compared.length === 1
                ? 'One outcome has no score before, so it is not in a plot.'
                : `${points.length - compared.length} outcomes have no score before, so they are not in a plot.`}
            </p>
          )}
          <ul className="mt-6 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
            {prosthesisTypes.flatMap((type) => {
              const count = counts.find((candidate) => candidate.type === type);
              if (!count) return [];
              const drawn = compared.filter((point) => point.type === type);
              return (
                <li key={type} className="break-inside-avoid">
                  <h3 className="font-title">{type}</h3>
                  <p className="mb-3 text-ink-2">
                    {casesText(count.cases)}, {peopleText(count.people)}
                  </p>
                  {drawn.length > 0 && <Plot points={drawn} facts={facts} low={low} high={high} />}
                </li>
              );
            })}
          </ul>
          <p className="mt-4 text-sm text-ink-3">
            Each circle is one report. Larger circles are means of more people, and hollow circles are single
            people. The dashed line marks no change
            {error ? ', and the shaded band marks measurement error' : ''}.
          </p>
          <PointTable facts={facts} points={points} />
        </>
      )}
    </>
  );
}

function PointTable({ facts, points }: Pick<MeasureViewProps, 'facts' | 'points'>) {
  return (
    <ReportTable
      summary="Show the cases as a table"
      label="Reported cases"
      columns={['Case', 'Before', 'After', 'People', 'Weeks', 'Amputation level', 'Prosthesis type']}
      className="mt-6"
    >
      {points.map((point, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a case may have two outcomes alike
        <tr key={index} className="border-b align-top">
          <th scope="row" className="max-w-[36ch] py-2 pr-4 font-normal">
            <Link to={pointPath(point)} dir="auto" className="link wrap-anywhere">
              {point.title}
            </Link>
            {point.trial_id && <span className="block text-ink-2">Tried by another member</span>}
          </th>
          <td className="py-2 pr-4">
            {point.before === null ? 'Not given' : withUnit(point.before, facts.unit)}
          </td>
          <td className="py-2 pr-4">{withUnit(point.after, facts.unit)}</td>
          <td className="py-2 pr-4">{point.people}</td>
          <td className="py-2 pr-4">{point.weeks ?? 'Not given'}</td>
          <td className="py-2 pr-4">{point.level}</td>
          <td className="py-2 pr-4">{point.type}</td>
        </tr>
      ))}
    </ReportTable>
  );
}
