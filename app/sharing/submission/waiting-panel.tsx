import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useOnline } from '#app/frame/offline/online.ts';
import { renewKeptUploads } from '#app/sharing/media-upload/kept-uploads.ts';
import type { UploadQueue } from '#app/sharing/media-upload/upload-queue.ts';
import { UploadState } from '#app/sharing/media-upload/upload-state.tsx';
import { draftKey } from '#app/sharing/outbox/draft-key.ts';
import { forgetSubmitted, formPath, type Submitted, useSending } from '#app/sharing/outbox/submitted.ts';
import { LaterCards } from '#app/sharing/submission/later-cards.tsx';
import { Button } from '#app/ui/controls/button.tsx';
import { sendSubmitted } from './send-submitted.ts';

interface WaitingPanelProps {
  submitted: Submitted;
  /** The form in whose place it is had the focus. */
  takesFocus: boolean;
}

/** Stands in the place of a form that was submitted without a connection. */
export function WaitingPanel({ submitted, takesFocus }: WaitingPanelProps) {
  const { target, title, fileCount } = submitted;
  const cache = useQueryClient();
  const isOnline = useOnline();
  const sending = useSending(target);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  const edit = async () => {
    await renewKeptUploads(draftKey(target)).catch(() => undefined);
    forgetSubmitted(target);
  };
  return (
    <section
      aria-labelledby="waiting"
      className="mt-3 max-w-[640px] rounded-md border bg-surface px-5 pt-5 md:px-6 lg:mt-8"
    >
      <h2 ref={heading} id="waiting" tabIndex={-1} className="text-xl outline-none">
        Waiting to be sent
      </h2>
      <p className="mt-2 wrap-anywhere">
        {fileCount > 0 ? (
          <>
            “<bdi>{title}</bdi>” and {fileCount} {fileCount === 1 ? 'file' : 'files'} are saved on this
            device.
          </>
        ) : (
          <>
            “<bdi>{title}</bdi>” is saved on this device.
          </>
        )}
      </p>
      <p role="status" className="mt-2 text-ink-2">
        {sending
          ? 'Sending now. Please keep this page open.'
          : isOnline
            ? 'We couldn’t reach the site. We’ll keep trying while a page of this site is open.'
            : 'You’re offline. We’ll send it when you’re back online and a page of this site is open.'}
      </p>
      {sending && <SendingFiles queue={sending} />}
      <div className="mt-5 flex flex-wrap gap-3">
        {isOnline && !sending && (
          <Button variant="primary" onClick={() => void sendSubmitted(submitted, cache)}>
            Send now
          </Button>
        )}
        <Button onClick={() => void edit()}>Edit</Button>
      </div>
      <LaterCards path={formPath(submitted)} onOpen={() => void edit()} />
    </section>
  );
}

function SendingFiles({ queue }: { queue: UploadQueue }) {
  const { items } = useSyncExternalStore(queue.subscribe, queue.read, queue.read);
  return (
    <ul aria-label="Files" className="mt-3 divide-y border-y">
      {items.map((upload) => (
        <li key={upload.id} className="py-3">
          <p className="truncate font-bold">
            <bdi>{upload.name}</bdi>
          </p>
          <UploadState upload={upload} />
        </li>
      ))}
    </ul>
  );
}
