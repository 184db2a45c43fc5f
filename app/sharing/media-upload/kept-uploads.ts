import { DRAFT_FILE_LIFETIME_MS, type Upload } from './upload-queue.ts';

/**
 * Chosen files that are not part of a stored draft yet, kept on this device, so that neither a reload nor a second tab
 * loses them; an accepted file too, as the server deletes it when no solution has it for a day. In two stores, so that
 * a change of a description does not write the file again. A patient’s picture stays no longer than it is needed.
 */
const DATABASE = 'solution-draft-files';
/** A device may be without a connection for days. */
const WAITING_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

interface Kept {
  id: string;
  /** The draft it belongs to, which begins with its owner's. */
  draft: string;
  upload: Upload;
  savedAt: number;
}

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('uploads', { keyPath: 'id' });
      request.result.createObjectStore('files');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  }).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

/** Does what `work` asks of the two stores, all of it or nothing. */
async function transact(work: (uploads: IDBObjectStore, files: IDBObjectStore) => void): Promise<void> {
  const database = await open();
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction(['uploads', 'files'], 'readwrite');
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    work(transaction.objectStore('uploads'), transaction.objectStore('files'));
  });
}

/** Does what `work` asks for each kept upload, for all of them or for none. */
const transactForEach = (
  work: (kept: Kept, uploads: IDBObjectStore, files: IDBObjectStore) => void,
): Promise<void> =>
  transact((uploads, files) => {
    const all = uploads.getAll();
    all.onsuccess = () => {
      for (const kept of all.result as Kept[]) work(kept, uploads, files);
    };
  });

/** Keeps an upload, with its file where that is new. @throws where the browser has no room or keeps nothing */
export function keepUpload(draft: string, upload: Upload, file?: File): Promise<void> {
  const kept: Kept = { id: upload.id, draft, upload: { ...upload, preview: null }, savedAt: Date.now() };
  return transact((uploads, files) => {
    uploads.put(kept);
    if (file) files.put(file, upload.id);
  });
}

/** Removes an upload and its file from this device, since it was sent, taken back, or refused for good. */
export function dropKeptUpload(id: string): Promise<void> {
  return transact((uploads, files) => {
    uploads.delete(id);
    files.delete(id);
  });
}

/** The number of files that are kept of a member. @param owner what the keys of their drafts begin with */
export async function countKeptUploadsOf(owner: string): Promise<number> {
  let count = 0;
  await transactForEach(({ draft }) => {
    if (draft.startsWith(owner)) count += 1;
  });
  return count;
}

/** Deletes all kept files of a member. @param owner what the keys of their drafts begin with */
export function dropKeptUploadsOf(owner: string): Promise<void> {
  return transactForEach(({ id, draft }, uploads, files) => {
    if (!draft.startsWith(owner)) return;
    uploads.delete(id);
    files.delete(id);
  });
}

/**
 * The kept files of a draft. Those that are too old are deleted, and so are those of other members of this device,
 * except what they have submitted.
 *
 * @param isSubmitted whether a draft was submitted and not accepted yet
 */
export async function readKeptUploads(
  draft: string,
  owner: string,
  isSubmitted: (draft: string) => boolean,
): Promise<{ upload: Upload; file: File | undefined }[]> {
  const found: { upload: Upload; file: File | undefined }[] = [];
  await transactForEach((kept, uploads, files) => {
    const waits = isSubmitted(kept.draft);
    const isAnothers = !kept.draft.startsWith(owner) && !waits;
    if (isAnothers || Date.now() - kept.savedAt > (waits ? WAITING_LIFETIME_MS : DRAFT_FILE_LIFETIME_MS)) {
      uploads.delete(kept.id);
      files.delete(kept.id);
    } else if (kept.draft === draft) {
      const file = files.get(kept.id);
      file.onsuccess = () => found.push({ upload: kept.upload, file: file.result });
    }
  });
  return found;
}

/** Keeps the files of a draft for their whole time from now on, as its author goes on with it. */
export function renewKeptUploads(draft: string): Promise<void> {
  return transactForEach((kept, uploads) => {
    if (kept.draft === draft) uploads.put({ ...kept, savedAt: Date.now() });
  });
}
