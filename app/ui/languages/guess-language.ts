import { languages, textLanguage } from './languages.ts';

/** The tag of the list that stands for one of a browser; undefined for none. */
function listed(tag: string): string | undefined {
  let locale: Intl.Locale;
  try {
    locale = new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
  const { language, script, region } = locale;
  const written = language === 'no' ? 'nb' : language === 'tl' ? 'fil' : language;
  return [`${written}-${region}`, `${written}-${script}`, written].find((one) => languages.includes(one));
}

/** The scripts by which a text tells its language, and the language where the writer reads none of them. */
const scripts: { pattern: RegExp; script: string; language: string }[] = [
  { pattern: /\p{Script=Arabic}/gu, script: 'Arab', language: 'ar' },
  { pattern: /\p{Script=Hebrew}/gu, script: 'Hebr', language: 'he' },
  { pattern: /\p{Script=Cyrillic}/gu, script: 'Cyrl', language: 'ru' },
  { pattern: /\p{Script=Greek}/gu, script: 'Grek', language: 'el' },
  { pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, script: 'Jpan', language: 'ja' },
  { pattern: /\p{Script=Hangul}/gu, script: 'Kore', language: 'ko' },
  { pattern: /\p{Script=Han}/gu, script: 'Hani', language: 'zh-Hans' },
  { pattern: /\p{Script=Devanagari}/gu, script: 'Deva', language: 'hi' },
  { pattern: /\p{Script=Bengali}/gu, script: 'Beng', language: 'bn' },
  { pattern: /\p{Script=Thai}/gu, script: 'Thai', language: 'th' },
  { pattern: /\p{Script=Lao}/gu, script: 'Laoo', language: 'lo' },
  { pattern: /\p{Script=Khmer}/gu, script: 'Khmr', language: 'km' },
  { pattern: /\p{Script=Myanmar}/gu, script: 'Mymr', language: 'my' },
  { pattern: /\p{Script=Ethiopic}/gu, script: 'Ethi', language: 'am' },
  { pattern: /\p{Script=Tamil}/gu, script: 'Taml', language: 'ta' },
  { pattern: /\p{Script=Georgian}/gu, script: 'Geor', language: 'ka' },
  { pattern: /\p{Script=Armenian}/gu, script: 'Armn', language: 'hy' },
  { pattern: /\p{Script=Latin}/gu, script: 'Latn', language: 'en' },
];

/** Words without which no text of some length in these languages does. */
const FREQUENT = Object.entries({
  en: 'the and of with for is are was were to it that this have has but not you we',
  de: 'der die das und ist sind nicht mit für ein eine auf den dem von wie wir ich auch',
  fr: 'le la les et est pas avec pour une des dans que sur nous du',
  es: 'el los las es con para una que por del en se como',
  pt: 'os as é com para uma que por não em do da se como',
  it: 'il gli che è con per una di non del della sono',
  nl: 'het en is niet met voor een van op zijn wij ik',
  pl: 'i w z na nie się jest że do',
  sv: 'och är inte med för en ett på som att vi',
  tr: 've bir bu için ile çok ne',
  id: 'yang dan di dengan untuk ini itu tidak',
}).map(([language, words]) => ({ language, words: new Set(words.split(' ')) }));

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function scriptOf(language: string): string {
  const { script = 'Latn' } = new Intl.Locale(language).maximize();
  return script === 'Hans' || script === 'Hant' ? 'Hani' : script;
}

/** The language whose frequent words make up a tenth of a text at least, or more than those of any other; undefined without one. */
function byFrequentWords(text: string, preferred: readonly string[]): string | undefined {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const counted = FREQUENT.map(({ language, words: frequent }) => ({
    language,
    found: words.filter((word) => frequent.has(word)).length,
    // Of two that are as likely it is one that the writer reads.
    rank: preferred.some((tag) => new Intl.Locale(tag).language === language) ? 1 : 0,
  })).sort((a, b) => b.found - a.found || b.rank - a.rank);
  const [first] = counted;
  return first && first.found > 0 && first.found * 10 >= words.length ? first.language : undefined;
}

/**
 * The language that a text is most likely in: by its script, its frequent words, and the languages that its writer's browser asks
 * for. Shown to the writer, who can change it.
 */
export function guessLanguage(text: string, preferred: readonly string[]): string {
  const counted = scripts.map((one) => ({ ...one, letters: count(text, one.pattern) }));
  // Japanese has Han letters among its own.
  const japanese = counted.find(({ script, letters }) => script === 'Jpan' && letters > 0);
  const most = counted.reduce((a, b) => (b.letters > a.letters ? b : a));
  const { script, language } = japanese && most.script === 'Hani' ? japanese : most;
  const known = preferred.flatMap((tag) => listed(tag) ?? []);
  if (most.letters === 0) return known[0] ?? 'en';
  const read = script === 'Latn' ? byFrequentWords(text, known) : undefined;
  // As the writer's country writes it.
  if (read) return known.find((tag) => new Intl.Locale(tag).language === read) ?? read;
  return known.find((tag) => scriptOf(tag) === script) ?? language;
}

/**
 * What the element around a text says of it: the language that its writer chose; without one, as before members were asked, that of a
 * text which tells its language by itself, else only its direction. Server and browser find the same.
 */
export function asWritten(text: string, chosen?: string | null): Partial<ReturnType<typeof textLanguage>> {
  if (chosen) return textLanguage(chosen);
  const lang = guessLanguage(text, []);
  // English is also what a text is guessed to be in that tells nothing.
  const isTold = lang !== 'en' || byFrequentWords(text, []) === 'en';
  return isTold ? { lang, dir: 'auto' } : { dir: 'auto' };
}
