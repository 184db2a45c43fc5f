import { useNavigate } from 'react-router';
import { MemberSearch } from '#app/frame/members/member-search.tsx';
import { Button } from '#app/ui/controls/button.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { COMPOSING, conversationUrl } from './reply.ts';
import { useConversations } from './use-messages.ts';

/** Finds the member for a new message, and leads to the conversation with them. */
export function ComposeDialog({ memberId, onClose }: { memberId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const { conversations } = useConversations(memberId);
  const recent = (conversations ?? []).flatMap(({ other }) =>
    other?.username ? [{ ...other, username: other.username, allow_messages: true }] : [],
  );
  return (
    <Dialog onClose={onClose} title="New message" actions={<Button onClick={onClose}>Cancel</Button>}>
      <MemberSearch
        label="To"
        hint="Search by name or username."
        except={memberId}
        recent={recent.slice(0, 4)}
        onChoose={({ id }) => {
          onClose();
          void navigate(conversationUrl(id), { state: COMPOSING });
        }}
      />
    </Dialog>
  );
}
