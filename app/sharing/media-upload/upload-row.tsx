import { EyeOff, Film, Image, RotateCcw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { lazyDialog, lazyPart } from '#app/ui/states/region.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { DragHandle } from './drag-handle.tsx';
import type { UploadRowProps } from './upload-menu.tsx';
import { UploadState } from './upload-state.tsx';

const MaskDialog = lazyDialog(() => import('./mask-dialog.tsx'), 'MaskDialog');
const UploadMenu = lazyPart(() => import('./upload-menu.tsx'), 'UploadMenu');

/** A chosen file: one line with its state and one menu, and its description below. */
export function UploadRow({
  onBuildFile,
  ...props
}: UploadRowProps & { onBuildFile: (() => void) | undefined }) {
  const { upload, place, count, isThumbnail, queue, onMove } = props;
  const { id, name, kind, state, problem, preview } = upload;
  const [unreadable, setUnreadable] = useState(false);
  const [masking, setMasking] = useState<File>();
  const hasFailed = state === 'failed' || state === 'refused';
  const Icon = hasFailed ? TriangleAlert : kind === 'video' ? Film : Image;
  const mask = () => setMasking(queue.fileOf(id));
  return (
    <li data-upload={id} className="border-b bg-bg py-4">
      <div className="flex items-center gap-2 md:gap-3">
        <DragHandle name={name} place={place} count={count} onMove={onMove} />
        <div
          className={classes(
            'flex h-14 w-18 shrink-0 items-center justify-center overflow-hidden rounded-md md:h-18 md:w-24',
            hasFailed ? 'bg-red-soft text-red-ink' : 'bg-chip text-ink-2',
          )}
        >
          {preview && !hasFailed && !unreadable ? (
            <img
              src={preview}
              alt=""
              draggable={false}
              className="picture size-full object-contain"
              onError={() => setUnreadable(true)}
            />
          ) : (
            <Icon className="size-5" strokeWidth={1.75} aria-hidden />
          )}
        </div>
        <div className="min-w-0 flex-1">
          <div aria-live="polite">
            <p className="truncate font-bold" title={name}>
              <bdi>{name}</bdi>
            </p>
            <UploadState upload={upload} />
          </div>
          {(isThumbnail || upload.isCovered) && !hasFailed && (
            <p className="mt-1 flex flex-wrap gap-2">
              {isThumbnail && <Badge tone="warm">Thumbnail</Badge>}
              {upload.isCovered && <Badge>Details hidden</Badge>}
            </p>
          )}
        </div>
        {state === 'failed' && (
          <Button size="icon" onClick={() => queue.send(id)}>
            <RotateCcw className="size-5" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">Retry {name}</span>
          </Button>
        )}
        {state === 'held' && (
          <Button size="small" className="max-sm:size-11 max-sm:p-0" onClick={mask}>
            <EyeOff className="size-4" strokeWidth={2} aria-hidden />
            <span className="max-sm:sr-only">Hide details</span>
            <span className="sr-only"> in {name}</span>
          </Button>
        )}
        <div className="size-11 shrink-0">
          <UploadMenu {...props} />
        </div>
      </div>
      {problem && <p className="mt-2 text-sm text-red-ink wrap-anywhere">{problem.text}</p>}
      {upload.isMisplaced && onBuildFile && (
        <Button size="small" className="mt-2" onClick={onBuildFile}>
          Add<span className="sr-only"> {name}</span> to build files
        </Button>
      )}
      {masking && preview && (
        <MaskDialog
          file={masking}
          preview={preview}
          onClose={() => setMasking(undefined)}
          onMasked={(file) => {
            queue.replace(id, file);
            setMasking(undefined);
          }}
        />
      )}
      {!hasFailed && (
        <Field
          label={
            <>
              {kind === 'video' ? 'Video description' : 'Image description'}
              <span className="sr-only"> of {name}</span>
            </>
          }
          optional
          hint="For people who can’t see it"
          className="mt-3 md:ps-14"
        >
          <Input
            maxLength={500}
            value={upload.description}
            onChange={(event) => queue.describe(id, { description: event.target.value })}
          />
        </Field>
      )}
    </li>
  );
}
