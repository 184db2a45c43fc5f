/**
 * The candidate closest to the given name and how similar it is, for "Perhaps you meant …"; empty when none is close.
 * As PostgREST looks for it: among those that share three letters in a row with the name, then among those that share
 * two. The case of letters does not count.
 */
export function mostSimilar(
  text: string,
  candidates: Iterable<string>,
  least = 0.75,
): [candidate: string, similarity: number] | [] {
  const all = [...candidates];
  for (const length of [3, 2]) {
    const wanted = grams(text, length);
    let best: [string, number] | [] = [];
    for (const candidate of all) {
      if (![...grams(candidate, length)].some((gram) => wanted.has(gram))) continue;
      const similarity =
        1 -
        distance(text.toLowerCase(), candidate.toLowerCase()) / Math.max(text.length, candidate.length, 1);
      if (similarity >= least && similarity > (best[1] ?? 0)) best = [candidate, similarity];
    }
    if (best.length > 0) return best;
  }
  return [];
}

/** All pieces of a name of so many letters, where a dash stands for each end. */
function grams(name: string, length: number): Set<string> {
  const letters = [...`-${name.toLowerCase().replaceAll(/[^\p{L}\p{N}\s,]/gu, '')}-`];
  return new Set(letters.slice(length - 1).map((_, at) => letters.slice(at, at + length).join('')));
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  // Names are at most 63 bytes, but a client's text may be longer.
  if (Math.abs(a.length - b.length) > 32) return Math.max(a.length, b.length);
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
