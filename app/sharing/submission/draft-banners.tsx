import { Files, HardDrive, ImageOff } from 'lucide-react';
import { DraftRestored } from '#app/frame/act/draft-restored.tsx';
import type { Uploads } from '#app/sharing/media-upload/upload-queue.ts';
import type { DraftTarget } from '#app/sharing/outbox/draft-key.ts';
import { browserClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { formatRelativeTime } from '#app/ui/texts/relative-time.ts';
import { type Draft, settleDraft } from './draft.ts';
import type { DraftState } from './use-draft.ts';

interface DraftBannersProps extends Omit<DraftState, 'isKept'> {
  target: DraftTarget;
  base: Draft;
  /** The number of its files that are neither on the server nor on this device any more. */
  missing: number;
  isUnreadable: boolean;
  /** Null for a form that was opened without a draft. */
  onDiscard: (() => void) | null;
  /** Goes on with what is in the form. */
  onKeepThis: () => void;
  /** Null while a reload would lose files. */
  onReload: (() => void) | null;
}

/** Says where the draft of a form comes from, and what of it is not where its author would expect it. */
export function DraftBanners(props: DraftBannersProps) {
  const { target, base, isHere, isStored, otherAt, missing, isUnreadable, onDiscard, onKeepThis, onReload } =
    props;
  const settle = async (keep: 'this' | 'other') => {
    try {
      await settleDraft(await browserClient(), target, base, keep);
    } catch (error) {
      console.warn('draft:', error);
      toast({ tone: 'error', title: 'Your drafts couldn’t be reached', text: 'Please try again.' });
      return;
    }
    if (keep === 'this') onKeepThis();
    else onReload?.();
  };
  return (
    <>
      {onDiscard && <DraftRestored onDiscard={onDiscard} className="mb-8" />}
      {otherAt !== null && (
        <Banner
          tone="amber"
          icon={Files}
          title="This draft was changed on another device too."
          className="mb-8"
        >
          The other one was saved {formatRelativeTime(otherAt)}. What you write here stays on this device
          until you choose. <Choice onPress={() => void settle('this')}>Keep this one</Choice>
          {onReload && (
            <>
              {' '}
              or <Choice onPress={() => void settle('other')}>use the other one</Choice>
            </>
          )}
        </Banner>
      )}
      {!isHere && (
        <Banner
          tone="amber"
          icon={HardDrive}
          title="This device has no room for your draft."
          className="mb-8"
        >
          {isStored
            ? 'It’s saved on the site.'
            : 'It’s saved on the site as soon as we reach it. Please keep this page open until then.'}
        </Banner>
      )}
      {missing > 0 &&
        (isUnreadable ? (
          <Banner
            tone="amber"
            icon={ImageOff}
            title="We couldn’t read the files kept on this device."
            className="mb-8"
          >
            {missing === 1
              ? 'One file of this draft is among them.'
              : `${missing} files of this draft are among them.`}{' '}
            {onReload && <Choice onPress={onReload}>Try again</Choice>}
          </Banner>
        ) : (
          <Banner tone="amber" icon={ImageOff} title="Some files aren’t on this device." className="mb-8">
            {missing === 1
              ? 'One file of this draft is missing here. Please add it again, or continue on the device where you chose it.'
              : `${missing} files of this draft are missing here. Please add them again, or continue on the device where you chose them.`}
          </Banner>
        ))}
    </>
  );
}

/** Says where the draft can be gone on with, once that is so. */
export function DraftStatus({
  isHere,
  isStored,
  uploads,
}: Omit<DraftState, 'isKept' | 'otherAt'> & { uploads: Uploads }) {
  const isAway = uploads.items.some(({ state }) => state !== 'ready' && state !== 'refused');
  const where = isStored
    ? 'Draft saved and available on all your devices.'
    : isHere && 'Draft saved on this device.';
  return (
    where && (
      <p className="mt-4 text-sm text-ink-2">
        {where}
        {isStored && isAway && ' Files that aren’t uploaded yet are on this device only.'}
      </p>
    )
  );
}

function Choice({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <button type="button" className="reach underline underline-offset-4" onClick={onPress}>
      {children}
    </button>
  );
}
