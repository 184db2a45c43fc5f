import type { IncomingMessage } from 'node:http';

/**
 * The whole body of a request, or undefined when it is larger than allowed.
 *
 * Counts while reading, so that no more than the limit is ever in memory.
 */
export async function readBody(request: Request, limit: number): Promise<Buffer | undefined> {
  const length = request.headers.get('content-length');
  if (Number(length ?? 0) > limit) return undefined;
  // HTTP gives no more than the stated length. Read whole, a body needs none of the web's streams, which cost a fifth of a
  // small write.
  if (length !== null) return Buffer.from(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A body may have so many chunks however short they are, and beyond that one for each so many bytes. */
const FREE_CHUNKS = 1024;
const BYTES_A_CHUNK = 64;

/**
 * Breaks off a request whose body comes in ever shorter chunks: each of them is work, and memory until it is read,
 * whatever its length.
 */
export function limitChunks(incoming: IncomingMessage): void {
  if (incoming.headers['transfer-encoding'] === undefined) return;
  let chunks = 0;
  let bytes = 0;
  const push = incoming.push.bind(incoming);
  incoming.push = (chunk: Buffer | null, encoding) => {
    chunks += 1;
    bytes += chunk?.length ?? 0;
    if (chunks <= FREE_CHUNKS + bytes / BYTES_A_CHUNK) return push(chunk, encoding);
    incoming.destroy(new Error('The body comes in too many chunks.'));
    return false;
  };
}
