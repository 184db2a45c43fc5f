import { makerText } from '#app/solution/fabrication/fabrication.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import type { NamedPart } from './data.ts';

/** The parts of a solution that have a maker and a number, each once. */
export function partsToWarnOf({ fabrication }: Pick<Solution, 'fabrication'>): NamedPart[] {
  const named = (fabrication?.parts ?? []).flatMap(({ maker, part_number }) =>
    maker && part_number ? [{ maker, part_number }] : [],
  );
  return [...new Map(named.map((part) => [makerText(part), part])).values()];
}
