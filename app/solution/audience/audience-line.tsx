import { audienceLabel, audiences } from '#app/solution/solutions/value-lists.ts';

const place = (audience: string) => audiences.findIndex(({ value }) => value === audience);

/**
 * For whom a solution is, where it is not for everyone, or something with it that not all of its readers see.
 *
 * @param within the audience that readers know of already
 */
export function AudienceLine({ audience, within = 'public' }: { audience: string; within?: string }) {
  if (place(audience) <= place(within)) return null;
  return (
    <span className="with-icon icon-lock inline-flex items-center gap-2 before:size-4">
      Who can see it: {audienceLabel(audience)}
    </span>
  );
}
