import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Busboy } from '@fastify/busboy';
import { invalidBody } from './errors.ts';
import { contentEncoding, maxAge, mediaType, userMetadata, userMetadataHeader } from './media-types.ts';

/** The metadata that is kept about a file. */
export interface Description {
  /** With its parameters, for example a charset. */
  contentType: string;
  contentEncoding: string | undefined;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
}

export interface Upload extends Description {
  body: Readable;
}

/** The file a request carries, raw or as a form; its bytes are still to be read. */
export async function readUpload(request: Request): Promise<Upload> {
  // A file may be empty, and then there is no stream.
  const body = request.body
    ? Readable.fromWeb(request.body as ReadableStream<Uint8Array>)
    : Readable.from([]);
  // A sender who hangs up before the body is read fails it, and without a listener that would end the process.
  body.on('error', () => undefined);
  const contentType = request.headers.get('content-type') ?? 'application/octet-stream';
  if (/^multipart\/form-data/i.test(contentType)) return readFormUpload(body, contentType);
  return {
    body,
    contentType: mediaType(contentType),
    contentEncoding: contentEncoding(request.headers.get('content-encoding')),
    cacheControl: request.headers.get('cache-control') ?? 'no-cache',
    userMetadata: userMetadataHeader(request),
  };
}

/** The promise settles at the form's file; fields that come after it are too late to count. */
function readFormUpload(body: Readable, contentType: string): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    const form = openForm(contentType);
    form.on('field', (name, value) => fields.set(name, value));
    form.on('file', (_field, file, _name, _encoding, type) => {
      // A form that ends inside its file fails the file, which may not be read yet, or never; without a listener that would end
      // the process. Once it is destroyed, it also fails where it is read later.
      file.on('error', (error) => file.destroy(error));
      try {
        resolve({
          body: file,
          contentType: mediaType(type),
          contentEncoding: contentEncoding(fields.get('contentEncoding')),
          cacheControl: maxAge(fields.get('cacheControl')),
          userMetadata: userMetadata(fields.get('metadata')),
        });
      } catch (error) {
        reject(error);
      }
      body.once('error', (error) => file.destroy(error));
      // The form's error comes before that of the file, and makes it a refusal where it would be a fault.
      form.once('error', (cause) => file.emit('error', unreadable(cause)));
    });
    form.once('finish', () => reject(invalidBody('The form has no file')));
    form.on('error', (cause) => reject(unreadable(cause)));
    body.once('error', reject);
    body.pipe(form);
  });
}

const unreadable = (cause: unknown) => Object.assign(invalidBody('The form cannot be read'), { cause });

function openForm(contentType: string) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: 10, fieldSize: 65_536 },
    });
  } catch (cause) {
    throw unreadable(cause);
  }
}
