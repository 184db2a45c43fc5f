import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { errorText, verdictOf } from '#app/solution/outcomes/change.ts';
import { scaleOf, withUnit } from '#app/solution/outcomes/measure.ts';
import { prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { APART_TITLE, casesText, peopleText } from './counts.ts';
import { type Counts, type EvidencePoint, type MeasureFacts, pointPath } from './data.ts';
import { Plot } from './plot.tsx';

/** A long list of cases shows this many until it is expanded. */
const COLLAPSED_COUNT = 8;

const APART =
  'Each is of fewer than 10 people, and written consent isn’t stated. To keep them from being recognised, we don’t show the level, type, date or case.';

interface MeasureViewProps {
  facts: MeasureFacts;
  counts: Counts;
  points: EvidencePoint[];
  /** What cannot be concluded. */
  limits: ReactNode;
}

/** What has been reported on one measure: for each prosthesis type the cases, and beside them a plot of them. */
export function MeasureView({ facts, counts, points, limits }: MeasureViewProps) {
  const total = counts.reduce((sum, { outcomes }) => sum + outcomes, 0);
  const scores = points.flatMap(({ before, after }) => [before ?? after, after]);
  const apart = counts.find(({ type }) => type === '');
  const [low, high] = scaleOf({ ...facts, isOpen: facts.is_open }, scores);
  return (
    <>
      {total === 0 && (
        <div className="mt-8">
          <EmptyState icon="icon-nothing">
            No case with these filters reports {facts.abbreviation} yet.
          </EmptyState>
        </div>
      )}
      {points.length < total && (
        <p className="mt-6 text-ink-2">
          These are the newest {points.length} of {total.toLocaleString('en-GB')} outcomes. The counts include
          all of them.
        </p>
      )}
      {prosthesisTypes.flatMap((type) => {
        const count = counts.find((candidate) => candidate.type === type);
        if (!count) return [];
        return (
          <section key={type} aria-labelledby={`type-${type}`} className="mt-10">
            <h2 id={`type-${type}`} className="text-xl">
              {knownText(type)}
            </h2>
            <p className="text-ink-2">{casesText(count)}</p>
            <Cases
              points={points.filter((point) => point.type === type)}
              facts={facts}
              low={low}
              high={high}
            />
          </section>
        );
      })}
      {apart && (
        <section aria-labelledby="type-apart" className="mt-10">
          <h2 id="type-apart" className="text-xl">
            {APART_TITLE}
          </h2>
          <p className="text-ink-2">{casesText(apart)}</p>
          <p className="mt-1 max-w-[66ch] text-ink-2">{APART}</p>
          <Cases points={points.filter((point) => point.type === null)} facts={facts} low={low} high={high} />
        </section>
      )}
      <HowToRead facts={facts}>{limits}</HowToRead>
    </>
  );
}

interface CasesProps {
  points: EvidencePoint[];
  facts: MeasureFacts;
  low: number;
  high: number;
}

/** The cases as a list, and the plot of them, in which the one that the reader points at or has reached by key is filled. */
function Cases({ points, facts, low, high }: CasesProps) {
  const [active, setActive] = useState<EvidencePoint>();
  const [all, setAll] = useState(false);
  const shown = all ? points : points.slice(0, COLLAPSED_COUNT);
  const compared = points.filter(({ before }) => before !== null);
  return (
    <div className="mt-3 grid gap-x-12 gap-y-6 md:grid-cols-[minmax(0,1fr)_minmax(0,320px)] lg:grid-cols-[minmax(0,1fr)_minmax(0,400px)]">
      <div>
        <ul className="divide-y border-y sm:-mx-3">
          {shown.map((point, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a case may have two outcomes alike
              key={index}
              onPointerEnter={() => setActive(point)}
              onPointerLeave={() => setActive(undefined)}
              onFocus={() => setActive(point)}
              onBlur={() => setActive(undefined)}
              className={classes('py-3 sm:px-3', point === active && 'bg-chip')}
            >
              <Case point={point} facts={facts} />
            </li>
          ))}
        </ul>
        {shown.length < points.length && (
          <Button className="mt-4" onClick={() => setAll(true)}>
            Show all {points.length}
          </Button>
        )}
      </div>
      {compared.length > 0 && (
        <div className="self-start md:sticky md:top-20">
          <Plot points={compared} facts={facts} low={low} high={high} active={active} onActive={setActive} />
        </div>
      )}
    </div>
  );
}

function Case({ point, facts }: { point: EvidencePoint; facts: MeasureFacts }) {
  const { before, after, people, weeks, level } = point;
  const { unit } = facts;
  const verdict = verdictOf({ score_before: before, score_after: after, measure: facts });
  const scores =
    before === null
      ? `${withUnit(after, unit)}, no score before`
      : `${withUnit(before, unit)} before, ${withUnit(after, unit)} after`;
  const path = pointPath(point);
  const circumstances = [
    peopleText(people),
    weeks !== null && (weeks === 1 ? '1 week' : `${weeks} weeks`),
    level,
    point.trial_id && 'Tried by another member',
  ].filter(Boolean);
  return (
    <>
      <SafetyMark kind={point.safety_kind} className="mb-1 flex" />
      {path && (
        <Link to={path} {...asWritten(point.title ?? '')} className="link reach wrap-anywhere">
          {point.title}
        </Link>
      )}
      <p className={classes(path && 'mt-1')}>
        {scores}
        {verdict && <span className="block font-bold">{verdict}</span>}
      </p>
      <p className="text-sm text-ink-3">{circumstances.join(' · ')}</p>
    </>
  );
}

/** The notes on method, which a reader of many measures reads once. */
function HowToRead({ facts, children }: { facts: MeasureFacts; children: ReactNode }) {
  const error = errorText(facts);
  return (
    <details className="mt-10 border-y py-2 open-on-paper">
      <summary className="disclosure">How to read this</summary>
      <div className="max-w-[66ch] space-y-3 pt-2 pb-4">
        <p>
          Each circle is one report. Larger circles are means of more people, and hollow circles are single
          people. The dashed line marks no change
          {error ? ', and the shaded band marks measurement error' : ''}. A report without a score before is
          in the list alone.
        </p>
        <p>
          {error
            ? `Measurement error: ${error}.`
            : 'We know of no published measurement error for people with limb loss.'}
        </p>
        <ul className="text-sm text-ink-2">
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
        {children}
      </div>
    </details>
  );
}
