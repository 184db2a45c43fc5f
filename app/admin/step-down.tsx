import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { lazyDialog } from '#app/ui/region.tsx';

const RemoveRoleDialog = lazyDialog(() =>
  import('#app/member-management/remove-role-dialog.tsx').then((module) => module.RemoveRoleDialog),
);

/** Lets a moderator give up the role; without it, they leave the dashboard. */
export function StepDown({ memberId }: { memberId: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="quiet" size="bar" onClick={() => setAsking(true)}>
        Step down as moderator
      </Button>
      {asking && (
        <RemoveRoleDialog
          memberId={memberId}
          question="You can no longer review solutions, suggestions and reports. Only an admin can make you a moderator again."
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
