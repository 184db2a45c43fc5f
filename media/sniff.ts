/** A `file` is a build file, whose type its processing finds out. */
export type FileKind = 'image' | 'video' | 'file';

/** The number of bytes that decide the type of a file. */
export const HEAD_BYTES = 64;

const ascii = (head: Uint8Array, from: number, to: number) => String.fromCharCode(...head.subarray(from, to));

/** Brands of the pictures that share MP4's container. */
const STILL_BRANDS =
  /^(?:heic|heix|heim|heis|hevc|hevx|hevm|hevs|mif1|mif2|msf1|avif|avis|jpeg|jpgs|crx |MiHE|miaf)$/;

/** Whether it is a phone's photograph, whatever its name says. */
export const isHeic = (head: Uint8Array) =>
  /^ftyp(?:hei[cmxs]|hev[cmx]|mif[12]|msf1)/.test(ascii(head, 4, 12));

/** The sentences of the form, before a file is sent, and of the server, that decides. */
export const wrongImageText = (name: string, heic: boolean) =>
  `${name}: Only JPEG, PNG, and WebP images are accepted.${heic ? ' This is an HEIC image. Save it as JPEG and choose it again.' : ''}`;
/** The same for a video, with advice for a camera's MOV, whose bytes are those of an MP4. */
export const wrongVideoText = (name: string) =>
  `${name}: Only MP4 and WebM videos are accepted.${/\.mov$/i.test(name) ? ' Change its ending to .mp4, or save it as MP4, and choose it again.' : ''}`;

/** Whether the first bytes of an image say that it is an animation; a PNG may say so later. */
export const isAnimated = (head: Uint8Array) =>
  (ascii(head, 12, 16) === 'VP8X' && ((head[20] ?? 0) & 2) !== 0) ||
  (head[0] === 0x89 && ascii(head, 0, HEAD_BYTES).includes('acTL'));
export const ANIMATED =
  'This image moves. Save it as an MP4 video, or the part that shows it as a still image, and choose that.';

/**
 * The type of a file, by its first bytes: JPEG, PNG and WebP are images, MP4 and WebM are videos, all other
 * files are refused. Neither the name nor the sender's type counts.
 */
export function sniff(head: Uint8Array): FileKind | undefined {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image';
  if (ascii(head, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image';
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP') return 'image';
  if (ascii(head, 4, 8) === 'ftyp') return STILL_BRANDS.test(ascii(head, 8, 12)) ? undefined : 'video';
  // Matroska has the same signature; the document type distinguishes them.
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) {
    return ascii(head, 4, HEAD_BYTES).includes('\x42\x82\x84webm') ? 'video' : undefined;
  }
  return undefined;
}
