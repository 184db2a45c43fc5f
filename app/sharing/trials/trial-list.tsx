import { Link } from 'react-router';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import type { TrialLine } from './data.ts';
import { ResultBadge } from './result-badge.tsx';

const states: Record<string, string> = { pending: 'Pending review', rejected: 'Changes requested' };

/** A member's reports in a line each, which leads to the report, or to its form while it is not public. */
export function TrialList({ trials }: { trials: TrialLine[] }) {
  return (
    <ul className="divide-y border-y">
      {trials.map(({ id, solution_id, version, result, status, created_at, solution }) => (
        <li key={id} className="py-3">
          <SafetyMark kind={solution?.safety_kind} className="mb-1 flex" />
          <Link
            to={
              status === 'approved'
                ? `/solutions/${solution_id}#trial-${id}`
                : `/solutions/${solution_id}/tried?version=${version}`
            }
            {...textLanguage(solution?.language ?? 'en')}
            className="reach link wrap-anywhere"
          >
            {solution?.title}
          </Link>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
            <ResultBadge result={result} />
            {formatDay(created_at)}
            {states[status] && <Badge tone="amber">{states[status]}</Badge>}
          </p>
        </li>
      ))}
    </ul>
  );
}
