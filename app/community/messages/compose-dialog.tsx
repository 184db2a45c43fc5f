import { useNavigate } from 'react-router';
import { MemberSearch } from '#app/people/members/member-search.tsx';
import { Button } from '#app/ui/controls/button.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { COMPOSING, conversationUrl } from './reply.ts';

/** Finds the member for a new message, and leads to the conversation with them. */
export function ComposeDialog({ memberId, onClose }: { memberId: string; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog onClose={onClose} title="New message" actions={<Button onClick={onClose}>Cancel</Button>}>
      <MemberSearch
        label="To"
        hint="Search by name or username."
        except={memberId}
        onChoose={({ id }) => {
          onClose();
          void navigate(conversationUrl(id), { state: COMPOSING });
        }}
      />
    </Dialog>
  );
}
