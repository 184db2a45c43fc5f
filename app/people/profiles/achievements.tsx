import { BadgeDisc } from '#app/people/members/badge-disc.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import type { Achievements as Earned } from './data.ts';

const guide = [
  ['Share a solution', 50],
  ['Report how a solution went for you', 20],
  ['Create a forum topic', 20],
  ['Post a comment', 10],
  ['Receive a like', 5],
] as const;

/** Points and badges of a member. */
export function Achievements({ points, badges }: Earned) {
  return (
    <>
      <p className="flex items-baseline gap-2">
        <span className="text-3xl font-bold tabular-nums">{points.toLocaleString('en-GB')}</span>
        <span className="text-ink-2">total points</span>
      </p>
      {badges.length > 0 ? (
        <ul className="mt-5 grid gap-4 sm:grid-cols-2 lg:grid-cols-1">
          {badges.map(({ badge }) => (
            <li key={badge.id} className="flex items-center gap-3.5">
              <BadgeDisc badge={badge} />
              <div>
                <p className="font-title">{badge.name}</p>
                <p className="text-sm text-ink-2">{badge.description}</p>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <div className="mt-5">
          <EmptyState icon="icon-award">Start contributing to earn your first badge.</EmptyState>
        </div>
      )}
    </>
  );
}

/** The public rules for earning points. */
export function PointsGuide() {
  return (
    <>
      <dl>
        {guide.map(([what, points]) => (
          <div key={what} className="flex justify-between gap-4 border-b py-2 last:border-0">
            <dt>{what}</dt>
            <dd className="font-title whitespace-nowrap tabular-nums">{points} points</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-ink-3">
        Solutions and trial reports earn points once approved. Deleted content and withdrawn likes lose their
        points. You keep your badges.
      </p>
    </>
  );
}
