import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';

/** In milliseconds. */
export const DAY = 86_400_000;

/** The same name gives the same id, so that a second seeding adds nothing. */
export function idOf(...names: (string | number)[]): string {
  const hash = createHash('sha256').update(names.join('/')).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

export const memberId = (key: string) => idOf('member', key);
export const daysAgo = (days: number, hours = 0) =>
  new Date(Date.now() - days * DAY + hours * 3_600_000).toISOString();

/** Turns the client's error object into an exception, so that a failure ends the seeding where it happened. */
export async function must<T>(call: PromiseLike<{ data: T; error: { message: string } | null }>): Promise<T> {
  const { data, error } = await call;
  if (error) throw new Error(`Demo content: ${error.message}`, { cause: error });
  return data;
}

/** The date of a row of which not all parts are written yet. Its own date is written last. */
export const UNFINISHED = '1990-01-01T00:00:00Z';

/** Whether a row is there with all its parts. One that was cut off half-way is removed, to be made again. */
export async function isComplete(client: SupabaseClient, table: string, id: string): Promise<boolean> {
  await must(client.from(table).delete().eq('id', id).eq('created_at', UNFINISHED));
  return (await must(client.from(table).select('id').eq('id', id).maybeSingle())) !== null;
}

/** Gives a row whose parts are all written its own date. */
export const complete = (client: SupabaseClient, table: string, id: string, created_at: string) =>
  must(client.from(table).update({ created_at }).eq('id', id));
