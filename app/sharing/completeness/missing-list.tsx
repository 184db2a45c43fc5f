import { Link } from 'react-router';
import { laterParts } from '#app/sharing/submission/use-step.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { missingOf } from './missing.ts';

/** Tells the author of a published case what its readers look for and do not find. */
export function MissingList({ solution }: { solution: Solution }) {
  const missing = missingOf(solution);
  if (missing.length === 0) return null;
  const form = `/upload?solution=${solution.id}`;
  return (
    <section className="print:hidden">
      <h3 className="text-sm text-ink-3">What readers will miss</h3>
      <ul className="mt-1 flex flex-col gap-2">
        {missing.map(({ text, part }) => (
          <li key={text}>
            <Link to={part ? `${form}#${laterParts[part]}` : form} className="reach link">
              {text}
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-ink-3">
        Only you see this list, which follows the{' '}
        <a href="https://www.care-statement.org/checklist" rel="noopener noreferrer" className="link">
          CARE checklist
        </a>{' '}
        for case reports.
      </p>
    </section>
  );
}
