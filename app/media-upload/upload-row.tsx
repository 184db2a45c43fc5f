import {
  ArrowDown,
  ArrowUp,
  CircleCheck,
  Clock,
  EyeOff,
  Film,
  Image,
  RotateCcw,
  TriangleAlert,
  X,
} from 'lucide-react';
import { useId, useState } from 'react';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { classes } from '#app/ui/classes.ts';
import { Input } from '#app/ui/input.tsx';
import { lazyDialog } from '#app/ui/region.tsx';
import type { Upload, UploadQueue } from './upload-queue.ts';

const MaskDialog = lazyDialog(() => import('./mask-dialog.tsx').then((module) => module.MaskDialog));

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
const sizeOf = (bytes: number) =>
  bytes < 104_858 ? `${Math.ceil(bytes / 1024)} KB` : `${megabytes(bytes)} MB`;

export function UploadRow({
  upload,
  isThumbnail,
  queue,
}: {
  upload: Upload;
  isThumbnail: boolean;
  queue: UploadQueue;
}) {
  const id = useId();
  const { name, kind, state, problem, preview } = upload;
  const [unreadable, setUnreadable] = useState(false);
  const [masking, setMasking] = useState<File>();
  const hasFailed = state === 'failed' || state === 'refused';
  const Icon = hasFailed ? TriangleAlert : kind === 'video' ? Film : Image;
  return (
    <li className="border-b py-4">
      <div className="flex items-start gap-3 md:gap-4">
        <div
          className={classes(
            'flex h-12 w-20 shrink-0 items-center justify-center overflow-hidden rounded-md md:h-18 md:w-32',
            hasFailed ? 'bg-red-soft text-red-ink' : 'bg-chip text-ink-2',
          )}
        >
          {preview && !hasFailed && !unreadable ? (
            <img
              src={preview}
              alt=""
              className="picture size-full object-cover"
              onError={() => setUnreadable(true)}
            />
          ) : (
            <Icon className="size-5" strokeWidth={1.75} aria-hidden />
          )}
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-2.5">
          <div aria-live="polite">
            <p className="font-title wrap-anywhere">{problem ? problem.title : name}</p>
            <State upload={upload} />
          </div>
          <div className="flex flex-wrap gap-2 empty:hidden">
            {state === 'failed' && (
              <Button size="small" onClick={() => queue.send(upload.id)}>
                <RotateCcw className="size-4" strokeWidth={2} aria-hidden />
                Retry<span className="sr-only"> {name}</span>
              </Button>
            )}
            {state === 'held' && (
              <>
                <Button size="small" onClick={() => setMasking(queue.fileOf(upload.id))}>
                  <EyeOff className="size-4" strokeWidth={2} aria-hidden />
                  Cover details<span className="sr-only"> in {name}</span>
                </Button>
                <Button size="small" onClick={() => queue.send(upload.id)}>
                  Upload<span className="sr-only"> {name}</span>
                </Button>
              </>
            )}
            {kind === 'image' && (state === 'ready' || state === 'held') && (
              <label
                className={classes(
                  buttonClass(
                    'default',
                    'small',
                    'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
                  ),
                  isThumbnail && 'border-warm bg-warm-soft text-warm-ink hover:bg-warm-soft',
                )}
              >
                <input
                  type="radio"
                  name="thumbnail"
                  className="sr-only"
                  checked={isThumbnail}
                  onChange={() => queue.chooseThumbnail(upload.id)}
                  aria-label={`Use ${name} as thumbnail`}
                />
                {isThumbnail && <Image className="size-4" strokeWidth={2} aria-hidden />}
                {isThumbnail ? 'Thumbnail' : 'Use as thumbnail'}
              </label>
            )}
          </div>
        </div>
        <div className="flex shrink-0 flex-col md:flex-row">
          <MoveButton queue={queue} upload={upload} by={-1} />
          <MoveButton queue={queue} upload={upload} by={1} />
        </div>
        <button
          type="button"
          className={buttonClass('quiet', 'icon', 'text-ink hover:text-accent-hover')}
          onClick={() => queue.remove(upload.id)}
        >
          <X className="size-5" strokeWidth={1.75} aria-hidden />
          <span className="sr-only">Remove {name}</span>
        </button>
      </div>
      {masking && preview && (
        <MaskDialog
          file={masking}
          preview={preview}
          onClose={() => setMasking(undefined)}
          onMasked={(file) => {
            queue.replace(upload.id, file);
            setMasking(undefined);
          }}
        />
      )}
      {!hasFailed && (
        <div className="mt-3 md:pr-[60px] md:pl-36">
          <label htmlFor={id} className="sr-only">
            What {name} shows
          </label>
          <Input
            id={id}
            maxLength={500}
            placeholder="What it shows, for those who cannot see it (optional)"
            value={upload.description}
            onChange={(event) => queue.describe(upload.id, event.target.value)}
          />
        </div>
      )}
    </li>
  );
}

function MoveButton({ queue, upload, by }: { queue: UploadQueue; upload: Upload; by: -1 | 1 }) {
  const Icon = by < 0 ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      className={buttonClass('quiet', 'icon', 'text-ink hover:text-accent-hover')}
      onClick={({ currentTarget }) => {
        queue.move(upload.id, by);
        // The row has moved in the page, which takes the focus from its controls.
        requestAnimationFrame(() => currentTarget.focus());
      }}
    >
      <Icon className="size-5" strokeWidth={1.75} aria-hidden />
      <span className="sr-only">
        Move {upload.name} {by < 0 ? 'up' : 'down'}
      </span>
    </button>
  );
}

function State({ upload: { name, kind, state, sent, size, problem } }: { upload: Upload }) {
  if (problem) return <p className="text-sm text-red-ink wrap-anywhere">{problem.text}</p>;
  if (state === 'ready') {
    return (
      <p className="flex items-start gap-2 text-sm text-ok-ink">
        <CircleCheck className="mt-0.5 size-4 shrink-0" strokeWidth={2} aria-hidden />
        Ready{size > 0 && ` · ${sizeOf(size)}`} · location data removed
      </p>
    );
  }
  if (state === 'held') {
    return <p className="text-sm text-ink-2">On this device · {sizeOf(size)} · sent when you submit</p>;
  }
  if (state === 'waiting') {
    return (
      <p className="flex items-center gap-2 text-sm text-ink-3">
        <Clock className="size-4 shrink-0" strokeWidth={2} aria-hidden />
        Waiting · {sizeOf(size)}
      </p>
    );
  }
  const percent = Math.floor((sent / Math.max(size, 1)) * 100);
  const uploading = state === 'uploading';
  return (
    <>
      <p className="flex justify-between text-sm text-ink-3">
        {uploading
          ? `Uploading · ${megabytes(sent)} of ${sizeOf(size)}`
          : `Processing${kind === 'video' ? ' · this can take a few minutes; you can go on with the form' : ''}`}
        {uploading && <span className="font-bold text-ink tabular-nums">{percent}%</span>}
      </p>
      <div
        role="progressbar"
        aria-label={`${uploading ? 'Uploading' : 'Processing'} ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={uploading ? percent : undefined}
        className="mt-1.5 h-2 overflow-hidden rounded-sm bg-sunken"
      >
        {uploading ? (
          <div className="h-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
        ) : (
          <div className="h-full w-1/3 animate-slide bg-accent" />
        )}
      </div>
    </>
  );
}
