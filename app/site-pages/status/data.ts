import { type AnswerOf, readAnswer, type Schemas } from '#app/errors.ts';
import type { ClientSource } from '#app/supabase.ts';

function uptimeSchema(z: Schemas) {
  const row = { up: z.number(), measured: z.number() };
  return z.object({
    /** Null before the first record. */
    began: z.nullable(z.string()),
    latest: z.nullable(z.string()),
    spans: z.array(z.object({ ...row, hours: z.number() })),
    /** The oldest first. */
    days: z.array(z.object({ ...row, day: z.string() })),
  });
}

export type Uptime = AnswerOf<typeof uptimeSchema>;
/** Minutes in which the site could serve, of those that were recorded. */
export type UptimeRow = Pick<Uptime['days'][number], 'up' | 'measured'>;

/** The record of when the site could serve, for the status page. */
export const readUptime = async (client: ClientSource): Promise<Uptime> =>
  readAnswer((await client()).rpc('uptime'), uptimeSchema);

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
