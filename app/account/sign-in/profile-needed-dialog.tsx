import { useNavigate } from 'react-router';
import { keepReturnPath } from '#app/require-sign-in.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';

/** Shown when the database has refused a member who has not completed their profile. */
export function ProfileNeeded({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog
      onClose={onClose}
      title="Complete your profile first"
      description="Colleagues want to know who they’re hearing from. Add your name, and confirm that you’re a healthcare professional aged 18 or over. We’ll bring you back here afterwards."
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button
            variant="primary"
            onClick={() => {
              keepReturnPath();
              onClose();
              void navigate('/complete-profile');
            }}
          >
            Complete profile
          </Button>
        </>
      }
    />
  );
}
