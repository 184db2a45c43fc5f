import { useEffect, useEffectEvent, useState } from 'react';
import { forgetKeptHere, type KeptHere, keptHere } from '#app/sharing/outbox/kept-here.ts';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';

interface SignOutDialogProps {
  userId: string;
  onSignOut: () => Promise<void>;
  onClose: () => void;
}

/** Signs out; where the device, which others may use, would keep something of the member's, it says so first. */
export function SignOutDialog({ userId, onSignOut, onClose }: SignOutDialogProps) {
  const [kept, setKept] = useState<KeptHere>();
  const begin = useEffectEvent(async (isCurrent: () => boolean) => {
    const found = await keptHere(userId);
    if (!isCurrent()) return;
    if (found.texts > 0 || found.files !== 0) return setKept(found);
    await onSignOut();
    onClose();
  });
  useEffect(() => {
    let isCurrent = true;
    void begin(() => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, []);
  return kept && <Question kept={kept} userId={userId} onSignOut={onSignOut} onClose={onClose} />;
}

/** Says what would stay, and offers to remove it. */
function Question({ kept, userId, onSignOut, onClose }: SignOutDialogProps & { kept: KeptHere }) {
  // What was submitted and waits to be sent is not given up without a choice.
  const [isRemoving, setIsRemoving] = useState(kept.files !== 0 && !kept.isWaiting);
  const [isBusy, setIsBusy] = useState(false);
  const files =
    kept.files === null
      ? 'files that can’t be read now'
      : kept.files === 1
        ? 'an image, video or file'
        : `${kept.files} images, videos or files`;
  const what = new Intl.ListFormat('en-GB').format([
    ...(kept.texts > 0 ? [kept.texts === 1 ? 'a draft' : `${kept.texts} drafts`] : []),
    ...(kept.files === 0 ? [] : [files]),
  ]);
  const leave = async () => {
    setIsBusy(true);
    if (isRemoving) await forgetKeptHere(userId);
    await onSignOut();
    onClose();
  };
  return (
    <Dialog
      onClose={onClose}
      onSubmit={() => void leave()}
      title="Sign out"
      description={`This device keeps ${what} of yours. Other members who sign in here won’t see it, but someone with access to the device could find it.${kept.isWaiting ? ' A solution you submitted is sent when you sign in again.' : ''}`}
      action={{ label: 'Sign out', busy: isBusy && 'Signing out' }}
    >
      <Checkbox
        className="mt-4"
        checked={isRemoving}
        onChange={({ target }) => setIsRemoving(target.checked)}
      >
        Remove it all from this device. Anything not sent yet is lost.
      </Checkbox>
    </Dialog>
  );
}
