import type { QueryClient } from '@tanstack/react-query';
import { isSessionEnded } from '#app/errors.ts';
import { dropKeptUpload } from '#app/sharing/media-upload/kept-uploads.ts';
import type { UploadQueue } from '#app/sharing/media-upload/upload-queue.ts';
import { type DraftTarget, draftKey } from '#app/sharing/outbox/draft-key.ts';
import {
  forgetSubmitted,
  isWaiting,
  keepSubmitted,
  onTakenBack,
  type Submitted,
  setSending,
} from '#app/sharing/outbox/submitted.ts';
import { solutionSchema } from '#app/solution/solutions/form-schema.ts';
import { editedQuery } from '#app/solution/versions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import {
  discardUploadQueue,
  isConnectionLost,
  openUploadQueue,
  refusalText,
  SUBMITTED,
  sendSolution,
} from './data.ts';
import { blankDraft, clearDraft, type Draft, draftOf, type KeptFiles, loadDraftWithFiles } from './draft.ts';

let isUnderway = false;
/** The files of the latest attempt, of which another one sends only what has not arrived. */
let opened: { savedAt: number; queue: UploadQueue } | undefined;

function closeQueue(): void {
  opened?.queue.release();
  opened = undefined;
}

/**
 * Sends what was submitted without a connection, with its files. One tab at a time does, and none while the draft is
 * open in a form; the draft's id makes one solution of it, even when an answer was lost. Without a connection, or
 * with a session that has ended, it waits on; after a refusal it is a draft with the reason.
 */
export async function sendSubmitted(submitted: Submitted, cache: QueryClient): Promise<void> {
  const key = draftKey(submitted.target);
  const send = async (lock: Lock | null) => {
    // The lists of the page may be older than what another tab has done.
    if (lock && isWaiting(key)) await sendNow(submitted, cache);
  };
  if (isUnderway) return;
  isUnderway = true;
  try {
    // Available on secure origins alone; elsewhere two tabs do without.
    if (navigator.locks) await navigator.locks.request(key, { ifAvailable: true }, send);
    else await send({ name: key, mode: 'exclusive' });
  } catch (error) {
    // A form in another tab has taken the draft over.
    console.warn('outbox:', error);
  } finally {
    isUnderway = false;
  }
}

/** The form without the draft. */
async function baseOf({ userId, solutionId }: DraftTarget, cache: QueryClient): Promise<Draft> {
  if (!solutionId) return blankDraft();
  const query = editedQuery(browserClient, solutionId, userId);
  const solution = await cache.fetchQuery({ ...query, staleTime: 0, networkMode: 'always', retry: false });
  if (!solution) throw new Error('The solution that you changed was not found.');
  return draftOf(solution);
}

/**
 * Whether a solution is already as its draft: the answer to an earlier attempt was lost. Its files may have moved when
 * it was approved, but they keep their names.
 */
function isSame(draft: Draft, solution: Draft): boolean {
  const contentOf = ({ form, uploads }: Draft) =>
    JSON.stringify([
      { ...form, consent: '' },
      uploads.items.map(({ result, buildFile, description, licence }) => [
        (result?.originalUrl ?? buildFile?.url)?.split('/').at(-1),
        description,
        licence,
      ]),
    ]);
  return contentOf(draft) === contentOf(solution);
}

/** Sends the draft; stops when its author takes it back. */
async function sendDraft({ target, savedAt }: Submitted, draft: Draft, files: KeptFiles): Promise<string> {
  if (opened?.savedAt !== savedAt) {
    closeQueue();
    opened = { savedAt, queue: openUploadQueue(target, draft, files) };
  }
  const { queue } = opened;
  setSending(target, queue);
  const stopListening = onTakenBack(target, closeQueue);
  try {
    const id = await sendSolution(target, draft.id, draft.form, queue);
    closeQueue();
    return id;
  } catch (error) {
    if (!isTemporary(error)) closeQueue();
    throw error;
  } finally {
    stopListening();
    setSending(target, null);
  }
}

/** Whether it waits on: for a connection, or for its author to sign in. */
const isTemporary = (error: unknown) => isConnectionLost(error) || isSessionEnded(error);

async function sendNow(submitted: Submitted, cache: QueryClient): Promise<void> {
  const { target, savedAt } = submitted;
  try {
    const db = await browserClient();
    const base = await baseOf(target, cache);
    const loaded = await loadDraftWithFiles(db, target, base);
    const { draft } = loaded;
    if (!draft) return forgetSubmitted(target);
    if (loaded.savedAt !== savedAt || loaded.otherAt)
      throw new Error('This draft was changed on another device. Please check it and submit it again.');
    if (loaded.missing > 0)
      throw new Error(
        loaded.isUnreadable
          ? 'The files kept on this device couldn’t be read. Please open the draft and submit it again.'
          : 'Some of its files are no longer on this device. Please add them and submit it again.',
      );
    const form = solutionSchema.parse(draft.form);
    // Its author may have taken it back while it was read.
    if (!isWaiting(draftKey(target))) return;
    const hasArrived = submitted.isAttempted && isSame({ ...draft, form }, base);
    keepSubmitted({ ...submitted, isAttempted: true });
    const id = hasArrived ? base.id : await sendDraft(submitted, { ...draft, form }, loaded.files);
    await clearDraft(db, target, base).catch((error: unknown) => console.warn('draft:', error));
    for (const upload of draft.uploads.items) await dropKeptUpload(upload.id).catch(() => undefined);
    discardUploadQueue(target.userId, draft.id);
    forgetSubmitted(target);
    toast({ ...SUBMITTED, link: { to: `/solutions/${id}`, label: 'View solution' } });
    await cache.invalidateQueries({ queryKey: ['solutions'] });
  } catch (error) {
    if (!isWaiting(draftKey(target))) return;
    if (isTemporary(error)) return;
    const problem = refusalText(error);
    keepSubmitted({ ...submitted, problem });
    toast({ tone: 'error', title: 'Submission Failed', text: problem });
  }
}
