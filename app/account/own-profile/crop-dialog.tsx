import { useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { messageOf } from '#app/errors.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';

/** The largest size in which an avatar is stored. */
const edge = 512;

async function cropImage(file: File, { x, y, width, height }: Area): Promise<File> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const canvas = Object.assign(document.createElement('canvas'), { width: edge, height: edge });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('Your browser can’t edit images.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, x, y, width, height, 0, 0, edge, edge);
  picture.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));
  if (!blob) throw new Error(`${file.name} couldn’t be opened.`);
  return new File([blob], 'avatar.jpg', { type: blob.type });
}

interface CropDialogProps {
  file: File;
  /** An object URL of the file. */
  picture: string;
  onClose: () => void;
  onCut: (file: File) => void;
}

/** Chooses the square of a picture that becomes the avatar; the rest never leaves the device. */
export function CropDialog({ file, picture, onClose, onCut }: CropDialogProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area>();
  const unreadable = () => {
    toast({ tone: 'error', title: 'Error', text: `${file.name} isn’t an image that your browser can open` });
    onClose();
  };
  return (
    <Dialog
      onClose={onClose}
      title="Crop your photo"
      description="Drag the photo or use the arrow keys to position it in the circle."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!area}
            onClick={() =>
              area &&
              void cropImage(file, area).then(onCut, (error: unknown) =>
                toast({ tone: 'error', title: 'Error', text: messageOf(error, '') }),
              )
            }
          >
            Use photo
          </Button>
        </>
      }
    >
      <div className="relative mt-5 h-72 overflow-hidden rounded-md bg-sunken md:h-80">
        <Cropper
          image={picture}
          crop={crop}
          zoom={zoom}
          aspect={1}
          cropShape="round"
          showGrid={false}
          disableAutomaticStylesInjection
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_hundredths, pixels) => setArea(pixels)}
          mediaProps={{ onError: unreadable }}
          cropperProps={{ role: 'group', 'aria-label': 'Crop area' }}
        />
      </div>
      <label className="mt-4 flex items-center gap-4">
        <span className="font-bold">Zoom</span>
        <input
          type="range"
          min={1}
          max={4}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(event.target.valueAsNumber)}
          className="h-11 flex-1 accent-accent"
        />
      </label>
    </Dialog>
  );
}
