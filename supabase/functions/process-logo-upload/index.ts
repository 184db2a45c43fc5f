import type { SupabaseClient } from '@supabase/supabase-js';
import type { Received } from '../../../media/receive.ts';
import { callerClient, type FunctionContext, refusal, required, serviceClient } from '../context.ts';
import { OPERATOR, withMemberUpload, withOperatorUpload } from '../member-upload.ts';
import { publishImage } from '../publish-image.ts';

/** The folder of the logo beside those of the members, which are called by their ids. */
const FOLDER = 'site';

/**
 * Makes an image that an admin or the operator sends a square with nothing cut off and publishes it; the settings of the site name
 * it afterwards.
 */
export default function processLogoUpload(request: Request, context: FunctionContext): Promise<Response> {
  if (context.claims?.role === 'service_role')
    return withOperatorUpload(request, context, 'image', (file) =>
      publishLogo(file, OPERATOR, context, serviceClient(context)),
    );
  return withMemberUpload(request, context, 'image', async (file, member, client) => {
    // The database answers it for those alone who may change the settings, with their second step where one is asked for.
    const account = await required(callerClient(request, context).rpc('member_account', { member }));
    if (!account) return refusal(403, 'Forbidden', 'Only admins can change the logo');
    return publishLogo(file, member, context, client);
  });
}

async function publishLogo(
  file: Received,
  owner: string,
  context: FunctionContext,
  client: SupabaseClient,
): Promise<Response> {
  const { files } = await context.media.process(file, 'logo', owner);
  const settings: { logo_url: string } | null = await required(
    client.from('site_settings').select('logo_url').single(),
  );
  return Response.json({ logoUrl: await publishImage(client, file, files, FOLDER, settings?.logo_url) });
}
