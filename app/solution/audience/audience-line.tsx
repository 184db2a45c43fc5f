import { audienceLabel } from '#app/solution/solutions/value-lists.ts';

/** For whom a solution is, where it is not for everyone. */
export function AudienceLine({ audience }: { audience: string }) {
  if (audience === 'public') return null;
  return (
    <span className="with-icon icon-lock inline-flex items-center gap-1.5 before:size-4">
      Who can see it: {audienceLabel(audience)}
    </span>
  );
}
