import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRelease } from '../server/version.mjs';

const root = resolve(import.meta.dirname, '..');

/** What the sources are written in. */
export const ENGLISH = 'en-GB';

/**
 * A language that no one speaks, in which a text that was left in English, cut off, put together from parts, or fixed to a
 * side is seen by whoever looks: it has accents and longer words, and runs from right to left. Its tag is CLDR's.
 * https://cldr.unicode.org/index/cldr-spec/pseudo-localization
 */
export const PSEUDO_LANGUAGE = 'ar-XB';

/** The place of the catalogues, with a folder for each language. */
export const CATALOGUES = join(root, 'texts/catalogues');

/** The language that the operator has chosen for the interface, as a tag of BCP 47. */
export const chosenLanguage = (): string => process.env.INTERFACE_LANGUAGE || ENGLISH;

/** Why the interface cannot be in a language; undefined when it can. */
export function languageRefusal(tag: string): string | undefined {
  if (tag === ENGLISH) return undefined;
  if (isRelease)
    return `INTERFACE_LANGUAGE is "${tag}", and a release is built in English; start a site in another language from its sources`;
  const languages = existsSync(CATALOGUES) ? readdirSync(CATALOGUES).sort() : [];
  if (tag === PSEUDO_LANGUAGE || languages.includes(tag)) return undefined;
  return `INTERFACE_LANGUAGE is "${tag}", which has no catalogues in texts/catalogues; there are ${[ENGLISH, ...languages].join(', ')}`;
}
