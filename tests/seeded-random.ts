import { createHash } from 'node:crypto';

/** A whole number from 0 up to but without `below`. */
export type Random = (below: number) => number;

/** Always the same sequence for the same seed. */
export function seededRandom(seed: number | string): Random {
  let count = 0;
  return (below) => createHash('sha256').update(`${seed}/${count++}`).digest().readUInt32BE() % below;
}
