import type { SupabaseClient } from '@supabase/supabase-js';
import { type FunctionContext, must, refusal, serviceClient } from '../context.ts';

/** The host calls the function this often by itself, with the service key. */
export const everySeconds = 5;

const PENDING = 'pending-media';
const PUBLISHED = 'solution-media';
const AVATARS = 'avatars';

interface MediaJob {
  id: number;
  solution_id: string | null;
  action: 'publish' | 'unpublish' | 'purge';
  object_names: string[];
}

/**
 * Carries out what decisions and deletions have left to do with files. Every step may be repeated, so that a job
 * cut off anywhere is simply done again.
 */
export default async function processMediaJobs(
  request: Request,
  context: FunctionContext,
): Promise<Response> {
  if (request.method !== 'POST') return refusal(405, 'Method Not Allowed', 'Jobs are started by POST.');
  const client = serviceClient(context);
  if (!(await mayStart(client, context))) return refusal(403, 'Forbidden', 'Only moderators can start this.');
  if (context.claims?.role === 'service_role')
    for (const sweep of ['expire_uploads', 'expire_retained_records']) await must(client.rpc(sweep));

  let [done, failed] = [0, 0];
  while (!context.signal.aborted) {
    const [job]: MediaJob[] = (await must(client.rpc('claim_media_job'))) ?? [];
    if (!job) break;
    try {
      await carryOut(client, job);
      await must(client.from('media_jobs').delete().eq('id', job.id));
      done++;
    } catch (error) {
      failed++;
      const reason = error instanceof Error ? error.message : String(error);
      await must(
        client
          .from('media_jobs')
          .update({ last_error: reason.slice(0, 500) })
          .eq('id', job.id),
      );
    }
  }
  return Response.json({ done, failed });
}

async function mayStart(client: SupabaseClient, { claims }: FunctionContext): Promise<boolean> {
  if (claims?.role === 'service_role') return true;
  if (!claims?.sub) return false;
  const roles = await must(
    client.from('user_roles').select('role').eq('user_id', claims.sub).in('role', ['moderator', 'admin']),
  );
  return (roles ?? []).length > 0;
}

async function carryOut(client: SupabaseClient, job: MediaJob): Promise<void> {
  if (job.action === 'purge') return purge(client, job.object_names);
  if (!job.solution_id) return;
  if (job.action === 'publish')
    await carryOver(client, PENDING, PUBLISHED, 'media_published', job.solution_id);
  else await carryOver(client, PUBLISHED, PENDING, 'media_unpublished', job.solution_id);
}

interface MediaFile {
  name: string;
  /** Where its row says it is. */
  bucket: string;
  /** Where it belongs. */
  belongs: string;
}

/** The files of a solution, which have the same names in both buckets. */
async function filesOf(client: SupabaseClient, solution: string): Promise<MediaFile[]> {
  const rows: {
    media_url: string;
    compressed_url: string;
    thumbnail_url: string;
    hidden_at: string | null;
    solution: { status: string };
  }[] =
    (await must(
      client
        .from('solution_media')
        .select('media_url,compressed_url,thumbnail_url,hidden_at,solution:solutions!inner(status)')
        .eq('solution_id', solution)
        .overrideTypes<{ solution: { status: string } }[]>(),
    )) ?? [];
  const files = new Map<string, MediaFile>();
  for (const row of rows) {
    const belongs = row.solution.status === 'approved' && !row.hidden_at ? PUBLISHED : PENDING;
    for (const url of [row.media_url, row.compressed_url, row.thumbnail_url]) {
      const [bucket = '', name = ''] = url
        .replace(/^\/storage\/v1\/object\/(?:public|authenticated)\//, '')
        .split(/\/(.*)/s);
      files.set(name, { name, bucket, belongs });
    }
  }
  return [...files.values()];
}

/**
 * Copies, then points the rows at the copies, then removes what no row points at: at no moment is a picture missing,
 * and a decision that was reversed meanwhile leaves no copy behind.
 */
async function carryOver(
  client: SupabaseClient,
  from: string,
  to: string,
  repoint: 'media_published' | 'media_unpublished',
  solution: string,
): Promise<void> {
  const names = (await filesOf(client, solution))
    .filter(({ belongs }) => belongs === to)
    .map(({ name }) => name);
  if (names.length === 0) return;
  for (const name of names) {
    const { error } = await client.storage.from(from).copy(name, name, { destinationBucket: to });
    // There already, by an earlier try that got further.
    if (error && !(await client.storage.from(to).exists(name)).data)
      throw new Error(`${name}: ${error.message}`, { cause: error });
  }
  await must(client.rpc(repoint, { solution }));
  const standing = new Set(
    (await filesOf(client, solution)).filter(({ bucket }) => bucket === to).map(({ name }) => name),
  );
  for (const [bucket, left] of [
    [from, names.filter((name) => standing.has(name))],
    [to, names.filter((name) => !standing.has(name))],
  ] as const)
    if (left.length > 0) await must(client.storage.from(bucket).remove(left));
}

/** Removes media from both buckets, since they may have moved after the job was written, and avatars from theirs. */
async function purge(client: SupabaseClient, objects: string[]): Promise<void> {
  const namesIn = (bucket: string) =>
    objects.flatMap((object) => (object.startsWith(`${bucket}/`) ? [object.slice(bucket.length + 1)] : []));
  const media = [...namesIn(PENDING), ...namesIn(PUBLISHED)];
  if (media.length > 0)
    for (const bucket of [PENDING, PUBLISHED]) await must(client.storage.from(bucket).remove(media));
  const avatars = namesIn(AVATARS);
  if (avatars.length > 0) await must(client.storage.from(AVATARS).remove(avatars));
}
