import { cutText } from '../../texts/cut-text.ts';
import { parseJson } from '../http/json.ts';
import { invalidBody, wrongType } from './errors.ts';

/** A media type without its parameters. */
export const essence = (contentType: string) => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** @throws StorageError unless the bucket takes this type */
export function checkAllowed(contentType: string, allowed: string[] | null): void {
  if (!allowed || allowed.length === 0) return;
  const type = essence(contentType);
  const fits = allowed.some(
    (pattern) =>
      pattern === type ||
      pattern === '*/*' ||
      (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1))),
  );
  if (!fits) throw wrongType(type);
}

/** The type as it will be served again, so it must fit a header. */
export function mediaType(header: string): string {
  const type = header.trim() || 'application/octet-stream';
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/.test(type)) throw wrongType(cutText(type, 100));
  return type;
}

/** Seconds as clients send them in forms and with resumable uploads, as the header they stand for. */
export const maxAge = (seconds: string | null | undefined) =>
  seconds && /^\d{1,10}$/.test(seconds) ? `max-age=${seconds}` : 'no-cache';

/** The encoding of the bytes, for example gzip; served again with them, and undefined for plain ones. */
export function contentEncoding(header: string | null | undefined): string | undefined {
  const encoding = header?.trim().toLowerCase();
  if (!encoding) return undefined;
  if (!/^[a-z0-9_-]{1,20}(?:\s*,\s*[a-z0-9_-]{1,20}){0,3}$/.test(encoding))
    throw invalidBody('The content encoding cannot be read');
  return encoding;
}

/** The metadata of a file that a request carries in a header. */
export function userMetadataHeader(request: Request): Record<string, unknown> | null {
  const text = request.headers.get('x-metadata');
  return userMetadata(text && Buffer.from(text, 'base64').toString('utf8'));
}

/** @param text JSON, in which clients send the metadata of a file */
export function userMetadata(text: string | null | undefined): Record<string, unknown> | null {
  if (!text) return null;
  try {
    const value: unknown = parseJson(text);
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error is reported below.
  }
  throw invalidBody('metadata must be a JSON object');
}
