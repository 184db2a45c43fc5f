/** The candidate closest to the given name, for "Perhaps you meant …"; undefined when none is close. */
export function mostSimilar(text: string, candidates: Iterable<string>, least = 0.75): string | undefined {
  let best: string | undefined;
  let score = least;
  for (const candidate of candidates) {
    if (candidate === text) continue;
    const similarity =
      1 - distance(text.toLowerCase(), candidate.toLowerCase()) / Math.max(text.length, candidate.length, 1);
    if (similarity >= score && (best === undefined || similarity > score)) {
      best = candidate;
      score = similarity;
    }
  }
  return best;
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
