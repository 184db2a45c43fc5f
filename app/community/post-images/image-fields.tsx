import { type Ref, useEffect, useImperativeHandle, useState, useSyncExternalStore } from 'react';
import { MediaSection } from '#app/sharing/media-upload/media-section.tsx';
import { UploadQueue } from '#app/sharing/media-upload/upload-queue.ts';
import { mediaRows, sendFiles, sendUpload } from '#app/sharing/submission/data.ts';
import { ConsentField } from '#app/solution/review/consent-field.tsx';
import type { Client } from '#app/supabase.ts';
import { useLeaveWarning } from '#app/ui/states/leave-guard.tsx';
import { MAX_IMAGES, type SentImages } from './data.ts';

/** What the form asks of the fields when its post is sent. */
export interface ChosenImages {
  /** Says at the field what is missing; whether nothing is. */
  check(): boolean;
  /** Uploads what is chosen; nothing for no image. @throws as sendFiles does */
  send(db: Client): Promise<SentImages | Record<never, never>>;
}

const PURPOSE = {
  maxFiles: MAX_IMAGES,
  tooMany: `A post can have at most ${MAX_IMAGES} images.`,
  noVideos: 'A post can have images and no videos.',
  hasThumbnail: false,
  hasBuildFiles: false,
};

/** Where images of a post are chosen, with the statement of consent that they need. */
export function ImageFields({ userId, ref }: { userId: string; ref: Ref<ChosenImages> }) {
  const [queue] = useState(() => new UploadQueue(sendUpload(userId), undefined, PURPOSE));
  const uploads = useSyncExternalStore(queue.subscribe, queue.read, queue.read);
  const [consent, setConsent] = useState('');
  const [error, setError] = useState<string>();
  const hasImages = uploads.items.some(({ state }) => state !== 'refused');
  // One that was chosen for images that are gone says nothing of the next.
  if (!hasImages && consent) setConsent('');
  useLeaveWarning(queue.wouldLoseFiles);
  useEffect(() => () => queue.clear(), [queue]);
  useImperativeHandle(
    ref,
    () => ({
      check() {
        const isMissing = hasImages && !consent;
        setError(isMissing ? 'Please choose a consent statement' : undefined);
        if (isMissing) document.querySelector<HTMLElement>('#consent input')?.focus();
        return !isMissing;
      },
      async send(db) {
        const images = mediaRows(await sendFiles(db, userId, queue));
        return images.length > 0 ? { images, image_consent: consent } : {};
      },
    }),
    [queue, userId, hasImages, consent],
  );
  return (
    <section aria-label="Images" className="mt-4">
      <MediaSection queue={queue} uploads={uploads} />
      {hasImages && (
        <div className="mt-5">
          <ConsentField
            title="Consent"
            field={{
              name: 'image-consent',
              onChange: ({ target }) => {
                setConsent(target.value);
                setError(undefined);
              },
            }}
            error={error}
            audience="public"
            hint="Everyone can see the images once you post. A moderator checks them afterwards."
          />
        </div>
      )}
    </section>
  );
}
