import { Link } from 'react-router';
import { laterParts } from '#app/sharing/submission/use-step.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { missingOf } from './missing.ts';

/** Tells the author of a published case what its readers look for and do not find, folded up. */
export function MissingList({ solution }: { solution: Solution }) {
  const missing = missingOf(solution);
  if (missing.length === 0) return null;
  const form = `/upload?solution=${solution.id}`;
  return (
    <details open={!solution.licence} className="rounded-md border bg-surface px-5 md:px-6 print:hidden">
      <summary className="disclosure min-h-12 font-title">What readers will miss</summary>
      <p className="text-ink-2">
        Only you see this list. It follows the{' '}
        <a href="https://www.care-statement.org/checklist" rel="noopener noreferrer" className="link">
          CARE checklist
        </a>{' '}
        for reports of cases; what does not fit yours can stay out.
      </p>
      <ul className="mt-2 mb-4 list-disc ps-5">
        {missing.map(({ text, part }) => (
          <li key={text} className="min-h-11 py-1.5">
            <Link to={part ? `${form}#${laterParts[part]}` : form} className="reach link">
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
