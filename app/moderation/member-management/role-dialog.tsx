import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { ConfirmDialog } from '#app/ui/surfaces/confirm-dialog.tsx';
import { makeModerator, removeModerator } from './data.ts';

interface RemoveRoleDialogProps {
  memberId: string;
  question: string;
  onClose: () => void;
}

/** Asks before a moderator loses the role, by an admin or by their own wish. */
export function RemoveRoleDialog({ memberId, question, onClose }: RemoveRoleDialogProps) {
  const removal = useAction({
    act: async () => removeModerator(await browserClient(), memberId),
    done: 'Moderator role removed',
    failed: 'Failed to remove moderator role',
    onDone: onClose,
    refresh: [
      ['moderation', 'members'],
      ['viewer', memberId],
    ],
  });
  return (
    <ConfirmDialog
      title="Remove Moderator Role"
      question={question}
      verb="Remove role"
      busy={removal.isPending && 'Removing'}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}

interface MakeModeratorDialogProps {
  memberId: string;
  name: string;
  onClose: () => void;
}

/** Asks before a member gets the role. */
export function MakeModeratorDialog({ memberId, name, onClose }: MakeModeratorDialogProps) {
  const promotion = useAction({
    act: async () => makeModerator(await browserClient(), memberId),
    done: 'User promoted to moderator',
    failed: 'Failed to make moderator',
    onDone: onClose,
    refresh: [['moderation', 'members']],
  });
  return (
    <ConfirmDialog
      title="Make Moderator"
      question={`${name} will be able to review solutions, suggestions and reports, and to remove what members publish.`}
      verb="Make Moderator"
      busy={promotion.isPending && 'Saving'}
      onConfirm={() => promotion.mutate()}
      onClose={onClose}
    />
  );
}
