import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { diskProblem } from '../../media/disk.ts';
import { type Received, receiveUpload } from '../../media/receive.ts';
import { MediaRefused, noRoom } from '../../media/refusal.ts';
import { type FunctionContext, refusal, required, serviceClient } from './context.ts';

/** What is refused for its file: too large, of a wrong type, unreadable, or too slow. The line and the site are no one’s fault. */
const COUNTED = new Set<MediaRefused['status']>([413, 415, 422, 503]);

const tryAgainLater = () =>
  refusal(503, 'Try Again Later', 'The site can’t accept files at the moment. Please try again in a minute.');

/** Whether the storage service says that its files cannot be reached. */
const isUnavailable = (error: unknown) => error instanceof Error && 'status' in error && error.status === 503;

/**
 * Checks that the caller is a member who may upload now, and passes the member's id to `work`; a refusal
 * becomes the response. The id comes from the token, never from a parameter.
 */
export async function withMember(
  request: Request,
  context: FunctionContext,
  work: (member: string, client: SupabaseClient) => Promise<Response>,
): Promise<Response> {
  if (request.method !== 'POST') return refusal(405, 'Method Not Allowed', 'Files are sent by POST.');
  const client = serviceClient(context);
  const member = context.claims?.sub;
  const token = request.headers.get('authorization')?.replace(/^Bearer\s+/i, '');
  // A token outlives the session it was made for; a deleted or signed-out account may not upload.
  const account = member && token ? await client.auth.getUser(token) : undefined;
  const unknown = account?.error;
  // An unavailable authentication service is no reason to require a new sign-in.
  if (unknown && (unknown.status === 429 || (unknown.status ?? 500) >= 500)) return tryAgainLater();
  if (!member || !account || unknown) {
    return refusal(401, 'Authentication Required', 'Please sign in to upload files.');
  }
  if (
    context.claims?.aal !== 'aal2' &&
    account.data.user?.factors?.some(({ status }) => status === 'verified')
  )
    return refusal(403, 'Forbidden', 'Please confirm your second step first.');
  const [refused]: { code: string; message: string }[] = await required(
    client.rpc('participation_refusal', { member }),
  );
  if (refused) return refusal(403, 'Forbidden', refused.message, refused.code);
  return inTurn(context, member, () => work(member, client));
}

/** Does the work once it is this client's turn; a refusal becomes the response. */
async function inTurn(
  context: FunctionContext,
  owner: string,
  work: () => Promise<Response>,
): Promise<Response> {
  let release: (() => void) | undefined;
  try {
    release = context.media.admit(owner);
    return await work();
  } catch (error) {
    const refused = diskProblem(error) ? noRoom() : error;
    if (refused instanceof MediaRefused && COUNTED.has(refused.status)) context.media.countRefused(owner);
    if (refused instanceof MediaRefused) return refusal(refused.status, refused.title, refused.message);
    if (error instanceof Error && isUnavailable(error.cause)) return tryAgainLater();
    throw error;
  } finally {
    release?.();
  }
}

/**
 * Receives the file that a member sends as a form and passes it to `work`. The file and its renditions are
 * deleted afterwards, however it ends.
 *
 * @param only refuses the other kind
 */
export function withMemberUpload(
  request: Request,
  context: FunctionContext,
  only: Received['kind'] | undefined,
  work: (file: Received, member: string, client: SupabaseClient) => Promise<Response>,
): Promise<Response> {
  return withMember(request, context, (member, client) =>
    withFile(request, context, only, member, (file) => work(file, member, client)),
  );
}

/** In whose name a command of the operator's sends a file. */
export const OPERATOR = 'operator';

/** The same for a command of the operator's, which has the service key; the caller has checked that. */
export const withOperatorUpload = (
  request: Request,
  context: FunctionContext,
  only: Received['kind'],
  work: (file: Received) => Promise<Response>,
): Promise<Response> => inTurn(context, OPERATOR, () => withFile(request, context, only, OPERATOR, work));

async function withFile(
  request: Request,
  context: FunctionContext,
  only: Received['kind'] | undefined,
  owner: string,
  work: (file: Received) => Promise<Response>,
): Promise<Response> {
  const file = await receiveUpload(request, context.media.folder, only);
  try {
    if (file.userId !== owner)
      return refusal(403, 'Forbidden', 'You can only upload files for your own account.');
    return await work(file);
  } finally {
    await file.discard();
  }
}

const WAITING_FILES = 60;
const WAITING_BYTES = 500 * 1024 * 1024;
const MEMBER_BYTES = 2 * 1024 ** 3;

const tooManyWaiting = () =>
  new MediaRefused(
    429,
    'Too Many Uploads',
    'You’ve uploaded many files that aren’t in a solution yet. Submit a solution with them, or try again tomorrow.',
  );

/**
 * Uploads without a solution are deleted after a day; until then neither they nor all of a member's may pile
 * up.
 *
 * @throws MediaRefused
 */
export async function enforceMemberQuota(client: SupabaseClient, member: string): Promise<void> {
  if (Number(await required(client.rpc('stored_bytes', { member }))) >= MEMBER_BYTES)
    throw new MediaRefused(
      413,
      'Storage Full',
      'Your files use all of your 2 GB. Remove some from your solutions before you add more.',
    );
  const waiting: { byte_size: number }[] =
    (await required(client.from('pending_uploads').select('byte_size').eq('user_id', member))) ?? [];
  const bytes = waiting.reduce((sum, upload) => sum + upload.byte_size, 0);
  if (waiting.length >= WAITING_FILES || bytes >= WAITING_BYTES) throw tooManyWaiting();
}

const TYPES: Record<string, string> = { webp: 'image/webp', mp4: 'video/mp4' };

/** Stores files under a folder of a bucket: all of them, or none. */
export async function storeAll(
  client: SupabaseClient,
  bucket: string,
  files: { from: string; to: string }[],
): Promise<void> {
  const stored: string[] = [];
  try {
    for (const { from, to } of files) {
      stored.push(to);
      const body = createReadStream(from);
      // One that cannot be opened fails before it is read, and again when it is; without a listener that would end the process.
      body.on('error', () => undefined);
      try {
        const { error } = await client.storage.from(bucket).upload(to, body, {
          contentType: TYPES[to.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
          // Names are never reused, but removed pictures must leave all caches within the hour.
          cacheControl: '3600',
          duplex: 'half',
        });
        if (error && 'status' in error && error.status === 507) throw noRoom();
        if (error) throw new Error(`${to} could not be stored: ${error.message}`, { cause: error });
      } finally {
        // A refusal may come before the first byte is read.
        body.destroy();
      }
    }
  } catch (error) {
    await client.storage.from(bucket).remove(stored);
    throw error;
  }
}

const PENDING = 'pending-media';

/**
 * Stores what processing made of a file where only the member and moderators see it, until a solution takes it: all of it,
 * or nothing.
 *
 * @param names of its files in the folder of `file`
 * @param describe what was made, by the columns in which it will be kept; given the URLs and sizes in bytes of the files
 */
export async function storeUpload<Made>(
  client: SupabaseClient,
  member: string,
  file: Received,
  names: string[],
  describe: (urls: string[], sizes: number[]) => Made,
): Promise<Made> {
  const files = targetPaths(file, names, `${member}/${randomUUID()}`);
  const urls = files.map(({ to }) => `/storage/v1/object/authenticated/${PENDING}/${to}`);
  const sizes = await Promise.all(files.map(async ({ from }) => (await stat(from)).size));
  const byte_size = sizes.reduce((sum, size) => sum + size, 0);
  const made = describe(urls, sizes);
  await storeAll(client, PENDING, files);
  try {
    await required(client.from('pending_uploads').insert({ user_id: member, urls, byte_size, made }));
  } catch (error) {
    await client.storage.from(PENDING).remove(files.map(({ to }) => to));
    throw error;
  }
  return made;
}

/** The local path of a rendition and its path in the bucket. */
export function targetPaths(file: Received, names: string[], folder: string): { from: string; to: string }[] {
  return names.map((name) => ({ from: join(file.folder, name), to: `${folder}/${name}` }));
}
