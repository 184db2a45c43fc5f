import { RestError } from './errors.ts';

/** The `Prefer` header (RFC 7240), first mention of each preference. */
export interface Preferences {
  return: 'minimal' | 'headers-only' | 'representation' | undefined;
  /** All three are exact: the planner's guess would tell of rows that the caller may not see. */
  count: 'exact' | 'planned' | 'estimated' | undefined;
  tx: 'commit' | 'rollback' | undefined;
  resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined;
  missing: 'default' | 'null' | undefined;
  handling: 'strict' | 'lenient' | undefined;
  timezone: string | undefined;
  maxAffected: number | undefined;
}

/**
 * @param mayChooseTx whether `tx` has an effect
 * @throws RestError PGRST122 for unknown preferences under `handling=strict`
 */
export function parsePreferences(header: string | null, mayChooseTx = false): Preferences {
  const given = (header ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const unknown = new Set(given);
  const choice = <T extends string>(name: string, values: readonly T[]): T | undefined => {
    const accepted = values.filter((value) => unknown.has(`${name}=${value}`));
    const first = accepted.toSorted(
      (a, b) => given.indexOf(`${name}=${a}`) - given.indexOf(`${name}=${b}`),
    )[0];
    for (const value of accepted) unknown.delete(`${name}=${value}`);
    return first;
  };
  const free = (name: string, accept: (value: string) => boolean): string | undefined => {
    const found = given.find((text) => text.startsWith(`${name}=`));
    const value = found?.slice(name.length + 1);
    if (found === undefined || value === undefined || !accept(value)) return undefined;
    unknown.delete(found);
    return value;
  };
  // Known also where it has no effect.
  const tx = choice('tx', ['commit', 'rollback']);
  const maxAffected = free('max-affected', (value) => /^\d{1,15}$/.test(value));
  const preferences: Preferences = {
    return: choice('return', ['minimal', 'headers-only', 'representation']),
    count: choice('count', ['exact', 'planned', 'estimated']),
    tx: mayChooseTx ? tx : undefined,
    resolution: choice('resolution', ['merge-duplicates', 'ignore-duplicates']),
    missing: choice('missing', ['default', 'null']),
    handling: choice('handling', ['strict', 'lenient']),
    timezone: free('timezone', isTimeZone),
    maxAffected: maxAffected === undefined ? undefined : Number(maxAffected),
  };
  if (preferences.handling === 'strict' && unknown.size > 0) {
    throw new RestError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${[...unknown].join(', ')}`,
    });
  }
  return preferences;
}

/** Value of `Preference-Applied`, or undefined when the request named no preference that it could honour. */
export function preferenceApplied(
  preferences: Preferences,
  honoured: (keyof Preferences)[],
): string | undefined {
  const texts = honoured.flatMap((name) => {
    const value = preferences[name];
    if (value === undefined) return [];
    if (name === 'maxAffected') return preferences.handling === 'strict' ? [`max-affected=${value}`] : [];
    return [`${name}=${value}`];
  });
  return texts.length > 0 ? texts.join(', ') : undefined;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
