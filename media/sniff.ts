/** A `file` is a build file, whose type its processing finds out. */
export type FileKind = 'image' | 'video' | 'file';

/** The number of bytes that decide the type of a file. */
export const HEAD_BYTES = 64;

const ascii = (head: Uint8Array, from: number, to: number) => String.fromCharCode(...head.subarray(from, to));

/** Brands of the pictures that share MP4's container. */
const STILL_BRANDS =
  /^(?:heic|heix|heim|heis|hevc|hevx|hevm|hevs|mif1|mif2|msf1|avif|avis|jpeg|jpgs|crx |MiHE|miaf)$/;

const isHeic = (head: Uint8Array) => /^ftyp(?:hei[cmxs]|hev[cmx]|mif[12]|msf1)/.test(ascii(head, 4, 12));
const isQuickTime = (head: Uint8Array) =>
  /^(?:ftypqt {2}|moov|mdat|wide|pnot|skip|free)/.test(ascii(head, 4, 12));

/** Why a file is refused: a title, and sentences that begin with the name of the file. */
export interface Refusal {
  title: string;
  text: string;
}

/** Whether a file says of itself, by its name or its sender's type, that it is a video. */
export const saysVideo = (name: string, declared: string) =>
  declared.startsWith('video/') || /\.(?:mp4|webm|mov|m4v|avi|mkv|wmv|mpe?g|ogv|3gp)$/i.test(name);

/** The refusal of a file that is none of the images, or of the videos, that are accepted; it says what to do where the bytes tell. */
export const wrongKind = (name: string, head: Uint8Array, kind: 'image' | 'video'): Refusal =>
  kind === 'video'
    ? {
        title: 'Invalid Video Format',
        text: `${name}: Only MP4 and WebM videos are accepted.${isQuickTime(head) ? ' This is a QuickTime movie. Save it as MP4 and choose it again.' : ''}`,
      }
    : {
        title: 'Invalid Image Format',
        text: `${name}: Only JPEG, PNG, and WebP images are accepted.${isHeic(head) ? ' This is an HEIC image. Save it as JPEG and choose it again.' : ''}`,
      };

const MB = 1024 * 1024;
/** The bytes that a file of each kind may have, and the refusal of one that has more. */
export const SIZES: Record<FileKind, { bytes: number; title: string; says: string }> = {
  image: { bytes: 10 * MB, title: 'Image Too Large', says: 'Images must be under 10MB.' },
  video: { bytes: 50 * MB, title: 'Video Too Large', says: 'Videos must be under 50MB.' },
  file: { bytes: 25 * MB, title: 'File Too Large', says: 'Build files must be under 25MB.' },
};
/** The refusal of a file of more bytes than one of its kind may have. */
export const tooLarge = (name: string, kind: FileKind): Refusal => ({
  title: SIZES[kind].title,
  text: `${name}: ${SIZES[kind].says}`,
});

/** The refusal of a file without any bytes, whose kind cannot be told. */
export const empty = (name: string): Refusal => ({
  title: 'Empty File',
  text: `${name}: This file is empty. Choose another one.`,
});

/** Whether the first bytes of an image say that it is an animation; a PNG may say so later. */
export const isAnimated = (head: Uint8Array) =>
  (ascii(head, 12, 16) === 'VP8X' && ((head[20] ?? 0) & 2) !== 0) ||
  (head[0] === 0x89 && ascii(head, 0, HEAD_BYTES).includes('acTL'));
export const ANIMATED =
  'This image moves. Save it as an MP4 video, or the part that shows it as a still image, and choose that.';

/** The types of media that are accepted. */
export const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'video/mp4', 'video/webm'] as const;
type MediaType = (typeof MEDIA_TYPES)[number];

/** What a file is by its first bytes; undefined for what is none of `MEDIA_TYPES`. */
export function sniff(head: Uint8Array): MediaType | undefined {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg';
  if (ascii(head, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP') return 'image/webp';
  if (ascii(head, 4, 8) === 'ftyp') return STILL_BRANDS.test(ascii(head, 8, 12)) ? undefined : 'video/mp4';
  // Matroska has the same signature; the document type distinguishes them.
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3)
    return ascii(head, 4, HEAD_BYTES).includes('\x42\x82\x84webm') ? 'video/webm' : undefined;
  return undefined;
}

/**
 * The same for a file that was chosen or sent as an image or a video. Its name and its sender's type count for one thing: a
 * QuickTime movie that calls itself one is refused, since its picture and sound are often in formats that cannot be read.
 */
export const typeOf = (name: string, declared: string, head: Uint8Array) =>
  isQuickTime(head) && (declared === 'video/quicktime' || /\.(?:mov|qt)$/i.test(name))
    ? undefined
    : sniff(head);

/** Whether a type is that of a video, or of an image. */
export const kindOf = (type: string): 'image' | 'video' => (type.startsWith('video/') ? 'video' : 'image');
