import { Readable } from 'node:stream';
import type { ByteRange } from '../files/file-driver.ts';
import { currentClient } from '../http/client-concurrency.ts';
import { namesTag } from '../http/entity-tags.ts';
import type { Held } from '../http/held.ts';
import { FileMissing } from './errors.ts';
import type { FileStore } from './files.ts';
import { essence } from './media-types.ts';
import type { StoredObject } from './objects.ts';

/** Types that a browser would run as a page; they are sent as text instead. */
const ACTIVE =
  /^(text\/html|application\/xhtml\+xml|image\/svg\+xml|(application|text)\/xml|text\/javascript|application\/javascript)$/;

/** The content of a download: an object's file, or a picture made of it. */
export interface Content {
  /** The file name under which it is saved. */
  name: string;
  type: string;
  encoding?: string | undefined;
  size: number;
  etag: string;
  crc32?: number | undefined;
  modified: Date;
  cacheControl: string;
  open(range: ByteRange): Promise<Readable | undefined>;
}

/** A stored object as it is downloaded, under its own name and type. */
export const contentOf = (files: FileStore, object: StoredObject): Content => ({
  name: object.name,
  type: object.metadata.mimetype,
  encoding: object.metadata.contentEncoding,
  size: object.metadata.size,
  etag: object.metadata.eTag,
  crc32: object.metadata.crc32,
  modified: new Date(object.metadata.lastModified),
  cacheControl: object.metadata.cacheControl,
  open: (range) => files.read(object.version, range),
});

/** Says how long, and by whom, an answer may be kept that says this about itself. */
export type Sharing = (cacheControl: string) => string;

/** For what anyone may read: caches between server and reader may keep it too. */
export const SHARED: Sharing = (cacheControl) => `public, ${cacheControl}`;
/** For what a caller may read who has to be asked each time. */
export const OWN: Sharing = () => 'private, no-cache';
/** For what an address opens until a time: kept by its reader alone, and not longer than the address lives. */
export const until =
  (end: Date): Sharing =>
  (cacheControl) => {
    const left = Math.max(0, Math.floor((end.getTime() - Date.now()) / 1000));
    return `private, ${cacheControl.replace(/\bmax-age=(\d+)/, (_all, age) => `max-age=${Math.min(Number(age), left)}`)}`;
  };

/**
 * Answers a download: whole, in part, or "not modified" (RFC 9110 sections 13 and 14).
 *
 * @throws TooMuchHeld where the client has too many under way
 */
export async function downloadResponse(
  request: Request,
  content: Content,
  sharing: Sharing,
  held: Held,
): Promise<Response> {
  const { size, etag } = content;
  const headers = headersFor(request, content, sharing);
  if (isUnchanged(request.headers, etag, content.modified)) {
    headers.delete('content-type');
    return new Response(null, { status: 304, headers });
  }

  const range = rangeOf(request.headers, size, etag);
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${size}`);
  headers.set('content-length', String(range ? range.end - range.start + 1 : size));
  const status = range ? 206 : 200;
  if (request.method === 'HEAD' || size === 0) return new Response(null, { status, headers });
  const release = await held.download(currentClient(), request);
  try {
    const bytes = await content.open(range ?? { start: 0, end: size - 1 });
    if (!bytes) throw new FileMissing();
    bytes.once('close', release);
    return new Response(Readable.toWeb(bytes) as ReadableStream, { status, headers });
  } catch (error) {
    release();
    throw error;
  }
}

function headersFor(request: Request, content: Content, sharing: Sharing): Headers {
  const headers = new Headers({
    'accept-ranges': 'bytes',
    'cache-control': sharing(content.cacheControl),
    'content-security-policy': "default-src 'none'; sandbox",
    'content-type': ACTIVE.test(essence(content.type)) ? 'text/plain' : content.type,
    'cross-origin-resource-policy': 'cross-origin',
    etag: content.etag,
    'last-modified': content.modified.toUTCString(),
    'x-content-type-options': 'nosniff',
  });
  // Under the name and in the form in which S3 gives it; it is of the whole, whatever part is sent.
  if (content.crc32 !== undefined) {
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(content.crc32);
    headers.set('x-amz-checksum-crc32', sum.toString('base64'));
  }
  if (content.encoding) headers.set('content-encoding', content.encoding);
  const download = new URL(request.url).searchParams.get('download');
  if (download !== null) {
    const name = download || content.name.split('/').at(-1) || 'file';
    headers.set(
      'content-disposition',
      `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${encodedName(name)}`,
    );
  }
  return headers;
}

/** As RFC 8187 asks: its own separators are no part of a name. */
const encodedName = (name: string) =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Whether the reader already has exactly this content. */
export function isUnchanged(headers: Headers, etag: string, modified: Date): boolean {
  const ifNoneMatch = headers.get('if-none-match');
  if (ifNoneMatch) return namesTag(ifNoneMatch, etag);
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return since >= Math.floor(modified.getTime() / 1000) * 1000;
}

/** One range of bytes; several at once are answered whole, as the standard allows. */
function rangeOf(headers: Headers, size: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  // A reader that holds a part of another version must not get the rest of this one.
  const condition = headers.get('if-range');
  if (condition !== null && condition !== etag) return undefined;
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (start >= size || start > end) return 'unsatisfiable';
  return { start, end };
}
