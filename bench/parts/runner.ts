/** One subject of a measurement: runs for a while and returns how many operations it did a second. */
export interface Subject {
  name: string;
  run(): Promise<number>;
}

const ROUNDS = Number(process.env.ROUNDS ?? 5);

/**
 * Runs the subjects in turn, round after round, so that other load on the machine affects all alike.
 *
 * @returns figures of each round, by subject
 */
async function interleaved(subjects: Subject[]): Promise<number[][]> {
  const figures: number[][] = subjects.map(() => []);
  // Code that has never run is slow for other reasons.
  for (const subject of subjects) await subject.run();
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, subject] of subjects.entries()) figures[index]?.push(await subject.run());
  return figures;
}

/** Prints each subject's median and its ratio to the first: the median of the rounds' ratios, with the least and the greatest. */
export async function compare(title: string, unit: string, subjects: Subject[]): Promise<void> {
  const figures = await interleaved(subjects);
  const [reference = []] = figures;
  console.log(`\n${title}`);
  for (const [index, { name }] of subjects.entries()) {
    const own = figures[index] ?? [];
    const ratios = own
      .map((figure, round) => figure / (reference[round] ?? Number.NaN))
      .sort((a, b) => a - b);
    const spread = `${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}`;
    console.log(
      `  ${name.padEnd(46)}${median(own)
        .toFixed(median(own) < 100 ? 1 : 0)
        .padStart(9)} ${unit}${index === 0 ? '' : `   ${median(ratios).toFixed(2)}x (${spread})`}`,
    );
  }
}

/** The middle figure, which one slow round does not move; the upper of two, and NaN of none. */
export function median(figures: number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
