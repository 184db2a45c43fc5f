import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { callerClient, type FunctionContext, refusal, required, serviceClient } from '../context.ts';

/** The host calls the function at this interval, with the service key. */
export const everySeconds = 5;

/** The wait between two searches for expired files, whose time limits are hours or days. */
const EXPIRY_MS = 60_000;
let expiredAt = Number.NEGATIVE_INFINITY;

const PENDING = 'pending-media';
const PUBLISHED = 'solution-media';

interface MediaJob {
  id: number;
  solution_id: string | null;
  object_names: string[];
  attempts: number;
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
  if (!(await mayStart(request, context)))
    return refusal(403, 'Forbidden', 'Only moderators can start this.');
  const unswept: string[] = [];
  if (context.claims?.role === 'service_role' && performance.now() - expiredAt > EXPIRY_MS) {
    expiredAt = performance.now();
    // The files of a decision wait for none of them.
    for (const sweep of ['expire_uploads', 'expire_incoming_uploads', 'expire_retained_records'])
      await required(client.rpc(sweep)).catch((error: Error) => unswept.push(`${sweep}: ${error.message}`));
  }

  let [done, failed, givenUp] = [0, 0, 0];
  while (!context.signal.aborted) {
    const [job]: MediaJob[] = (await required(client.rpc('claim_media_job'))) ?? [];
    if (!job) break;
    try {
      await carryOut(client, job);
      await required(client.from('media_jobs').delete().match(attemptOf(job)));
      done++;
    } catch (error) {
      failed++;
      const reason = error instanceof Error ? error.message : String(error);
      if (await required(client.rpc('media_job_failed', { ...claimOf(job), reason }))) givenUp++;
    }
  }
  // The host logs every response that is not a success.
  return Response.json(
    { done, failed, given_up: givenUp, ...(unswept.length > 0 && { unswept }) },
    { status: givenUp + unswept.length > 0 ? 500 : 200 },
  );
}

const claimOf = ({ id, attempts }: MediaJob) => ({ job: id, attempt: attempts });
/** Its row, while no other worker has taken it over. */
const attemptOf = ({ id, attempts }: MediaJob) => ({ id, attempts });

/** The site itself, and a moderator who may act: the database answers this question of no one else. */
async function mayStart(request: Request, context: FunctionContext): Promise<boolean> {
  if (context.claims?.role === 'service_role') return true;
  if (!context.claims?.sub) return false;
  return (await required(callerClient(request, context).rpc('media_jobs_given_up'))) !== null;
}

/** Puts the files of the job's solution where they belong, then removes those that no row names any more. */
async function carryOut(client: SupabaseClient, job: MediaJob): Promise<void> {
  const left = job.solution_id ? await move(client, job, job.solution_id) : [];
  if (job.object_names.length + left.length === 0) return;
  const unnamed: string[] = (await required(client.rpc('unnamed_files', claimOf(job)))) ?? [];
  for (const [bucket, objects] of Map.groupBy(unnamed, (object) => object.split('/')[0] ?? ''))
    await required(
      client.storage.from(bucket).remove(objects.map((object) => object.slice(bucket.length + 1))),
    );
}

const bucketOf = (url: string) => objectOf(url).split('/')[0];
const nameOf = (url: string) => objectOf(url).replace(/^[^/]+\//, '');
/** `bucket/name` of a file by its URL. */
const objectOf = (url: string) => url.replace(/^\/storage\/v1\/object\/(?:public|authenticated)\//, '');

/**
 * Copies the files of a solution and its trials that are not where they belong, then points the rows at the copies: at no
 * moment is a picture missing. A file that leaves the public gets a name that was never public: neither a link to the public
 * file nor one to that name works again.
 *
 * @returns the places that the files left and were copied to, of which those that no row names are to be removed
 */
async function move(client: SupabaseClient, job: MediaJob, solution: string): Promise<string[]> {
  const files: { url: string; is_public: boolean }[] =
    (await required(client.rpc('files_of_solution', { solution }))) ?? [];
  const places: Record<string, string> = {};
  for (const { url, is_public } of files)
    if ((bucketOf(url) === PUBLISHED) !== is_public)
      places[url] = is_public
        ? `/storage/v1/object/public/${PUBLISHED}/${nameOf(url)}`
        : `/storage/v1/object/authenticated/${PENDING}/${newName(nameOf(url), job.id)}`;
  const moves = Object.entries(places);
  if (moves.length === 0) return [];
  const left = moves.flat().map(objectOf);
  // Recorded first, for a try that comes after the rows no longer name them.
  await required(
    client
      .from('media_jobs')
      .update({ object_names: [...new Set([...job.object_names, ...left])] })
      .match(attemptOf(job)),
  );
  for (const [from, to] of moves) {
    await required(client.rpc('renew_media_job', claimOf(job)));
    await copy(client, from, to);
  }
  await required(client.rpc('move_files', { ...claimOf(job), solution, places }));
  return left;
}

/** In a separate folder below the member's, the same at each try. */
function newName(name: string, job: number): string {
  const [member, folder, file] = name.split('/');
  const hash = createHash('sha256').update(`${job} ${folder}`).digest('hex');
  return `${member}/${hash.slice(0, 32)}/${file}`;
}

async function copy(client: SupabaseClient, from: string, to: string): Promise<void> {
  const target = bucketOf(to) ?? '';
  const { error } = await client.storage
    .from(bucketOf(from) ?? '')
    .copy(nameOf(from), nameOf(to), { destinationBucket: target });
  // There already, by an earlier try that got further.
  if (error && !(await client.storage.from(target).exists(nameOf(to))).data)
    throw new Error(`${nameOf(from)}: ${error.message}`, { cause: error });
}
