import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { Panel } from '#app/ui/surfaces/panel.tsx';

const states = [
  { key: 'approved', label: 'Approved', fill: 'fill-ok' },
  { key: 'pending', label: 'Pending', fill: 'fill-amber' },
  { key: 'rejected', label: 'Rejected', fill: 'fill-red' },
] as const;

/** The number and share of the solutions in each state, with a way to those that wait. */
export function SolutionsByStatus({ counts }: { counts: Record<(typeof states)[number]['key'], number> }) {
  const all = states.reduce((total, { key }) => total + counts[key], 0);
  const share = (count: number) => (all ? count / all : 0);
  let before = 0;
  return (
    <Panel title="Solutions by status">
      <table className="mt-3 w-full">
        <thead>
          <tr className="border-b text-sm text-ink-3">
            <th scope="col" className="py-2 text-start font-medium">
              Status
            </th>
            <th scope="col" className="text-end font-medium">
              Solutions
            </th>
            <th scope="col" className="text-end font-medium">
              Share
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {states.map(({ key, label, fill }) => (
            <tr key={key}>
              <th scope="row" className="py-3 text-start font-normal">
                <span className="flex items-center gap-2">
                  <svg width="12" height="12" aria-hidden>
                    <rect width="12" height="12" rx="2.5" className={fill} />
                  </svg>
                  {label}
                </span>
              </th>
              <td className="text-end tabular-nums">{counts[key].toLocaleString('en-GB')}</td>
              <td className="text-end tabular-nums">{Math.round(share(counts[key]) * 100)}%</td>
            </tr>
          ))}
        </tbody>
      </table>
      <svg width="100%" height="10" className="mt-5 block" aria-hidden>
        <rect width="100%" height="10" rx="3" className="fill-sunken" />
        {states.map(({ key, fill }) => {
          const start = before;
          before += share(counts[key]);
          return (
            <rect
              key={key}
              x={`${start * 100}%`}
              width={`${share(counts[key]) * 100}%`}
              height="10"
              rx="2"
              className={fill}
            />
          );
        })}
      </svg>
      <Link to="?tab=solutions" className="link mt-6 inline-flex items-center gap-2">
        Pending Solutions
        <ArrowRight className="size-4" strokeWidth={2} aria-hidden />
      </Link>
    </Panel>
  );
}
