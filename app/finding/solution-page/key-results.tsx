import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { trialsQuery } from '#app/sharing/trials/data.ts';
import { tallyOf } from '#app/sharing/trials/results.ts';
import { costText, hoursText, totalCost } from '#app/solution/fabrication/fabrication.ts';
import { circumstances } from '#app/solution/outcomes/change.ts';
import { withUnit } from '#app/solution/outcomes/measure.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';

/** Whether it worked and what there is to build it from, in a link each to the part that says more; only those there are. */
export function KeyResults({ solution }: { solution: Solution }) {
  const isPublic = solution.status === 'approved';
  const trials = useQuery({ ...trialsQuery(browserClient, solution.id), enabled: isPublic }).data ?? [];
  const [own] = solution.outcomes;
  const [outcome = own] = own ? [] : trials.flatMap(({ outcomes }) => outcomes);
  const { fabrication, files } = solution;
  const tally = tallyOf(trials);
  const cost = fabrication && totalCost(fabrication.parts);
  const kinds = [...new Set(files.map(({ file_type }) => file_type.toUpperCase()))];
  const toBuild = [
    kinds.join(', '),
    fabrication?.hours != null && hoursText(fabrication.hours),
    cost && costText(cost.amount, fabrication.currency),
  ].filter(Boolean);
  const hasBuild = fabrication !== null || files.length > 0;
  if (tally.members === 0 && !outcome && !hasBuild) return null;
  return (
    <ul className="mt-5 grid divide-y rounded-md border bg-surface md:auto-cols-fr md:grid-flow-col md:divide-x md:divide-y-0">
      {tally.members > 0 && (
        <Result to="tried" says={tally.results}>
          Tried by {tally.members}
        </Result>
      )}
      {outcome && (
        <Result
          to={own ? 'outcomes' : 'tried'}
          says={`${circumstances(outcome).trim()}${own ? '' : ', in a trial report'}`}
        >
          {/* A space by itself is none in a name. */}
          {`${outcome.people > 1 ? 'Mean ' : ''}${outcome.measure.abbreviation} `}
          <span className="whitespace-nowrap">
            {outcome.score_before !== null && (
              <>
                {outcome.score_before}
                <span className="icon icon-arrow-right mx-1 inline-block size-4 align-[-2px]" />
                <span className="sr-only"> to </span>
              </>
            )}
            {withUnit(outcome.score_after, outcome.measure.unit)}
          </span>
        </Result>
      )}
      {hasBuild && (
        <Result to="build-this" says={toBuild.join(' · ')}>
          {files.length > 0
            ? `${files.length} build file${files.length === 1 ? '' : 's'}`
            : 'How to build it'}
        </Result>
      )}
    </ul>
  );
}

function Result({ to, says, children }: { to: string; says: string; children: ReactNode }) {
  return (
    <li className="flex">
      <a
        href={`#${to}`}
        className="group flex min-h-11 flex-1 flex-wrap items-baseline justify-between gap-x-4 px-4 py-2 hover:bg-chip md:flex-col md:justify-start md:py-4"
      >
        <span className="text-lg font-bold group-hover:underline">
          {children}
          {says && <span className="sr-only">:</span>}
        </span>
        {says && <span className="text-sm text-ink-2">{says}</span>}
      </a>
    </li>
  );
}
