/**
 * What the code and the database know in English, by what it is in the language of the interface: the values of lists, and the
 * sentences with which the database refuses. A build in another language fills it in; see texts/interface.ts.
 */
const texts: Record<string, string> = {};

/** A value of a list, or a refusal of the database, as readers see it; any other text stands for itself. */
export const knownText = (english: string): string => texts[english] ?? english;

/** Several values of a list as readers see them, in one line. */
export const knownTexts = (english: readonly string[]): string => english.map(knownText).join(', ');
