import { callerClient, type FunctionContext, refusal } from '../context.ts';
import { isRemoved } from '../is-removed.ts';
import { bytesOf, openedEntry, type ZipEntry, zipStream } from '../zip.ts';

/** Paths of files as the database names them. */
const STORED = /^\/storage\/v1\/object\/(?:public|authenticated)\/([^/]+)\/(.+)$/;

type Rows = Record<string, unknown>[];

/** All data the site holds of the caller as one ZIP: the rows as JSON, and the files. */
export default async function exportData(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method !== 'POST') return refusal(405, 'Method Not Allowed', 'Data are asked for by POST.');
  if (!context.claims?.sub) return refusal(401, 'Unauthorized', 'Sign in to download your data.');
  context.admitArchive(context.claims.sub);
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
  return new Response(zipStream(contents(data, urls, context)), {
    headers: { 'content-type': 'application/octet-stream' },
  });
}

/** One after the other, as the ZIP is read, so that only one file is on its way. */
async function* contents(
  data: unknown,
  urls: string[],
  { env, fetch, signal }: FunctionContext,
): AsyncGenerator<ZipEntry> {
  const lastModified = new Date();
  yield { name: 'data.json', lastModified, open: () => bytesOf(JSON.stringify(data, null, 2)) };
  for (const url of urls) {
    const [, bucket, path] = STORED.exec(url) ?? [];
    if (!bucket || !path) continue;
    signal.throwIfAborted();
    const file = await fetch(`${env.SUPABASE_URL}/storage/v1/object/${bucket}/${path}`, {
      headers: {
        apikey: env.SUPABASE_SERVICE_ROLE_KEY,
        authorization: `Bearer ${env.SUPABASE_SERVICE_ROLE_KEY}`,
      },
      signal,
    });
    // Deleted since the list was made: a picture can be removed in the meantime.
    if (await isRemoved(file, `${bucket}/${path}`)) continue;
    const name = `files/${bucket}/${path}`;
    yield* openedEntry({ name, lastModified }, file.body?.values() ?? bytesOf(''));
  }
}
