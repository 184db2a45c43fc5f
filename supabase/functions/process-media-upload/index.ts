import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import { MediaRefused } from '../../../media/refusal.ts';
import { type FunctionContext, required } from '../context.ts';
import { placed, store, withMemberUpload } from '../member-upload.ts';

const BUCKET = 'pending-media';
const WAITING_FILES = 60;
const WAITING_BYTES = 500 * 1024 * 1024;
const MEMBER_BYTES = 2 * 1024 ** 3;

/** Makes a member's picture or clip fit to be shown, and keeps it where only they and moderators see it. */
export default function processMediaUpload(request: Request, context: FunctionContext): Promise<Response> {
  return withMemberUpload(request, context, undefined, async (file, client) => {
    await refuseHoarding(client, file.userId);
    const made = await context.media.process(file, file.kind === 'video' ? 'video' : 'images');
    const files = placed(file, made.files, `${file.userId}/${randomUUID()}`);
    const sizes = await Promise.all(files.map(async ({ from }) => (await stat(from)).size));
    await store(client, BUCKET, files);

    const [first = '', second = '', third] = files.map(
      ({ to }) => `/storage/v1/object/authenticated/${BUCKET}/${to}`,
    );
    // A picture comes in three sizes; a clip is its own compressed form and has a still.
    const [compressed, thumbnail] = third === undefined ? [first, second] : [second, third];
    try {
      await required(
        client.from('media_uploads').insert({
          user_id: file.userId,
          media_url: first,
          compressed_url: compressed,
          thumbnail_url: thumbnail,
          media_type: file.kind,
          width: made.width,
          height: made.height,
          duration_seconds: made.duration ?? null,
          byte_size: sizes.reduce((sum, size) => sum + size, 0),
        }),
      );
    } catch (error) {
      await client.storage.from(BUCKET).remove(files.map(({ to }) => to));
      throw error;
    }
    return Response.json({
      originalUrl: first,
      compressedUrl: compressed,
      thumbnailUrl: thumbnail,
      mediaType: file.kind,
      width: made.width,
      height: made.height,
      ...(made.duration !== undefined && { duration: made.duration }),
    });
  });
}

/** Uploads that no solution has taken yet are given up after a day; until then they may not pile up, nor may all of a member's. */
async function refuseHoarding(client: SupabaseClient, member: string): Promise<void> {
  if (Number(await required(client.rpc('stored_bytes', { member }))) >= MEMBER_BYTES)
    throw new MediaRefused(
      413,
      'Storage Full',
      'Your pictures and clips take 2 GB already. Remove some from your solutions before you add more.',
    );
  const waiting: { byte_size: number }[] =
    (await required(client.from('media_uploads').select('byte_size').eq('user_id', member))) ?? [];
  const bytes = waiting.reduce((sum, upload) => sum + upload.byte_size, 0);
  if (waiting.length < WAITING_FILES && bytes < WAITING_BYTES) return;
  throw new MediaRefused(
    429,
    'Too Many Uploads',
    'You have uploaded many files that are in no solution yet. Submit a solution with them, or try again tomorrow.',
  );
}
