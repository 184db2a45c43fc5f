import { ArrowDown, ArrowUp, EllipsisVertical, Image, Trash2, Upload as UploadIcon } from 'lucide-react';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#app/ui/controls/menu.tsx';
import type { Upload, UploadQueue } from './upload-queue.ts';

export interface UploadRowProps {
  upload: Upload;
  /** From 0. */
  place: number;
  count: number;
  isThumbnail: boolean;
  queue: UploadQueue;
  onMove: (place: number) => void;
}

/** What can be done with a chosen file. Loaded with the first file, since menus are heavy. */
export function UploadMenu({ upload, place, count, isThumbnail, queue, onMove }: UploadRowProps) {
  const { id, name, kind, state } = upload;
  const hasFailed = state === 'failed' || state === 'refused';
  return (
    <Menu
      trigger={
        <button type="button" className={buttonClass('quiet', 'icon', 'text-ink hover:text-accent-hover')}>
          <EllipsisVertical className="size-5" strokeWidth={1.75} aria-hidden />
          <span className="sr-only">Options for {name}</span>
        </button>
      }
    >
      {state === 'held' && (
        <MenuItem onSelect={() => queue.send(id)}>
          <UploadIcon aria-hidden />
          Upload now
        </MenuItem>
      )}
      {queue.purpose.hasThumbnail && kind === 'image' && !hasFailed && !isThumbnail && (
        <MenuItem onSelect={() => queue.chooseThumbnail(id)}>
          <Image aria-hidden />
          Use as thumbnail
        </MenuItem>
      )}
      {place > 0 && (
        <MenuItem onSelect={() => onMove(place - 1)}>
          <ArrowUp aria-hidden />
          Move up
        </MenuItem>
      )}
      {place < count - 1 && (
        <MenuItem onSelect={() => onMove(place + 1)}>
          <ArrowDown aria-hidden />
          Move down
        </MenuItem>
      )}
      {(place > 0 || place < count - 1) && <MenuSeparator />}
      <MenuItem className="text-red-ink [&_svg]:text-red-ink" onSelect={() => queue.remove(id)}>
        <Trash2 aria-hidden />
        Remove
      </MenuItem>
    </Menu>
  );
}
