import { Camera, ImageUp } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_VIDEO_MINUTES } from '#app/solution/solutions/form-schema.ts';
import { FileButton } from '#app/ui/controls/input.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { kindOf, MEDIA_TYPES } from '../../../media/sniff.ts';
import {
  isBuildFile,
  type Upload,
  type UploadProblem,
  type UploadQueue,
  type Uploads,
} from './upload-queue.ts';
import { UploadRow } from './upload-row.tsx';

/** Says why a file was refused. */
export const sayRefused = (problem: UploadProblem) => toast({ tone: 'error', ...problem });

interface MediaSectionProps {
  queue: UploadQueue;
  uploads: Uploads;
  /** Takes a file that was chosen here as the build file that it is. */
  onBuildFile?: (id: string) => void;
}

/** Where images and videos are chosen, dropped, pasted or photographed, and put into their order. */
export function MediaSection({ queue, uploads, onBuildFile }: MediaSectionProps) {
  const id = useId();
  const [draggedOver, setDraggedOver] = useState(false);
  const [moved, setMoved] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const items = uploads.items.filter((item) => !isBuildFile(item));
  const count = items.length;
  const { maxFiles, noVideos } = queue.purpose;
  const usable = items.filter(({ state }) => state !== 'refused').length;
  const heldCount = items.filter(({ state }) => state === 'held').length;
  // What had the focus keeps it: a row that is moved in the page may lose it.
  const move = ({ id: moving, name }: Upload, to: number) => {
    const focused = document.activeElement;
    flushSync(() => queue.moveTo(moving, to));
    if (focused instanceof HTMLElement && list.current?.contains(focused)) focused.focus();
    setMoved(`${name} is now ${to + 1} of ${count}`);
  };
  const add = (files: Iterable<File>) => void queue.add(files, sayRefused);
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      void queue.add(clipboardData?.files ?? [], sayRefused);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [queue]);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping files is a short cut for the button inside */}
      <div
        className={classes(
          'flex flex-col gap-3 rounded-md border border-dashed border-line-2 bg-surface p-3 md:flex-row md:items-center md:gap-4 md:px-6 md:py-5',
          draggedOver && 'border-accent bg-accent-soft',
        )}
        onDragOver={(event) => {
          event.preventDefault();
          setDraggedOver(true);
        }}
        onDragLeave={() => setDraggedOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setDraggedOver(false);
          add(event.dataTransfer.files);
        }}
      >
        <ImageUp className="size-6 shrink-0 max-md:hidden text-accent" strokeWidth={1.75} aria-hidden />
        <p id={`${id}-limits`} className="flex-1 max-md:text-sm">
          <span className="block">
            <span className="font-bold">Images</span> JPEG, PNG or WebP, each under&nbsp;10MB
          </span>
          {!noVideos && (
            <span className="block">
              <span className="font-bold">Videos</span> MP4 or WebM, each under&nbsp;50MB and up to&nbsp;
              {MAX_VIDEO_MINUTES}&nbsp;minutes
            </span>
          )}
          <span className="block text-ink-3">
            Up to {maxFiles} files.{usable > 0 && ` ${Math.max(maxFiles - usable, 0)} left.`}
          </span>
        </p>
        <div className="flex flex-wrap gap-3">
          <FileButton
            id={id}
            multiple
            accept={MEDIA_TYPES.filter((type) => !noVideos || kindOf(type) === 'image').join(',')}
            aria-describedby={`${id}-limits`}
            onChoose={add}
          >
            Choose files
          </FileButton>
          <FileButton
            accept="image/jpeg"
            capture="environment"
            className="pointer-fine:hidden"
            onChoose={add}
          >
            <Camera className="size-5" strokeWidth={1.75} aria-hidden />
            Take a photo
          </FileButton>
        </div>
      </div>
      {count > 0 && (
        <>
          <ul ref={list} aria-label="Chosen files" className="mt-2">
            {items.map((upload, place) => (
              <UploadRow
                key={upload.id}
                upload={upload}
                place={place}
                count={count}
                isThumbnail={upload.id === uploads.thumbnailId}
                queue={queue}
                onMove={(to) => move(upload, to)}
                onBuildFile={
                  onBuildFile &&
                  (() => {
                    // Its row goes, and with it what has the focus.
                    document.getElementById(id)?.focus({ preventScroll: true });
                    onBuildFile(upload.id);
                  })
                }
              />
            ))}
          </ul>
          <p role="status" className="sr-only">
            {moved}
          </p>
          {heldCount > 0 && (
            <p className="mt-3 text-sm text-ink-2">
              {heldCount === 1 ? 'One image is' : `${heldCount} images are`} kept on this device and uploaded
              when you submit, so that you can hide faces and labels first.
            </p>
          )}
        </>
      )}
    </>
  );
}
