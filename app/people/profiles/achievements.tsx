import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BadgeDisc } from '#app/frame/members/badge-disc.tsx';
import { browserClient } from '#app/supabase.ts';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { badgesQuery, type Achievements as Earned } from './data.ts';

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
        <BadgeList badges={badges.map(({ badge }) => badge)} />
      ) : (
        <div className="mt-5">
          <EmptyState icon="icon-award">Start contributing to earn your first badge.</EmptyState>
        </div>
      )}
    </>
  );
}

const BadgeList = ({ badges }: { badges: readonly Earned['badges'][number]['badge'][] }) => (
  <ul className="mt-5 grid gap-4 sm:grid-cols-2 lg:grid-cols-1">
    {badges.map((badge) => (
      <li key={badge.id} className="flex items-center gap-4">
        <BadgeDisc badge={badge} />
        <div>
          <p className="font-bold">{badge.name}</p>
          <p className="text-sm text-ink-2">{badge.description}</p>
        </div>
      </li>
    ))}
  </ul>
);

/** Every badge that there is, with what earns it; read once it is unfolded. */
export function BadgeGuide() {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...badgesQuery(browserClient), enabled: isOpen });
  return (
    <details
      className="mt-4 border-t pt-2"
      onToggle={({ currentTarget }) => currentTarget.open && setOpen(true)}
    >
      <summary className="disclosure">How badges are earned</summary>
      {query.data ? (
        <BadgeList badges={query.data} />
      ) : (
        <NotLoaded loading="Loading the badges" failed="Failed to load the badges" query={query} />
      )}
    </details>
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
            <dd className="font-bold whitespace-nowrap tabular-nums">{points} points</dd>
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
