import { queryOptions } from '@tanstack/react-query';
import type { Json } from '#app/database.types.ts';
import { dataOf, isUnreachable, messageOf, SESSION_ENDED, unwrap } from '#app/errors.ts';
import { downscaleImage } from '#app/sharing/media-upload/downscale-image.ts';
import { dropKeptUpload, keepUpload } from '#app/sharing/media-upload/kept-uploads.ts';
import { isDown, lost, postFile, refusalOf } from '#app/sharing/media-upload/post-file.ts';
import {
  type IncomingUpload,
  PIECE_BYTES,
  UploadRefused,
  uploadResumably,
} from '#app/sharing/media-upload/resumable-upload.ts';
import {
  ConnectionLost,
  type ProcessedMedia,
  type SendFile,
  type Upload,
  UploadQueue,
} from '#app/sharing/media-upload/upload-queue.ts';
import { type DraftTarget, draftKey } from '#app/sharing/outbox/draft-key.ts';
import { leftOutText } from '#app/solution/build-files/build-file.ts';
import { fabricationRow } from '#app/solution/fabrication/form-schema.ts';
import { outcomeRows } from '#app/solution/outcomes/form-schema.ts';
import { consentVersion } from '#app/solution/review/data.ts';
import { type SolutionForm, solutionTexts } from '#app/solution/solutions/form-schema.ts';
import { ageGroups, bySection } from '#app/solution/solutions/value-lists.ts';
import { browserClient, type Client, type ClientSource } from '#app/supabase.ts';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import type { Draft, KeptFiles } from './draft.ts';

/**
 * The uploads of clips that are not processed yet, so that another try continues where the last one stopped.
 */
const incoming = new WeakMap<File, IncomingUpload>();

/** Uploads a clip piece by piece, then has the server process it. */
const sendClip: SendFile = async (file, onSent, signal) => {
  const db = await browserClient();
  const call = async <Answer>(name: string, body: object): Promise<Answer> => {
    const { data, error } = await db.functions.invoke<Answer>(name, { body, signal });
    if (data && !error) return data;
    const isRefused = error?.context instanceof Response;
    // After a final refusal the next try uploads from the start; after a fault or a full queue the clip is still there.
    if (isRefused && error.context.status !== 429 && error.context.status < 500) incoming.delete(file);
    if (!isRefused) throw lost(file, error);
    throw refusalOf(file, error.context.status, await error.context.json().catch(() => null));
  };
  const upload = incoming.get(file) ?? (await call<IncomingUpload>('begin-media-upload', {}));
  incoming.set(file, upload);
  try {
    await uploadResumably(file, upload, onSent, signal);
  } catch (error) {
    if (!(error instanceof UploadRefused) || isDown(error.status)) throw lost(file, error);
    if (error.status < 500) incoming.delete(file);
    throw new Error(
      error.status === 507
        ? 'The site has no room for files at the moment. Your files and texts are safe. Please try again later.'
        : `${file.name} couldn’t be uploaded. Please try again.`,
      { cause: error },
    );
  }
  onSent(file.size);
  const result = await call<ProcessedMedia>('process-media-upload', { path: upload.path, name: file.name });
  incoming.delete(file);
  return { result };
};

/** What process-file-upload answers. */
interface AcceptedFile {
  file_url: string;
  file_name: string;
  file_type: string;
  byte_size: number;
  facts: Json;
}

/**
 * Sends a file to be processed.
 *
 * @param userId must be the member themself
 */
export const sendUpload =
  (userId: string): SendFile =>
  async (chosen, onSent, signal, kind) => {
    if (kind === 'build-file') {
      const made = await postFile<AcceptedFile>('process-file-upload', userId, chosen, onSent, signal);
      const { file_url: url, file_type: type, facts } = made;
      const buildFile = { url, type, leftOut: leftOutText(facts) };
      return { buildFile, name: made.file_name, size: made.byte_size };
    }
    if (kind === 'video' && chosen.size > PIECE_BYTES) return sendClip(chosen, onSent, signal, kind);
    const file = await downscaleImage(chosen);
    const scale = chosen.size / file.size;
    const result = await postFile<ProcessedMedia>(
      'process-media-upload',
      userId,
      file,
      (sent) => onSent(sent * scale),
      signal,
    );
    return { result };
  };

/** Files chosen in this tab, so that signing in again or looking around in between does not lose them. */
const queues = new Map<string, UploadQueue>();

/** The uploads that are stored with a member's draft. */
export function openUploadQueue(target: DraftTarget, { uploads }: Draft, files: KeptFiles): UploadQueue {
  const name = draftKey(target);
  const store = {
    keep: (upload: Upload, file?: File) => keepUpload(name, upload, file),
    drop: dropKeptUpload,
  };
  const queue = new UploadQueue(sendUpload(target.userId), store);
  queue.restore(uploads, files);
  return queue;
}

/** The uploads of a member's draft: those under way in this tab, or else those stored with the draft. */
export function uploadQueueFor(target: DraftTarget, draft: Draft, files: KeptFiles): UploadQueue {
  const { userId } = target;
  const { id } = draft;
  const key = `${userId} ${id}`;
  // The choices of the previous member on a shared computer are not shown to the next.
  for (const [other, { clear }] of queues) if (!other.startsWith(userId) && queues.delete(other)) clear();
  const queue = queues.get(key) ?? openUploadQueue(target, draft, files);
  queues.set(key, queue);
  return queue;
}

/** Leaves the files to the tab in which the form goes on. */
export function releaseUploadQueues(): void {
  for (const [, queue] of queues) queue.release();
  queues.clear();
}

/** Removes the files of a draft that was sent or discarded. */
export function discardUploadQueue(userId: string, id: string): void {
  const key = `${userId} ${id}`;
  queues.get(key)?.clear();
  queues.delete(key);
}

/** Why the member cannot submit another solution today, in the database's words; null when they can, or offline. */
export const submissionLimitQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['submission-limit', userId],
    queryFn: async () => {
      if (!navigator.onLine) return null;
      return dataOf(await (await client()).rpc('solution_limit_refusal'));
    },
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });

/** Whether a solution was not sent for want of a connection. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof ConnectionLost || isUnreachable(error);

/** Why a solution was not accepted: in the server’s words if it gave any, otherwise in general ones. */
export const refusalText = (error: unknown): string =>
  messageOf(error, 'Failed to submit solution. Please try again.');

/** What a toast says of a solution that was sent. */
export const SUBMITTED = {
  tone: 'success',
  title: 'Solution Submitted!',
  text: 'Your solution has been submitted and is pending review by moderators.',
} as const;

/** What a toast says of a part that was added to a solution after it was sent. */
export const added = (isPublished: boolean) =>
  ({
    tone: 'success',
    title: 'Added to your solution',
    text: isPublished
      ? 'It’s pending review as a new version.'
      : 'It’s pending review together with your solution.',
  }) as const;

/**
 * Sends the files that are not on the server yet.
 *
 * @returns those that are there, in the order in which they are shown
 * @throws ConnectionLost when a file could not be sent for want of one; SESSION_ENDED when their owner is signed out
 */
export async function sendFiles(db: Client, userId: string, queue: UploadQueue): Promise<Upload[]> {
  const chosen = new Set(queue.read().items.flatMap(({ id, state }) => (state === 'refused' ? [] : [id])));
  queue.sendAll();
  await queue.whenSettled();
  const { items } = queue.read();
  // A refusal from before is known to the author.
  const unsent = items.filter(({ id, state }) => chosen.has(id) && state !== 'ready');
  const failed = unsent.find(({ problem }) => problem !== null && !problem.isLost) ?? unsent[0];
  if (failed?.problem?.isLost) throw new ConnectionLost(failed.problem.text);
  if (failed) throw new Error(failed.problem?.text);
  // Files take minutes, in which another member may have signed in.
  const data = dataOf(await db.auth.getSession());
  if (data.session?.user.id !== userId) throw new Error(SESSION_ENDED);
  return items.filter(({ state }) => state === 'ready');
}

/** The build files of a form as its function takes them. */
const buildFileRows = (uploads: Upload[]) =>
  uploads.flatMap(({ buildFile, licence, description }) =>
    buildFile ? [{ file_url: buildFile.url, licence, description }] : [],
  );

/** The images and videos of a form as its function takes them. */
export const mediaRows = (uploads: Upload[]) =>
  uploads.flatMap(({ result, description }) =>
    result ? [{ media_url: result.originalUrl, description }] : [],
  );

/**
 * Sends the files that are not on the server yet, and then the solution.
 *
 * @returns the solution's id
 * @throws ConnectionLost when a file could not be sent for want of one; SESSION_ENDED when the draft's owner is signed out
 */
export async function sendSolution(
  { userId, solutionId }: DraftTarget,
  submissionId: string,
  form: SolutionForm,
  queue: UploadQueue,
): Promise<string> {
  const db = await browserClient();
  const ready = await sendFiles(db, userId, queue);
  return submitSolution(db, form, ready, queue.read().thumbnailId, solutionId, submissionId);
}

/**
 * Creates the solution, or replaces the member's own `solutionId`, with media, thumbnail and consent together.
 *
 * @param submissionId stays the same when the same form is sent again, so that it makes one solution
 * @param uploads those that are ready, in the order in which they are shown
 */
async function submitSolution(
  db: Client,
  form: SolutionForm,
  uploads: Upload[],
  thumbnailId: string | null,
  solutionId: string | null,
  submissionId: string,
): Promise<string> {
  const thumbnail = uploads.find(({ id }) => id === thumbnailId)?.result;
  const submission = {
    solution: {
      language: chosenLanguage(form.language, solutionTexts(form)),
      title: form.title,
      description: form.description,
      occupation: form.functionInMind,
      amputation_level: form.amputationLevel,
      age_group: ageGroups.filter((group) => form.ageGroup.includes(group)).join(', '),
      prosthesis_type: form.prosthesisType,
      cost_range: form.costRange,
      materials: form.materials,
      custom_tags: form.customTags,
      change_note: form.changeNote,
      removes_details: form.removesDetails,
      audience: form.audience,
      licence: form.licence,
      based_on: form.basedOn.map(({ id }) => id),
      ...bySection('column', ({ field }) => form[field]),
      outcomes: outcomeRows(form.outcomes),
      fabrication: fabricationRow(
        form.fabrication,
        (id) => uploads.find((upload) => upload.id === id)?.result?.originalUrl,
      ),
      files: buildFileRows(uploads),
    },
    media: mediaRows(uploads),
    // A blank text is absent; the database keeps null for it.
    thumbnail_url: thumbnail?.compressedUrl ?? '',
    consent: form.consent,
    consent_version: consentVersion,
  };
  return unwrap(
    solutionId
      ? await db.rpc('resubmit_solution', { id: solutionId, ...submission })
      : await db.rpc('submit_solution', { ...submission, submission_id: submissionId }),
  );
}
