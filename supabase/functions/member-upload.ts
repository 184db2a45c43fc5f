import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { diskProblem } from '../../media/disk.ts';
import { type Received, receiveUpload } from '../../media/receive.ts';
import { MediaRefused, noRoom } from '../../media/refusal.ts';
import { type FunctionContext, refusal, required, serviceClient } from './context.ts';

/**
 * Takes a member's file in and hands it to `work`. The file and whatever was made of it are gone afterwards,
 * however it ends.
 *
 * @param only refuses the other kind
 */
export async function withMemberUpload(
  request: Request,
  context: FunctionContext,
  only: Received['kind'] | undefined,
  work: (file: Received, client: SupabaseClient) => Promise<Response>,
): Promise<Response> {
  if (request.method !== 'POST') return refusal(405, 'Method Not Allowed', 'Files are sent by POST.');
  const client = serviceClient(context);
  const member = context.claims?.sub;
  const token = request.headers.get('authorization')?.replace(/^Bearer\s+/i, '');
  // A token outlives the session it was made for; an account that is gone or signed out may not upload.
  const unknown = member && token ? (await client.auth.getUser(token)).error : undefined;
  // Nobody has to sign in again because nobody could be asked.
  if (unknown && (unknown.status === 429 || (unknown.status ?? 500) >= 500))
    return refusal(
      503,
      'Try Again Later',
      'The site cannot take files at the moment. Please try again in a minute.',
    );
  if (!member || !token || unknown) {
    return refusal(401, 'Authentication Required', 'Please log in to upload files.');
  }
  const sanction: string | null = await required(client.rpc('sanction_message', { member }));
  if (sanction) return refusal(403, 'Forbidden', sanction);
  let leave: (() => void) | undefined;
  let file: Received | undefined;
  try {
    leave = context.media.admit(member);
    file = await receiveUpload(request, context.media.folder, only);
    if (file.userId !== member)
      return refusal(403, 'Forbidden', 'Files can be uploaded for your own account only.');
    return await work(file, client);
  } catch (error) {
    const refused = diskProblem(error) ? noRoom() : error;
    if (refused instanceof MediaRefused) return refusal(refused.status, refused.title, refused.message);
    throw error;
  } finally {
    await file?.discard();
    leave?.();
  }
}

const TYPES: Record<string, string> = { webp: 'image/webp', mp4: 'video/mp4' };

/** Stores files under a folder of a bucket: all of them, or none. */
export async function store(
  client: SupabaseClient,
  bucket: string,
  files: { from: string; to: string }[],
): Promise<void> {
  const stored: string[] = [];
  try {
    for (const { from, to } of files) {
      stored.push(to);
      const { error } = await client.storage.from(bucket).upload(to, createReadStream(from), {
        contentType: TYPES[to.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
        // Names are never used twice, but what is taken down must be gone from all caches within the hour.
        cacheControl: '3600',
        duplex: 'half',
      });
      if (error && 'status' in error && error.status === 507) throw noRoom();
      if (error) throw new Error(`${to} could not be stored: ${error.message}`, { cause: error });
    }
  } catch (error) {
    await client.storage.from(bucket).remove(stored);
    throw error;
  }
}

/** Where a rendition lies and where it goes. */
export function placed(file: Received, names: string[], folder: string): { from: string; to: string }[] {
  return names.map((name) => ({ from: join(file.folder, name), to: `${folder}/${name}` }));
}
