import type { SupabaseClient } from '@supabase/supabase-js';
import type { Received } from '../../media/receive.ts';
import { required } from './context.ts';
import { storeAll, targetPaths } from './member-upload.ts';

const BUCKET = 'avatars';
const PUBLIC = `/storage/v1/object/public/${BUCKET}/`;

/**
 * Publishes the one rendition of a file in a folder for small images that everyone sees, and removes all others there but the
 * one that is shown until its row names the new one.
 *
 * @param shown the URL that the row names now
 * @returns the URL to be named
 */
export async function publishImage(
  client: SupabaseClient,
  file: Received,
  renditions: string[],
  folder: string,
  shown: string | null | undefined,
): Promise<string> {
  const [image] = targetPaths(file, renditions, folder);
  if (!image) throw new Error('no image was made');
  const to = `${folder}/${Date.now()}.webp`;
  await storeAll(client, BUCKET, [{ from: image.from, to }]);
  const listed = (await required(client.storage.from(BUCKET).list(folder, { limit: 100 }))) ?? [];
  const old = listed
    .map((one) => `${folder}/${one.name}`)
    .filter((path) => path !== to && PUBLIC + path !== shown);
  if (old.length > 0) await required(client.storage.from(BUCKET).remove(old));
  return PUBLIC + to;
}
