import { type FunctionContext, required } from '../context.ts';
import { withMemberUpload } from '../member-upload.ts';
import { publishImage } from '../publish-image.ts';

/** Makes a member's picture a small square and publishes it; the profile names it afterwards. */
export default function processAvatarUpload(request: Request, context: FunctionContext): Promise<Response> {
  return withMemberUpload(request, context, 'image', async (file, member, client) => {
    const { files } = await context.media.process(file, 'avatar', member);
    const profile: { avatar_url: string | null } | null = await required(
      client.from('profiles').select('avatar_url').eq('id', member).maybeSingle(),
    );
    return Response.json({ avatarUrl: await publishImage(client, file, files, member, profile?.avatar_url) });
  });
}
