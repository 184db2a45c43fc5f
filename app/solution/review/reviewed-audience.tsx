import type { Solution } from '#app/solution/solutions/data.ts';
import { audienceLabel } from '#app/solution/solutions/value-lists.ts';

/** Who will see a solution once it is approved, and who sees it now where that differs. */
export function ReviewedAudience({ solution, now }: { solution: Solution; now: string | undefined }) {
  const changes = now !== undefined && now !== solution.audience;
  return (
    <>
      {audienceLabel(solution.audience)}
      {changes && `, so far ${audienceLabel(now).toLowerCase()}`}
    </>
  );
}
