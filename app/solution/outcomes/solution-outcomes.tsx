import { Link } from 'react-router';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { changeOf, errorText, outcomeSentence } from './change.ts';
import { withUnit } from './measure.ts';
import type { Outcome } from './outcome.ts';
import { OutcomePicture } from './outcome-picture.tsx';
import { ReportTable } from './report-table.tsx';

/** What was measured with a solution: a sentence and a picture for each outcome, and all of them in a table. */
export function SolutionOutcomes({ outcomes, language }: { outcomes: Outcome[]; language: string }) {
  if (outcomes.length === 0) return null;
  return (
    <section
      id="outcomes"
      className="mt-8 scroll-mt-12 first:mt-0 md:mt-10"
      aria-labelledby="measured-outcomes"
    >
      <h2 id="measured-outcomes" className="mb-2 text-xl">
        Measured outcomes
      </h2>
      <p className="max-w-[66ch] text-ink-2">
        The author measured these outcomes. Other things may have changed too, so they don’t show that the
        device was the cause.{' '}
        <Link to="/evidence#limits" className="link">
          What you can’t conclude
        </Link>
      </p>
      <ul className="mt-2 divide-y">
        {outcomes.map((outcome) => (
          <li key={outcome.id} className="py-5">
            <OutcomeReport outcome={outcome} language={language} />
          </li>
        ))}
      </ul>
      <ReportTable
        summary="Show as a table, with sources"
        label="Table of measured outcomes"
        columns={['Measure', 'Before', 'After', 'Change', 'People', 'Weeks', 'Measurement error', 'Sources']}
        className="not-open:print:hidden"
      >
        {outcomes.map((outcome) => (
          <Row key={outcome.id} outcome={outcome} />
        ))}
      </ReportTable>
    </section>
  );
}

/** One outcome in words and as a picture. */
export function OutcomeReport({
  outcome,
  language,
  headingLevel = 3,
}: {
  outcome: Outcome;
  language: string;
  headingLevel?: 3 | 4;
}) {
  const Heading = headingLevel === 3 ? 'h3' : 'h4';
  return (
    <>
      <Heading className="flex flex-wrap items-center gap-x-2 gap-y-1 font-bold">
        {outcome.measure.name}
        {outcome.people === 1 && <Badge>n = 1</Badge>}
      </Heading>
      <p className="mt-1 max-w-[66ch] text-prose">{outcomeSentence(outcome)}</p>
      {outcome.device_before && (
        <p className="mt-1 text-ink-2 wrap-anywhere">
          Device before: <bdi {...textLanguage(language)}>{outcome.device_before}</bdi>
        </p>
      )}
      <OutcomePicture outcome={outcome} />
    </>
  );
}

function Row({ outcome }: { outcome: Outcome }) {
  const { measure, score_before: before, people_before: peopleBefore, people } = outcome;
  const change = changeOf(outcome);
  const sources = [
    { text: 'Measure', says: measure.reference, url: measure.reference_url },
    ...(measure.error_url && measure.error_reference
      ? [{ text: 'Error', says: measure.error_reference, url: measure.error_url }]
      : []),
  ];
  return (
    <tr className="border-b align-top">
      <th scope="row" className="py-2 pe-4 font-medium">
        {measure.abbreviation}
      </th>
      <td className="py-2 pe-4">{before === null ? 'Not given' : withUnit(before, measure.unit)}</td>
      <td className="py-2 pe-4">{withUnit(outcome.score_after, measure.unit)}</td>
      <td className="py-2 pe-4">
        {change ? `${change.size > 0 ? '+' : ''}${withUnit(change.size, measure.unit)}` : 'Not known'}
      </td>
      <td className="py-2 pe-4">
        {peopleBefore !== null && peopleBefore !== people
          ? `${peopleBefore} before, ${people} after`
          : people}
      </td>
      <td className="py-2 pe-4">{outcome.follow_up_weeks ?? 'Not given'}</td>
      <td className="py-2 pe-4">{errorText(measure) ?? 'Not published for people with limb loss'}</td>
      <td className="py-2">
        {sources.map(({ text, says, url }) => (
          <a key={text} href={url} rel="noopener noreferrer" className="me-3 link" title={says}>
            {text}
            <span className="sr-only">: {says}</span>
          </a>
        ))}
      </td>
    </tr>
  );
}
