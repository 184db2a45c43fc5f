import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** The store of files does not do what it was asked, for a reason that lies with it and may pass. */
export class FilesUnavailable extends Error {
  /** Whether it has no room for more; else it does not answer, or not as it should. */
  readonly isFull: boolean;

  constructor(message: string, options?: ErrorOptions & { isFull?: boolean }) {
    super(message, options);
    this.isFull = options?.isFull ?? false;
  }
}

/** First and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface ListedFile {
  version: string;
  size: number;
  /** By the clock of this machine. */
  modified: Date;
}

/**
 * The place of finished files, each under the version that its row names. The bytes of a version never change, so a
 * file is there whole or not at all, and doing a thing twice does no harm.
 */
export interface FileDriver {
  /** As a sentence names it. */
  readonly place: string;
  /** Takes a finished file of the local disk, which it may move away; when it returns, the file survives a crash. */
  put(version: string, path: string): Promise<void>;
  /** @returns false when there is no such file to copy */
  copy(version: string, as: string): Promise<boolean>;
  /** Bytes; undefined when there is no such file. */
  size(version: string): Promise<number | undefined>;
  /**
   * Opened before the reader gets a response; from then on the bytes stay, even if the file is removed.
   *
   * @returns undefined when there is no such file
   */
  open(version: string, range?: ByteRange): Promise<Readable | undefined>;
  /**
   * The path at which another program finds the bytes.
   *
   * @param folder takes a copy where the files are not on this disk
   * @returns undefined when there is no such file
   */
  localPath(version: string, folder: string): Promise<string | undefined>;
  remove(versions: string[]): Promise<void>;
  /** Where the files are not on this disk: no process removes one until `release`. */
  hold?(): Promise<void>;
  release?(): Promise<void>;
  /**
   * Where the files are not on this disk: takes no file from now on, and returns when those on their way have arrived or failed. The
   * process is about to end, and who brings another one hears no more.
   */
  close?(): Promise<void>;
  /** Every file, without holding them all at once. */
  list(): AsyncGenerator<ListedFile>;
  /** Takes back what writes that were cut off before this moment have left. */
  removeUnfinished(before: Date): Promise<void>;
}

/** The path of a file below the data folder, in a bucket and in a backup. */
export const pathOf = (version: string) => `files/${version.slice(0, 2)}/${version}`;

/** Holds a second name of each file that is not on this disk and has yet to be archived. */
export const unarchivedFilesIn = (dataDir: string) => join(dataDir, 'files/unarchived');

/** Holds the files of this disk that a backup reads, by second names. */
export const backingUpIn = (dataDir: string) => join(dataDir, 'backing-up');
