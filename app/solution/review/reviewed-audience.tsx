import type { Solution } from '#app/solution/solutions/data.ts';
import { audienceLabel } from '#app/solution/solutions/value-lists.ts';

const SO_FAR: Record<string, string> = {
  public: 'so far everyone',
  members: 'so far members',
  checked: 'so far checked professionals',
};

/** Who will see a solution once it is approved, and who sees it now where that differs. */
export function ReviewedAudience({ solution, now }: { solution: Solution; now: string | undefined }) {
  const changes = now !== undefined && now !== solution.audience;
  return (
    <>
      {audienceLabel(solution.audience)}
      {changes && `, ${SO_FAR[now]}`}
    </>
  );
}
