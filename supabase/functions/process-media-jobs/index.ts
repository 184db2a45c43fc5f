import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { type FunctionContext, refusal, required, serviceClient } from '../context.ts';

/** The host calls the function at this interval, with the service key. */
export const everySeconds = 5;

/** How often expired files are looked for; their time limits are hours or days. */
const EXPIRY_MS = 60_000;
let expiredAt = Number.NEGATIVE_INFINITY;

const INCOMING = 'incoming-media';
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
 * Carries out the file operations that decisions and deletions require. Every step may be repeated, so that a
 * job cut off anywhere is simply done again.
 */
export default async function processMediaJobs(
  request: Request,
  context: FunctionContext,
): Promise<Response> {
  if (request.method !== 'POST') return refusal(405, 'Method Not Allowed', 'Jobs are started by POST.');
  const client = serviceClient(context);
  if (!(await mayStart(client, context))) return refusal(403, 'Forbidden', 'Only moderators can start this.');
  if (context.claims?.role === 'service_role' && performance.now() - expiredAt > EXPIRY_MS) {
    for (const sweep of ['expire_uploads', 'expire_incoming_uploads', 'expire_retained_records'])
      await required(client.rpc(sweep));
    expiredAt = performance.now();
  }

  let [done, failed] = [0, 0];
  while (!context.signal.aborted) {
    const [job]: MediaJob[] = (await required(client.rpc('claim_media_job'))) ?? [];
    if (!job) break;
    try {
      await carryOut(client, job);
      await required(client.from('media_jobs').delete().eq('id', job.id));
      done++;
    } catch (error) {
      failed++;
      const reason = error instanceof Error ? error.message : String(error);
      await required(
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
  const roles = await required(
    client.from('user_roles').select('role').eq('user_id', claims.sub).in('role', ['moderator', 'admin']),
  );
  return (roles ?? []).length > 0;
}

async function carryOut(client: SupabaseClient, job: MediaJob): Promise<void> {
  if (job.action === 'purge') return purge(client, job.object_names);
  if (!job.solution_id) return;
  if (job.action === 'publish') await publish(client, job.solution_id);
  else await unpublish(client, job, job.solution_id);
}

interface MediaFile {
  name: string;
  /** The bucket named in its row. */
  bucket: string;
  /** The bucket for the solution's present state. */
  belongs: string;
}

/** The files of a solution and its trials, which have the same names in both buckets. */
async function filesOf(client: SupabaseClient, solution: string): Promise<MediaFile[]> {
  const rows: { url: string; is_public: boolean }[] =
    (await required(client.rpc('files_of_solution', { solution }))) ?? [];
  const files = new Map<string, MediaFile>();
  for (const { url, is_public } of rows) {
    const [bucket = '', name = ''] = url
      .replace(/^\/storage\/v1\/object\/(?:public|authenticated)\//, '')
      .split(/\/(.*)/s);
    files.set(name, { name, bucket, belongs: is_public ? PUBLISHED : PENDING });
  }
  return [...files.values()];
}

/**
 * Copies, then points the rows at the copies, then removes the files that no row points at: at no moment is a
 * picture missing, and a decision that was reversed in the meantime leaves no copy behind.
 */
async function publish(client: SupabaseClient, solution: string): Promise<void> {
  const before = await filesOf(client, solution);
  const approved = before.filter(({ belongs }) => belongs === PUBLISHED);
  for (const { name } of approved) await copy(client, [PENDING, name], [PUBLISHED, name]);
  if (approved.length > 0) await required(client.rpc('media_published', { solution }));
  const files = await filesOf(client, solution);
  // All of them: an earlier try may have copied files that are approved no more.
  const names = before.map(({ name }) => name);
  await removeUnnamed(client, PENDING, names, files);
  await removeUnnamed(client, PUBLISHED, names, files);
}

/**
 * The reverse, to new names that were never public: a link to the public file never works again, nor one to
 * the new name.
 */
async function unpublish(client: SupabaseClient, job: MediaJob, solution: string): Promise<void> {
  const leaving = (await filesOf(client, solution))
    .filter(({ bucket, belongs }) => bucket === PUBLISHED && belongs === PENDING)
    .map(({ name }) => name);
  const names = [...new Set([...job.object_names, ...leaving])];
  if (names.length === 0) return;
  // Recorded first, for a try that comes after the rows no longer name them.
  await required(client.from('media_jobs').update({ object_names: names }).eq('id', job.id));
  const newNames = Object.fromEntries(names.map((name) => [name, newName(name, job.id)]));
  for (const name of leaving) await copy(client, [PUBLISHED, name], [PENDING, newNames[name] ?? name]);
  await required(client.rpc('media_unpublished', { solution, places: newNames }));
  const files = await filesOf(client, solution);
  await removeUnnamed(client, PUBLISHED, names, files);
  await removeUnnamed(client, PENDING, Object.values(newNames), files);
}

/** In a separate folder below the member's, the same at each try. */
function newName(name: string, job: number): string {
  const [member, folder, file] = name.split('/');
  const hash = createHash('sha256').update(`${job} ${folder}`).digest('hex');
  return `${member}/${hash.slice(0, 32)}/${file}`;
}

async function copy(
  client: SupabaseClient,
  [from, name]: [string, string],
  [to, newName]: [string, string],
): Promise<void> {
  const { error } = await client.storage.from(from).copy(name, newName, { destinationBucket: to });
  // There already, by an earlier try that got further.
  if (error && !(await client.storage.from(to).exists(newName)).data)
    throw new Error(`${name}: ${error.message}`, { cause: error });
}

/** Removes those of these files of a bucket that no row points at. */
async function removeUnnamed(
  client: SupabaseClient,
  bucket: string,
  names: string[],
  files: MediaFile[],
): Promise<void> {
  const named = new Set(files.filter((file) => file.bucket === bucket).map(({ name }) => name));
  const unnamed = names.filter((name) => !named.has(name));
  if (unnamed.length > 0) await required(client.storage.from(bucket).remove(unnamed));
}

/**
 * Removes media from both buckets, since they may have moved after the job was written, and all other files
 * from their own.
 */
async function purge(client: SupabaseClient, objects: string[]): Promise<void> {
  const namesIn = (bucket: string) =>
    objects.flatMap((object) => (object.startsWith(`${bucket}/`) ? [object.slice(bucket.length + 1)] : []));
  const media = [...namesIn(PENDING), ...namesIn(PUBLISHED)];
  if (media.length > 0)
    for (const bucket of [PENDING, PUBLISHED]) await required(client.storage.from(bucket).remove(media));
  for (const bucket of [INCOMING, AVATARS]) {
    const names = namesIn(bucket);
    if (names.length > 0) await required(client.storage.from(bucket).remove(names));
  }
}
