import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { ConfirmDialog } from '#app/ui/surfaces/confirm-dialog.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { removeModerator } from './data.ts';

interface RemoveRoleDialogProps {
  memberId: string;
  question: string;
  onClose: () => void;
}

/** Asks before a moderator loses the role, by an admin or by their own wish. */
export function RemoveRoleDialog({ memberId, question, onClose }: RemoveRoleDialogProps) {
  const cache = useQueryClient();
  const removal = useMutation({
    mutationFn: async () => removeModerator(await browserClient(), memberId),
    onSuccess: () => {
      toast({ tone: 'success', title: 'Moderator role removed' });
      onClose();
      void cache.invalidateQueries({ queryKey: ['moderation', 'members'] });
      void cache.invalidateQueries({ queryKey: ['viewer', memberId] });
    },
    onError: (error) =>
      toast({ tone: 'error', title: 'Failed to remove moderator role', text: messageOf(error, '') }),
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
