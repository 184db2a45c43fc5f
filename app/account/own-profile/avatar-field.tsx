import { useEffect, useState } from 'react';
import { FileButton } from '#app/ui/controls/input.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Avatar } from '#app/ui/surfaces/avatar.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';

const CropDialog = lazyDialog(() => import('./crop-dialog.tsx'), 'CropDialog');

interface AvatarFieldProps {
  name: string;
  /** URL of the current picture. */
  current: string | null;
  file: File | null;
  onChoose: (file: File) => void;
}

/** The member’s photo as it is or will be, and a button by which another is chosen and cropped; it is not sent here. */
export function AvatarField({ name, current, file, onChoose }: AvatarFieldProps) {
  const [chosen, setChosen] = useState<File | null>(null);
  const preview = useFileAddress(file);
  const uncut = useFileAddress(chosen);
  return (
    <div className="flex flex-wrap items-center gap-5">
      <Avatar name={name || '?'} src={preview ?? current} size={96} />
      <div className="min-w-0 flex-1 basis-40">
        <FileButton
          accept="image/*"
          onChoose={([picture]) => {
            if (picture?.type.startsWith('image/')) setChosen(picture);
            else if (picture) toast({ tone: 'error', title: 'Error', text: 'Please choose an image file' });
          }}
        >
          {preview || current ? 'Change photo' : 'Upload photo'}
        </FileButton>
        <p className="mt-2 text-sm text-ink-3">Optional. You can crop it next.</p>
      </div>
      {chosen && uncut && (
        <CropDialog
          file={chosen}
          picture={uncut}
          onClose={() => setChosen(null)}
          onCut={(cut) => {
            onChoose(cut);
            setChosen(null);
          }}
        />
      )}
    </div>
  );
}

/** An object URL by which the page shows a file of this device. */
function useFileAddress(file: File | null): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!file) return setAddress(undefined);
    const objectUrl = URL.createObjectURL(file);
    setAddress(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [file]);
  return address;
}
