import type { AnswerOf, Schemas } from '#app/errors.ts';
import { answers, reasons } from './answers.ts';

/** Checks the sums in a response to `rpc`. */
export const sumsSchema = (z: Schemas) =>
  z.array(
    z.object({
      months: z.number(),
      answer: z.nullable(z.string()),
      reason: z.nullable(z.string()),
      questions: z.number(),
    }),
  );

/** The number of questions after so many months with this answer; null where none was given. */
export type UseSum = AnswerOf<typeof sumsSchema>[number];

const count = (sums: UseSum[], fits: (sum: UseSum) => boolean) =>
  sums.filter(fits).reduce((total, { questions }) => total + questions, 0);

// A number stays on the line of its words.
const counted = (number: number, words: string) =>
  number > 0 ? [`${number.toLocaleString('en-GB')}\u00a0${words}`] : [];

/**
 * For each time of asking the sentences of its sum: "12 fitted, 9 answered at 6 months: 6 every day, 1 sometimes, 2 no longer",
 * "3 did not answer", and the reasons of those who stopped. Counts alone, in the order of the form: no percentage and no ranking.
 */
export function sumSentences(sums: UseSum[]) {
  return [...new Set(sums.map(({ months }) => months))].map((months) => {
    const asked = sums.filter((sum) => sum.months === months);
    const fitted = count(asked, () => true);
    const silent = count(asked, ({ answer }) => answer === null);
    const parts = answers.flatMap(({ value, counted: words }) =>
      counted(
        count(asked, ({ answer }) => answer === value),
        words,
      ),
    );
    const stopped = reasons.flatMap(({ value, counted: words }) =>
      counted(
        count(asked, ({ reason }) => reason === value),
        words,
      ),
    );
    const sum = `${fitted.toLocaleString('en-GB')} fitted, ${(fitted - silent).toLocaleString('en-GB')} answered at ${months}\u00a0months`;
    return {
      months,
      sum: parts.length > 0 ? `${sum}: ${parts.join(', ')}` : sum,
      silent: `${silent.toLocaleString('en-GB')}\u00a0did not answer`,
      reasons: stopped.join(', '),
    };
  });
}
