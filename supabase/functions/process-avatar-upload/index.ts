import type { SupabaseClient } from '@supabase/supabase-js';
import { type FunctionContext, required } from '../context.ts';
import { storeAll, targetPaths, withMemberUpload } from '../member-upload.ts';

const BUCKET = 'avatars';
const PUBLIC = `/storage/v1/object/public/${BUCKET}/`;

/** Makes a member's picture a small square and publishes it; the profile names it afterwards. */
export default function processAvatarUpload(request: Request, context: FunctionContext): Promise<Response> {
  return withMemberUpload(request, context, 'image', async (file, member, client) => {
    const rendition = await context.media.process(file, 'avatar', member);
    const name = `${Date.now()}.webp`;
    const [avatar] = targetPaths(file, rendition.files, member);
    if (!avatar) throw new Error('no avatar was made');
    await storeAll(client, BUCKET, [{ from: avatar.from, to: `${member}/${name}` }]);
    await removeOthers(client, member, name);
    return Response.json({ avatarUrl: `${PUBLIC}${member}/${name}` });
  });
}

/** Keeps the new picture, and the one the profile shows until it names the new one. */
async function removeOthers(client: SupabaseClient, member: string, name: string): Promise<void> {
  const profile: { avatar_url: string | null } | null = await required(
    client.from('profiles').select('avatar_url').eq('id', member).maybeSingle(),
  );
  const listed = (await required(client.storage.from(BUCKET).list(member, { limit: 100 }))) ?? [];
  const old = listed
    .map((one) => `${member}/${one.name}`)
    .filter((path) => path !== `${member}/${name}` && PUBLIC + path !== profile?.avatar_url);
  if (old.length > 0) await required(client.storage.from(BUCKET).remove(old));
}
