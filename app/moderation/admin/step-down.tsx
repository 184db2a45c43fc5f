import { useState } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';

const RemoveRoleDialog = lazyDialog(() =>
  import('#app/moderation/member-management/role-dialog.tsx').then((module) => module.RemoveRoleDialog),
);

/** Lets a moderator give up the role; without it, they leave the dashboard. */
export function StepDown({ memberId }: { memberId: string }) {
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        size="bar"
        className="mt-4 text-sm max-lg:-ms-4 lg:px-3"
        onClick={() => setConfirming(true)}
      >
        Step down as moderator
      </Button>
      {confirming && (
        <RemoveRoleDialog
          memberId={memberId}
          question="You will no longer be able to review solutions, suggestions and reports. Only an admin can make you a moderator again."
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
