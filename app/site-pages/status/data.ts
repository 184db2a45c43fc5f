import { readAnswer } from '#app/errors.ts';
import type { ClientSource } from '#app/supabase.ts';

/** Minutes in which the site could serve, of those that were recorded. */
export interface UptimeRow {
  up: number;
  measured: number;
}

/** The result of `uptime`. */
export interface Uptime {
  /** Null before the first record. */
  began: string | null;
  latest: string | null;
  spans: (UptimeRow & { hours: number })[];
  /** The oldest first. */
  days: (UptimeRow & { day: string })[];
}

/** The record of when the site could serve, for the status page. */
export async function readUptime(client: ClientSource): Promise<Uptime> {
  const db = await client();
  return readAnswer<Uptime>(db.rpc('uptime'), (z) => {
    const row = { up: z.number(), measured: z.number() };
    return z.object({
      began: z.nullable(z.string()),
      latest: z.nullable(z.string()),
      spans: z.array(z.object({ ...row, hours: z.number() })),
      days: z.array(z.object({ ...row, day: z.string() })),
    });
  });
}

/**
 * A share as a percentage, rounded so that only a full share reads 100%; undefined where nothing was
 * measured.
 */
export function percentage({ up, measured }: UptimeRow): string | undefined {
  if (measured === 0) return undefined;
  return `${Math.floor((up / measured) * 10_000) / 100}%`;
}

/** "1 h 5 min", "none" */
export function formatMinutes(minutes: number): string {
  if (minutes === 0) return 'none';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ');
}
