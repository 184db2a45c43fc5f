import { CircleCheck } from 'lucide-react';
import { fileKinds, formatBytes } from '#app/solution/build-files/kinds.ts';
import type { Upload } from './upload-queue.ts';

const sizeOf = (bytes: number) =>
  bytes < 104_858 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** The state of a file in one line, with a bar while it is on its way. */
export function UploadState({ upload }: { upload: Upload }) {
  const { name, kind, state, sent, size, problem, buildFile } = upload;
  if (problem) return <p className="text-sm font-bold text-red-ink">{problem.title}</p>;
  if (state === 'ready')
    return (
      <p className="flex items-start gap-2 text-sm text-ok-ink">
        <CircleCheck className="on-first-line size-4 shrink-0" strokeWidth={2} aria-hidden />
        {buildFile ? (
          <span>
            {fileKinds[buildFile.type] ?? buildFile.type.toUpperCase()} · {formatBytes(size)} · uploaded
          </span>
        ) : (
          <span>Uploaded{size > 0 && ` · ${sizeOf(size)}`} · location data removed</span>
        )}
      </p>
    );
  if (state === 'held') return <p className="text-sm text-ink-2">Not uploaded yet · {sizeOf(size)}</p>;
  if (state === 'waiting') return <p className="text-sm text-ink-3">Waiting · {sizeOf(size)}</p>;
  const percent = Math.floor((sent / Math.max(size, 1)) * 100);
  const uploading = state === 'uploading';
  return (
    <>
      <p className="flex justify-between gap-2 text-sm text-ink-3">
        {uploading
          ? `Uploading · ${sizeOf(sent)} of ${sizeOf(size)}`
          : `Processing${kind === 'video' ? ' · this can take a few minutes; you can keep filling in the form' : ''}`}
        {uploading && <span className="font-bold text-ink tabular-nums">{percent}%</span>}
      </p>
      <div
        role="progressbar"
        aria-label={`${uploading ? 'Uploading' : 'Processing'} ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={uploading ? percent : undefined}
        className="mt-2 h-2 overflow-hidden rounded-sm bg-sunken"
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
