import { useRoleRemoval } from '#app/moderation/member-management/use-role-removal.ts';
import { Button } from '#app/ui/controls/button.tsx';

/** Lets a moderator give up the role; without it, they leave the dashboard. */
export function StepDown({ memberId }: { memberId: string }) {
  const removal = useRoleRemoval(
    memberId,
    'You will no longer be able to review solutions, suggestions and reports. Only an admin can make you a moderator again.',
  );
  return (
    <>
      <Button
        variant="quiet"
        size="bar"
        className="mt-4 text-sm max-lg:-ms-4 lg:px-3"
        onClick={() => removal.ask()}
      >
        Step down as moderator
      </Button>
      {removal.dialog}
    </>
  );
}
