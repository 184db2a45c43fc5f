import { messageOf } from '#app/errors.ts';
import { judgeBuildFile, licences, MAX_FILES, saysBuildFile } from '#app/solution/build-files/kinds.ts';
import { headOf, judgeMedia, MAX_MEDIA } from '#app/solution/solutions/form-schema.ts';
import type { Refusal } from '../../../media/sniff.ts';

/** What the server has made of an image or a video. */
export interface ProcessedMedia {
  originalUrl: string;
  compressedUrl: string;
  thumbnailUrl: string;
  mediaType: 'image' | 'video';
}

/** What the server has made of a build file. */
interface ProcessedFile {
  url: string;
  type: string;
  /** What processing did not keep, in words; null for nothing. */
  leftOut: string | null;
}

export interface UploadProblem extends Refusal {
  /** The site could not be reached. */
  isLost?: boolean;
}

export interface Upload {
  id: string;
  name: string;
  size: number;
  kind: 'image' | 'video' | 'build-file';
  /** Held pictures have not left the device; refused files never will; failed ones can be sent again. */
  state: 'held' | 'waiting' | 'uploading' | 'processing' | 'ready' | 'failed' | 'refused';
  /** Bytes sent so far. */
  sent: number;
  problem: UploadProblem | null;
  /** What an image or a video has become when it is ready. */
  result: ProcessedMedia | null;
  /** What a build file has become when it is ready. */
  buildFile: ProcessedFile | null;
  /** When the server accepted it; null before, and for a file that belongs to a solution already. */
  readyAt: number | null;
  /** What an image shows, for people who cannot see it; what a build file is for. */
  description: string;
  /** The licence of a build file. */
  licence?: string;
  /** Details were covered before it was sent. */
  isCovered?: boolean;
  /** It was refused as an image, and can be taken as a build file. */
  isMisplaced?: boolean;
  /** A URL to show it by, when there is one. */
  preview: string | null;
}

export interface Uploads {
  items: readonly Upload[];
  thumbnailId: string | null;
}

/** The time for which a draft keeps its files; the server keeps one without a solution for a day. */
export const DRAFT_FILE_LIFETIME_MS = 20 * 60 * 60 * 1000;

/** Whether the server may have deleted a file since it was accepted. */
export const isExpired = ({ readyAt }: Upload): boolean =>
  readyAt !== null && Date.now() - readyAt > DRAFT_FILE_LIFETIME_MS;

/** A final refusal of a file, which another try would not change. */
export class FileRefused extends Error {}

/** No answer of the site arrived. */
export class ConnectionLost extends Error {}

/** Where chosen files are kept until they are part of a stored draft. */
export interface UploadStore {
  keep(upload: Upload, file?: File): Promise<void>;
  drop(id: string): Promise<void>;
}

/** Sends one file, reports the bytes sent, and resolves to what the server has made of it. */
export type SendFile = (
  file: File,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
  kind: Upload['kind'],
) => Promise<Pick<Upload, 'result'> | Pick<Upload, 'buildFile' | 'name' | 'size'>>;

/** What the files are for. */
interface UploadPurpose {
  /** The images and videos that it takes. */
  maxFiles: number;
  /** Refuses one more. */
  tooMany: string;
  /** Refuses a video, where it takes none. */
  noVideos?: string;
  /** Whether one of the images stands for all of them. */
  hasThumbnail: boolean;
  /** Whether build files can be added, in a place of their own. */
  hasBuildFiles: boolean;
}

const SOLUTION: UploadPurpose = {
  maxFiles: MAX_MEDIA,
  tooMany: `A solution can have at most ${MAX_MEDIA} images and videos.`,
  hasThumbnail: true,
  hasBuildFiles: true,
};

/** Files on their way to the server, one after the other, while the rest of the form is filled in. */
export class UploadQueue {
  #state: Uploads = { items: [], thumbnailId: null };
  readonly #listeners = new Set<() => void>();
  readonly #files = new Map<string, File>();
  #running: { id: string; abort: AbortController } | undefined;
  #work: Promise<void> = Promise.resolve();
  readonly #send: SendFile;
  readonly #store: UploadStore | undefined;
  /** Ids of uploads that the device could not keep. */
  readonly #unkept = new Set<string>();
  readonly #keeping = new Set<Promise<void>>();
  #isReleased = false;

  readonly purpose: UploadPurpose;

  constructor(send: SendFile, store?: UploadStore, purpose = SOLUTION) {
    this.purpose = purpose;
    this.#send = send;
    this.#store = store;
  }

  readonly read = (): Uploads => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Adds the acceptable files, once the first bytes of each have been read, which decide what it is.
   *
   * @param onRefused is told why another was refused
   * @param asBuildFiles whether they were chosen as build files, not as images and videos
   */
  async add(
    files: Iterable<File>,
    onRefused: (problem: UploadProblem) => void,
    asBuildFiles = false,
  ): Promise<void> {
    // A field of the page empties its list when another file is to be chosen.
    const judged = await Promise.all(
      [...files].map(async (file) => ({
        file,
        ...(asBuildFiles ? judgeBuildFile(file) : judgeMedia(file, await headOf(file))),
      })),
    );
    if (this.#isReleased) return;
    const { maxFiles, tooMany, noVideos, hasThumbnail, hasBuildFiles } = this.purpose;
    const [most, refusal] = asBuildFiles
      ? [MAX_FILES, `A solution can have at most ${MAX_FILES} build files.`]
      : [maxFiles, tooMany];
    for (const { file: chosen, type, kind, problem: own } of judged) {
      const file = chosen.type === type ? chosen : new File([chosen], chosen.name, { type });
      const others = this.#state.items.filter((item) => isBuildFile(item) === asBuildFiles);
      const full = others.filter(({ state }) => state !== 'refused').length >= most;
      const isMisplaced =
        hasBuildFiles && !asBuildFiles && own !== null && file.size > 0 && saysBuildFile(file);
      let problem: UploadProblem | null = own;
      if (isMisplaced) problem = { ...own, text: `${own.text} Add it under “Build files”.` };
      else if (full) problem = { title: 'Too many files', text: `${file.name}: ${refusal}` };
      else if (noVideos && kind === 'video')
        problem = { title: 'Images only', text: `${file.name}: ${noVideos}` };
      if (problem) onRefused(problem);
      const upload: Upload = {
        id: crypto.randomUUID(),
        name: file.name,
        size: file.size,
        kind,
        state: problem ? 'refused' : kind === 'image' ? 'held' : 'waiting',
        sent: 0,
        problem,
        result: null,
        buildFile: null,
        readyAt: null,
        description: '',
        ...(asBuildFiles && { licence: licences[0].name }),
        ...(isMisplaced && { isMisplaced }),
        preview: problem || kind !== 'image' ? null : URL.createObjectURL(file),
      };
      const firstImage =
        hasThumbnail && !problem && kind === 'image' && !this.#state.items.some(isUsableImage);
      if (!problem || isMisplaced) this.#files.set(upload.id, file);
      this.#set({
        items: [...this.#state.items, upload],
        thumbnailId: firstImage ? upload.id : this.#state.thumbnailId,
      });
      if (!problem) this.#keep(upload.id, file);
    }
    this.#start();
  }

  /** Takes a file that was chosen as an image as the build file that it is. */
  async takeAsBuildFile(id: string, onRefused: (problem: UploadProblem) => void): Promise<void> {
    const file = this.#files.get(id);
    this.remove(id);
    if (file) await this.add([file], onRefused, true);
  }

  /**
   * Restores the files of an earlier visit or an earlier version of the solution. Videos and build files that were
   * on their way are sent again.
   *
   * @param files those that are on this device only, by the ids of their uploads
   */
  restore({ items, thumbnailId }: Uploads, files: ReadonlyMap<string, File> = new Map()): void {
    for (const [id, file] of files) this.#files.set(id, file);
    this.#set({
      thumbnailId,
      items: items.flatMap((upload): Upload[] => {
        if (upload.state === 'ready' && !isExpired(upload)) return [upload];
        const file = files.get(upload.id);
        if (!file) return [];
        const state = upload.state === 'failed' ? 'failed' : upload.kind === 'image' ? 'held' : 'waiting';
        const preview = upload.kind === 'image' ? URL.createObjectURL(file) : null;
        const unsent = { size: file.size, sent: 0, result: null, buildFile: null, readyAt: null };
        return [{ ...upload, ...unsent, state, preview }];
      }),
    });
    this.#start();
  }

  /** Whether leaving the page would lose a file: one that is neither on the server nor kept on this device. */
  readonly wouldLoseFiles = (): boolean =>
    this.#state.items.some(
      ({ id, state }) => state !== 'ready' && state !== 'refused' && (!this.#store || this.#unkept.has(id)),
    );

  /** Stops what is on its way, and leaves the files where they are kept. */
  readonly release = (): void => {
    this.#running?.abort.abort();
    for (const { preview } of this.#state.items)
      if (preview?.startsWith('blob:')) URL.revokeObjectURL(preview);
    this.#isReleased = true;
  };

  remove(id: string): void {
    const upload = this.#state.items.find((item) => item.id === id);
    if (upload?.preview?.startsWith('blob:')) URL.revokeObjectURL(upload.preview);
    if (this.#running?.id === id) this.#running.abort.abort();
    this.#files.delete(id);
    this.#drop(id);
    this.#set({
      items: this.#state.items.filter((item) => item.id !== id),
      thumbnailId: this.#state.thumbnailId === id ? null : this.#state.thumbnailId,
    });
  }

  /** Removes every file and stops the upload in progress. */
  readonly clear = (): void => {
    for (const { id } of this.#state.items) this.remove(id);
  };

  /** Sends one file, for the first time or once more. */
  send(id: string): void {
    this.#change(id, { state: 'waiting', sent: 0, problem: null });
    this.#start();
  }

  /**
   * Sends the files that are not on the server yet: pictures held for their author's review, and failed ones.
   */
  sendAll(): void {
    for (const { id, state } of this.#state.items) if (state === 'held' || state === 'failed') this.send(id);
  }

  /** The file as it would be sent, while it is still in memory. */
  fileOf(id: string): File | undefined {
    return this.#files.get(id);
  }

  /** Puts a covered picture in the place of the original, which is discarded. */
  replace(id: string, file: File): void {
    const before = this.#state.items.find((item) => item.id === id);
    if (!before || (before.state !== 'held' && before.state !== 'failed')) return;
    if (before.preview?.startsWith('blob:')) URL.revokeObjectURL(before.preview);
    this.#files.set(id, file);
    const preview = URL.createObjectURL(file);
    this.#change(id, { state: 'held', size: file.size, sent: 0, problem: null, preview, isCovered: true });
    this.#keep(id, file);
  }

  /** Moves an image or a video to a place among them, counted from 0; the others keep their order. */
  moveTo(id: string, place: number): void {
    const { items } = this.#state;
    const moved = items.find((item) => item.id === id);
    const media = items.filter((item) => !isBuildFile(item));
    if (!moved || place < 0 || place >= media.length) return;
    const others = media.filter((item) => item.id !== id);
    this.#set({
      ...this.#state,
      items: [...others.toSpliced(place, 0, moved), ...items.filter(isBuildFile)],
    });
  }

  chooseThumbnail(id: string): void {
    this.#set({ ...this.#state, thumbnailId: id });
  }

  /** Sets what the author says about a file. */
  describe(id: string, words: Pick<Upload, 'description'> | Pick<Upload, 'licence'>): void {
    this.#change(id, words);
    this.#keep(id);
  }

  /** Sets the URLs by which files of an earlier visit can be shown. */
  setThumbnail(previews: Map<string, string>): void {
    for (const { id, result, preview } of this.#state.items) {
      const address = result && previews.get(result.thumbnailUrl);
      if (address && !preview) this.#change(id, { preview: address });
    }
  }

  /** Resolves, once this device has stored what it can, to whether the page can be left without losing a file. */
  async whenKept(): Promise<boolean> {
    await Promise.all(this.#keeping);
    return !this.wouldLoseFiles();
  }

  /** Resolves when no file is waiting or on its way. */
  whenSettled(): Promise<void> {
    return this.#work;
  }

  #start() {
    if (this.#running) return;
    const next = this.#state.items.find(({ state }) => state === 'waiting');
    const file = next && this.#files.get(next.id);
    if (!next || !file) return;
    const abort = new AbortController();
    this.#running = { id: next.id, abort };
    this.#change(next.id, { state: 'uploading' });
    const onSent = (bytes: number) => {
      // The frame of a request counts as well, so that the last byte may seem to come a little early.
      const sent = Math.min(bytes, file.size);
      this.#change(next.id, { sent, state: sent >= file.size ? 'processing' : 'uploading' });
    };
    const sending = this.#send(file, onSent, abort.signal, next.kind).then(
      (made) => {
        this.#change(next.id, { state: 'ready', readyAt: Date.now(), sent: file.size, ...made });
        // Its author may have left the form before it was ready, and with it what stores the draft.
        this.#keep(next.id);
      },
      (error: unknown) => {
        if (this.#isReleased) return;
        const isFinal = error instanceof FileRefused;
        this.#change(next.id, {
          state: isFinal ? 'refused' : 'failed',
          problem: {
            title: isFinal ? 'This file can’t be used' : 'Upload failed',
            text: messageOf(error, `${file.name} couldn’t be uploaded.`),
            isLost: error instanceof ConnectionLost,
          },
        });
        if (isFinal) this.#drop(next.id);
      },
    );
    this.#work = sending.then(() => {
      this.#running = undefined;
      if (!this.#isReleased) this.#start();
      return this.#running ? this.#work : undefined;
    });
  }

  #keep(id: string, file?: File) {
    const upload = this.#state.items.find((item) => item.id === id);
    if (!upload || upload.state === 'refused' || this.#isReleased) return;
    const keeping = this.#store?.keep(upload, file).then(
      () => void (file && this.#unkept.delete(id)),
      () => void (file && this.#unkept.add(id)),
    );
    if (!keeping) return;
    this.#keeping.add(keeping);
    void keeping.finally(() => this.#keeping.delete(keeping));
  }

  #drop(id: string) {
    if (!this.#isReleased) void this.#store?.drop(id).catch(() => undefined);
  }

  #change(id: string, change: Partial<Upload>) {
    this.#set({
      ...this.#state,
      items: this.#state.items.map((item) => (item.id === id ? { ...item, ...change } : item)),
    });
  }

  #set(state: Uploads) {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Whether a file is one of those to build from, and not an image or a video. */
export const isBuildFile = ({ kind }: Upload): boolean => kind === 'build-file';

const isUsableImage = ({ kind, state }: Upload) => kind === 'image' && state !== 'refused';
