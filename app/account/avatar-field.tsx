import { useEffect, useId, useState } from 'react';
import { Avatar } from '#app/ui/avatar.tsx';
import { buttonClass } from '#app/ui/button.tsx';
import { classes } from '#app/ui/classes.ts';
import { toast } from '#app/ui/toasts.tsx';

interface AvatarFieldProps {
  name: string;
  /** The picture there is now. */
  current: string | null;
  file: File | null;
  onChoose: (file: File) => void;
}

export function AvatarField({ name, current, file, onChoose }: AvatarFieldProps) {
  const id = useId();
  const [preview, setPreview] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return (
    <div className="flex items-center gap-5">
      <Avatar name={name || '?'} src={preview ?? current} size={96} />
      <div>
        <input
          id={id}
          type="file"
          accept="image/*"
          className="peer sr-only"
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            if (!chosen) return;
            if (chosen.type.startsWith('image/')) onChoose(chosen);
            else toast({ tone: 'error', title: 'Error', text: 'Please choose an image file' });
          }}
        />
        <label
          htmlFor={id}
          className={classes(
            buttonClass(),
            'peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus',
          )}
        >
          {preview || current ? 'Change picture' : 'Choose picture'}
        </label>
        <p className="mt-1.5 text-sm text-ink-3">Optional. Cut to a square.</p>
      </div>
    </div>
  );
}
