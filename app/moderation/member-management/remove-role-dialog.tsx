import { useAction } from '#app/frame/context/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { ConfirmDialog } from '#app/ui/surfaces/confirm-dialog.tsx';
import { removeModerator } from './data.ts';

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
      verb="Remove Role"
      busy={removal.isPending && 'Removing'}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}
