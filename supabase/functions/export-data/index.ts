import { downloadZip } from 'client-zip';
import { callerClient, type FunctionContext, refusal } from '../context.ts';

/** Paths of files as the database names them. */
const STORED = /^\/storage\/v1\/object\/(?:public|authenticated)\/([^/]+)\/(.+)$/;

type Rows = Record<string, unknown>[];

/** All data the site holds of the caller as one ZIP: the rows as JSON, and the files. */
export default async function exportData(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method !== 'POST') return refusal(405, 'Method Not Allowed', 'Data are asked for by POST.');
  if (!context.claims?.sub) return refusal(401, 'Unauthorized', 'Sign in to download your data.');
  const response = await callerClient(request, context).rpc('export_account');
  // A member who has set up a second factor must have passed it for this, too.
  if (response.error?.code === '42501')
    return refusal(403, 'Forbidden', 'Please confirm your second step first.');
  if (response.error) throw new Error(response.error.message, { cause: response.error });
  const data: Record<string, Rows | undefined> = response.data;
  const ofPosts = ['forum_topics', 'forum_posts', 'held_posts'].flatMap((table) => data[table] ?? []);
  const named = ['profiles', 'solution_media', 'solution_files', 'pending_uploads']
    .flatMap((table) => data[table] ?? [])
    .concat(ofPosts.flatMap(({ images }) => images as Rows))
    .flatMap(({ avatar_url, media_url, compressed_url, thumbnail_url, file_url, urls }) =>
      [avatar_url, media_url, compressed_url, thumbnail_url, file_url, urls].flat(),
    );
  const urls = [...new Set(named)].filter((url) => typeof url === 'string');
  // As a file of unknown type, which the client library passes on unchanged.
  return new Response(downloadZip(contents(data, urls, context)).body, {
    headers: { 'content-type': 'application/octet-stream' },
  });
}

/** One after the other, as the ZIP is read, so that only one file is on its way. */
async function* contents(data: unknown, urls: string[], { env, fetch, signal }: FunctionContext) {
  yield { name: 'data.json', lastModified: new Date(), input: JSON.stringify(data, null, 2) };
  for (const url of urls) {
    const [, bucket, name] = STORED.exec(url) ?? [];
    if (!bucket || !name) continue;
    const file = await fetch(`${env.SUPABASE_URL}/storage/v1/object/${bucket}/${name}`, {
      headers: {
        apikey: env.SUPABASE_SERVICE_ROLE_KEY,
        authorization: `Bearer ${env.SUPABASE_SERVICE_ROLE_KEY}`,
      },
      signal,
    });
    // The body alone: the server's own Response class is in the place of the one of which an answer from elsewhere is.
    if (file.ok) yield { name: `files/${bucket}/${name}`, lastModified: new Date(), input: file.body ?? '' };
    else {
      await file.body?.cancel();
      // Deleted since the list was made: a picture can be removed in the meantime. No other file may be missing
      // silently.
      if (file.status !== 400 && file.status !== 404)
        throw new Error(`${bucket}/${name} could not be read: ${file.status}`);
    }
  }
}
