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
  const names = await fileNames(client, job.solution_id);
  if (job.action === 'publish')
    await carryOver(client, names, PENDING, PUBLISHED, 'media_published', job.solution_id);
  else await carryOver(client, names, PUBLISHED, PENDING, 'media_unpublished', job.solution_id);
}

/** The files of a solution, which have the same names in both buckets. */
async function fileNames(client: SupabaseClient, solution: string): Promise<string[]> {
  const rows: { media_url: string; compressed_url: string; thumbnail_url: string }[] =
    (await must(
      client
        .from('solution_media')
        .select('media_url,compressed_url,thumbnail_url')
        .eq('solution_id', solution),
    )) ?? [];
  const urls = rows.flatMap((row) => [row.media_url, row.compressed_url, row.thumbnail_url]);
  return [
    ...new Set(
      urls.map((url) => url.replace(/^\/storage\/v1\/object\/(?:public|authenticated)\/[^/]+\//, '')),
    ),
  ];
}

/** Copies, then points the rows at the copies, then removes what they pointed at: at no moment is a picture missing. */
async function carryOver(
  client: SupabaseClient,
  names: string[],
  from: string,
  to: string,
  repoint: 'media_published' | 'media_unpublished',
  solution: string,
): Promise<void> {
  for (const name of names) {
    const { error } = await client.storage.from(from).copy(name, name, { destinationBucket: to });
    // There already, by an earlier try that got further.
    if (error && !(await client.storage.from(to).exists(name)).data)
      throw new Error(`${name}: ${error.message}`, { cause: error });
  }
  const stands: boolean = await must(client.rpc(repoint, { solution }));
  // When the decision was reversed meanwhile, the copies are what nobody needs.
  if (names.length > 0) await must(client.storage.from(stands ? from : to).remove(names));
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
