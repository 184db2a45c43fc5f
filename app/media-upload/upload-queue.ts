import { messageOf } from '#app/errors.ts';
import { fileProblem, MAX_MEDIA, mediaKind } from '#app/solutions/form-schema.ts';

/** The server's result for a file. */
export interface ProcessedMedia {
  originalUrl: string;
  compressedUrl: string;
  thumbnailUrl: string;
  mediaType: 'image' | 'video';
}

export interface Upload {
  id: string;
  name: string;
  size: number;
  kind: 'image' | 'video';
  /** Held pictures have not left the device; refused files never will; failed ones can be sent again. */
  state: 'held' | 'waiting' | 'uploading' | 'processing' | 'ready' | 'failed' | 'refused';
  /** Bytes sent so far. */
  sent: number;
  problem: { title: string; text: string } | null;
  result: ProcessedMedia | null;
  /** The picture's description. */
  description: string;
  /** A URL to show it by, when there is one. */
  preview: string | null;
}

export interface Uploads {
  items: readonly Upload[];
  thumbnailId: string | null;
}

/** Sends one file and reports the bytes sent. */
export type SendFile = (
  file: File,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
) => Promise<ProcessedMedia>;

/** Files on their way to the server, one after the other, while the rest of the form is filled in. */
export class UploadQueue {
  #state: Uploads = { items: [], thumbnailId: null };
  readonly #listeners = new Set<() => void>();
  readonly #files = new Map<string, File>();
  #running: { id: string; abort: AbortController } | undefined;
  #work: Promise<void> = Promise.resolve();
  readonly #send: SendFile;

  constructor(send: SendFile) {
    this.#send = send;
  }

  readonly read = (): Uploads => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds the acceptable files and returns why the others were refused. */
  add(files: Iterable<File>): { title: string; text: string }[] {
    const refusals: { title: string; text: string }[] = [];
    for (const file of files) {
      const full = this.#state.items.filter(({ state }) => state !== 'refused').length >= MAX_MEDIA;
      const problem = full
        ? {
            title: 'Too Many Files',
            text: `${file.name}: A solution can have at most ${MAX_MEDIA} images and videos.`,
          }
        : fileProblem(file);
      if (problem) refusals.push(problem);
      const kind = mediaKind(file.type);
      const upload: Upload = {
        id: crypto.randomUUID(),
        name: file.name,
        size: file.size,
        kind,
        state: problem ? 'refused' : kind === 'image' ? 'held' : 'waiting',
        sent: 0,
        problem,
        result: null,
        description: '',
        preview: problem || kind === 'video' ? null : URL.createObjectURL(file),
      };
      const firstImage = !problem && kind === 'image' && !this.#state.items.some(isUsableImage);
      if (!problem) this.#files.set(upload.id, file);
      this.#set({
        items: [...this.#state.items, upload],
        thumbnailId: firstImage ? upload.id : this.#state.thumbnailId,
      });
    }
    this.#start();
    return refusals;
  }

  /** Restores the files of an earlier visit or an earlier version of the solution. */
  restore(uploads: Uploads): void {
    this.#set(uploads);
  }

  remove(id: string): void {
    const upload = this.#state.items.find((item) => item.id === id);
    if (upload?.preview?.startsWith('blob:')) URL.revokeObjectURL(upload.preview);
    if (this.#running?.id === id) this.#running.abort.abort();
    this.#files.delete(id);
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
    this.#change(id, { state: 'held', size: file.size, sent: 0, problem: null, preview });
  }

  /** Moves a file one place up or down. */
  move(id: string, by: -1 | 1): void {
    const items = [...this.#state.items];
    const from = items.findIndex((item) => item.id === id);
    const [moved, other] = [items[from], items[from + by]];
    if (!moved || !other) return;
    items[from] = other;
    items[from + by] = moved;
    this.#set({ ...this.#state, items });
  }

  chooseThumbnail(id: string): void {
    this.#set({ ...this.#state, thumbnailId: id });
  }

  describe(id: string, description: string): void {
    this.#change(id, { description });
  }

  /** Sets the URLs by which files of an earlier visit can be shown. */
  setThumbnail(previews: Map<string, string>): void {
    for (const { id, result, preview } of this.#state.items) {
      const address = result && previews.get(result.thumbnailUrl);
      if (address && !preview) this.#change(id, { preview: address });
    }
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
    const onSent = (sent: number) =>
      this.#change(next.id, { sent, state: sent >= file.size ? 'processing' : 'uploading' });
    const sending = this.#send(file, onSent, abort.signal).then(
      (result) => this.#change(next.id, { state: 'ready', result, sent: file.size }),
      (error: unknown) =>
        this.#change(next.id, {
          state: 'failed',
          problem: { title: 'Upload failed', text: messageOf(error, `${file.name} could not be uploaded.`) },
        }),
    );
    this.#work = sending.then(() => {
      this.#running = undefined;
      this.#start();
      return this.#running ? this.#work : undefined;
    });
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

const isUsableImage = ({ kind, state }: Upload) => kind === 'image' && state !== 'refused';
