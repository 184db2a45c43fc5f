import { Button } from '#app/ui/controls/button.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { StaffNotes } from './staff-notes.tsx';

interface NotesDialogProps {
  memberId: string;
  name: string;
  onClose: () => void;
}

/** The notes on a member and on what they sent. */
export function NotesDialog({ memberId, name, onClose }: NotesDialogProps) {
  return (
    <Dialog title={`Notes on ${name}`} onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <StaffNotes item={null} memberId={memberId} isDialog />
    </Dialog>
  );
}
