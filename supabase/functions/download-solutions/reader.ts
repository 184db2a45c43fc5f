import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '../../../app/database.types.ts';
import { type FunctionContext, required, serviceClient } from '../context.ts';
import type { Entry } from './contents.ts';
import { readSolution, type TakenSolution } from './solution.ts';

const PENDING = 'pending-media';
/** Where the files lie that not everyone may read. */
const PRIVATE = `/storage/v1/object/authenticated/${PENDING}/`;

/** Who downloads, and what they may read. What that is is decided by their own rights, before the answer's first byte or soon after. */
export interface Reader {
  /** The id of the member; undefined for a visitor. */
  member: string | undefined;
  /** The client with the reader's own rights, as long as their token lasts. */
  db: SupabaseClient<Database>;
  solution(id: string): Promise<TakenSolution | null>;
  /** What of these the reader may open, which they then may also when their token is over. */
  permitted(entries: Entry[]): Promise<Entry[]>;
  /** @param start the first byte that is wanted */
  open(path: string, method?: string, start?: number): Promise<Response>;
  /** Whether a file or text of the solution is still there for the reader: a download may take hours. */
  stillSees(solution: { id: string; version: number }, entry: Entry): Promise<boolean>;
  /** What is read of each item, in their order; for a member all at once, since their token may end before a slow download does. */
  each<Item, Read>(items: Item[], read: (item: Item) => Promise<Read>): AsyncGenerator<Read>;
}

/**
 * The reader whose token this is, or the visitor where it is blank.
 *
 * @returns null for a token that is forged or over
 */
export async function createReader(context: FunctionContext, token: string): Promise<Reader | null> {
  const { env, signal } = context;
  // Once the reader has gone, nothing more is asked for.
  const fetchUntilGone: typeof globalThis.fetch = async (...args) => {
    signal.throwIfAborted();
    return context.fetch(...args);
  };
  const db = createClient<Database>(env.SUPABASE_URL, env.SUPABASE_ANON_KEY, {
    global: { fetch: fetchUntilGone, headers: { Authorization: `Bearer ${token || env.SUPABASE_ANON_KEY}` } },
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const member = token ? await memberOf(db, token) : undefined;
  if (member === null) return null;
  const service: SupabaseClient<Database> = serviceClient({ ...context, fetch: fetchUntilGone });
  /** The private files that the policies of the storage let the reader open. */
  const decided = new Set<string>();
  return {
    member,
    db,
    solution: (id) => readSolution(db, id),
    async permitted(entries) {
      const isPrivate = (entry: Entry) => 'path' in entry && entry.path.startsWith(PRIVATE);
      const names = entries.flatMap((entry) =>
        'path' in entry && isPrivate(entry) ? entry.path.slice(PRIVATE.length) : [],
      );
      const signed =
        names.length > 0 ? await required(db.storage.from(PENDING).createSignedUrls(names, 60)) : [];
      for (const { path, signedUrl } of signed ?? []) if (path && signedUrl) decided.add(PRIVATE + path);
      return entries.filter((entry) => !('path' in entry) || !isPrivate(entry) || decided.has(entry.path));
    },
    open(path, method = 'GET', start = 0) {
      const key = decided.has(path) ? env.SUPABASE_SERVICE_ROLE_KEY : env.SUPABASE_ANON_KEY;
      const headers = {
        apikey: key,
        authorization: `Bearer ${key}`,
        ...(start > 0 && { range: `bytes=${start}-` }),
      };
      return fetchUntilGone(env.SUPABASE_URL + path, { method, headers, signal });
    },
    async stillSees({ id, version }, entry) {
      const asked = {
        solution: id,
        version,
        ...(member && { reader: member }),
        ...('path' in entry && { file: entry.path }),
      };
      return (await required(service.rpc('still_reads', asked))) === true;
    },
    async *each(items, read) {
      if (!member) {
        for (const item of items) yield await read(item);
        return;
      }
      let last: Promise<unknown> = Promise.resolve();
      const reads = items.map((item) => {
        const one = last.then(() => read(item));
        // It is thrown where it is waited for.
        one.catch(() => undefined);
        last = one;
        return one;
      });
      yield* reads;
    },
  };
}

async function memberOf({ auth }: SupabaseClient<Database>, token: string): Promise<string | null> {
  const { data, error } = await auth.getUser(token);
  // What is down says nothing about the token.
  if (error && !(error.status && error.status < 500)) throw error;
  return data.user?.id ?? null;
}
