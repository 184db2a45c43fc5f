import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Busboy } from '@fastify/busboy';
import { invalidBody, wrongType } from './errors.ts';

export interface Upload {
  body: Readable;
  /** With its parameters, such as a charset. */
  contentType: string;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
}

/** The file a request carries, raw or as a form; its bytes are still to be read. */
export async function receive(request: Request): Promise<Upload> {
  // A file may be empty, and then there is no stream.
  const body = request.body
    ? Readable.fromWeb(request.body as ReadableStream<Uint8Array>)
    : Readable.from([]);
  const contentType = request.headers.get('content-type') ?? 'application/octet-stream';
  if (/^multipart\/form-data/i.test(contentType)) return receiveForm(body, contentType);
  return {
    body,
    contentType: mediaType(contentType),
    cacheControl: request.headers.get('cache-control') ?? 'no-cache',
    userMetadata: parseMetadata(decodeBase64(request.headers.get('x-metadata'))),
  };
}

/** The promise settles at the form's file; fields that come after it are too late to count. */
function receiveForm(body: Readable, contentType: string): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    const form = openForm(contentType);
    form.on('field', (name, value) => fields.set(name, value));
    form.on('file', (_field, file, _name, _encoding, type) => {
      const seconds = fields.get('cacheControl');
      try {
        resolve({
          body: file,
          contentType: mediaType(type),
          cacheControl: seconds && /^\d+$/.test(seconds) ? `max-age=${seconds}` : 'no-cache',
          userMetadata: parseMetadata(fields.get('metadata')),
        });
      } catch (error) {
        reject(error);
      }
      body.once('error', (error) => file.destroy(error));
    });
    form.once('finish', () => reject(invalidBody('The form has no file')));
    form.once('error', (cause) => reject(Object.assign(invalidBody('The form cannot be read'), { cause })));
    body.once('error', reject);
    body.pipe(form);
  });
}

function openForm(contentType: string) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: 10, fieldSize: 65_536 },
    });
  } catch (cause) {
    throw Object.assign(invalidBody('The form cannot be read'), { cause });
  }
}

/** The type as it will be served again, so it must fit a header. */
function mediaType(header: string): string {
  const type = header.trim() || 'application/octet-stream';
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/.test(type)) throw wrongType(type.slice(0, 100));
  return type;
}

const decodeBase64 = (text: string | null) =>
  text ? Buffer.from(text, 'base64').toString('utf8') : undefined;

function parseMetadata(text: string | undefined): Record<string, unknown> | null {
  if (!text) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw invalidBody('metadata must be a JSON object');
}
