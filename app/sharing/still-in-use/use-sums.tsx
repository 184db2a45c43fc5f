import { sumSentences, type UseSum } from './sums.ts';

/** The answers to “Still in use?” as sums, a paragraph for each time of asking; who did not answer is always said. */
export function UseSums({ sums }: { sums: UseSum[] }) {
  return (
    <ul className="mt-3 flex max-w-[66ch] flex-col gap-3">
      {sumSentences(sums).map(({ months, sum, silent, reasons }) => (
        <li key={months}>
          {sum}. <span className="whitespace-nowrap">{silent}.</span>
          {reasons && <span className="block text-ink-2">Why it is no longer used: {reasons}.</span>}
        </li>
      ))}
    </ul>
  );
}
