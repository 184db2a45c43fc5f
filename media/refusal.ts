import type { FileKind } from './sniff.ts';

/** The reason why a file is refused, in words for the person who sent it. */
export class MediaRefused extends Error {
  readonly status: 400 | 403 | 413 | 415 | 422 | 429 | 503 | 507;
  readonly title: string;

  constructor(status: MediaRefused['status'], title: string, message: string) {
    super(message);
    this.status = status;
    this.title = title;
  }
}

/** @param reason ends the sentence that begins with the file's name */
export const unusable = (name: string, reason: string) =>
  new MediaRefused(422, 'Processing Failed', `${name}: ${reason}`);

const smaller = (what: FileKind) => `choose a ${what === 'video' ? 'shorter' : 'smaller'} one.`;

/** The server may have been at fault. */
export const tooSlow = (name: string, what: FileKind) =>
  new MediaRefused(
    503,
    'Processing Failed',
    `${name}: This ${what} takes too long to process. Please try again, or ${smaller(what)}`,
  );

/** The file itself is at fault, and would be another time too; compare `tooSlow`. */
export const tooMuchWork = (name: string, what: FileKind) =>
  unusable(name, `This ${what} takes too much work to process. Please ${smaller(what)}`);

/** The bytes come too slowly, or no longer come at all. */
export const cutOff = () =>
  new MediaRefused(
    400,
    'Upload Incomplete',
    'Your connection is too slow or was interrupted. Please try again.',
  );

/** The member, or all members together, have as many files under way as are allowed. */
export const busy = () =>
  new MediaRefused(
    429,
    'Too Many Uploads',
    'Too many files are being processed at the moment. Please try again in a minute.',
  );

/** A member whose files are refused again and again takes work from the others. */
export const tooManyRefused = () =>
  new MediaRefused(
    429,
    'Too Many Uploads',
    'Too many of your files couldn’t be used today. Please try again tomorrow.',
  );

/** The server’s disk is full, which is no fault of the file. */
export const noRoom = () =>
  new MediaRefused(
    507,
    'No Room For Files',
    'The site has no room for files at the moment. Your files and texts are safe. Please try again later.',
  );
