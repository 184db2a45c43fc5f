import { randomUUID } from 'node:crypto';
import { MediaRefused } from '../../../media/refusal.ts';
import { type FunctionContext, required } from '../context.ts';
import { enforceMemberQuota, withMember } from '../member-upload.ts';

const BUCKET = 'incoming-media';
/** Uploads of one member that are not processed yet; an abandoned one counts for three hours. */
const MAX_UNPROCESSED = 10;

/**
 * Signs a URL to which a member may upload one clip piece by piece (TUS). process-media-upload accepts the
 * path of that clip once, and from this member alone.
 */
export default function beginMediaUpload(request: Request, context: FunctionContext): Promise<Response> {
  return withMember(request, context, async (member, client) => {
    await enforceMemberQuota(client, member);
    const unprocessed: unknown[] =
      (await required(client.from('incoming_uploads').select('name').eq('user_id', member))) ?? [];
    if (unprocessed.length >= MAX_UNPROCESSED)
      throw new MediaRefused(
        429,
        'Too Many Uploads',
        'Too many of your uploads weren’t finished. Please try again in three hours.',
      );
    const path = `${member}/${randomUUID()}`;
    await required(client.from('incoming_uploads').insert({ name: path, user_id: member }));
    const signed = await required(client.storage.from(BUCKET).createSignedUploadUrl(path));
    if (!signed) throw new Error('the storage service signed nothing');
    return Response.json({ bucket: BUCKET, path, token: signed.token });
  });
}
