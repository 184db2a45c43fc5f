/** The languages that a text can be in, as tags of BCP 47; the database has the same list, in `private.languages`. */
export const languages: readonly string[] =
  'aa ab af ak am an ar as av ay az az-Arab ba be bg bho bi bm bn bo br bs ca ce ceb ch ckb co cr cs cv cy da de dv dz ee el en eo es et eu fa fa-AF ff fi fil fj fo fr fy ga gd gl gn gsw gu gv ha haw he hi hmn hr hsb ht hu hy id ig ii ik is it iu ja jv ka kg ki kk kl km kn ko kok kr ks ks-Deva ku kv kw ky lb lg li ln lo lt lu lv mai mg mh mi mk ml mn mni mr ms mt my na nb nd nds ne nl nn nr nso nv ny oc oj om or os pa pa-Arab pl ps pt pt-BR qu rm rn ro ru rw sa sat sc sd sd-Deva se sg si sk sl sm sn so sq sr sr-Latn ss st su sv sw ta te tet tg th ti tk tn to tpi tr ts tt ty ug uk ur uz uz-Cyrl ve vi wa wo xh yi yo yue za zgh zh-Hans zh-Hant zu'.split(
    ' ',
  );

/** The scripts that are written from right to left, by what languages in them are called. */
const RIGHT_TO_LEFT = new Set('ar az-Arab ckb dv fa fa-AF he ks pa-Arab ps sd ug ur yi'.split(' '));

/**
 * What the element around a member's text says of it, to be spread into it. English is what texts from before say that were never
 * asked, so that their direction still follows from what is written.
 */
export function textLanguage(language: string): { lang: string; dir: 'rtl' | 'ltr' | 'auto' } {
  return {
    lang: language,
    dir: RIGHT_TO_LEFT.has(language) ? 'rtl' : language === 'en' ? 'auto' : 'ltr',
  };
}

/** A language as the site calls it; a tag that is not known stands for itself. */
export function languageName(language: string): string {
  try {
    return (
      new Intl.DisplayNames('en-GB', { type: 'language', languageDisplay: 'standard' }).of(language) ??
      language
    );
  } catch {
    return language;
  }
}

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

/** Words without which no English of more than a few words does. */
const ENGLISH =
  /(?<![\p{L}\p{M}])(?:the|and|of|with|for|is|are|was|were|to|it|that|this|have|has|but|not|you|we)(?![\p{L}\p{M}])/giu;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function scriptOf(language: string): string {
  const { script = 'Latn' } = new Intl.Locale(language).maximize();
  return script === 'Hans' || script === 'Hant' ? 'Hani' : script;
}

/**
 * The language that a text is most likely in: by its script, then by the languages its writer's browser asks for, where the text does
 * not read as English. Shown to the writer, who can change it.
 */
export function guessLanguage(text: string, preferred: readonly string[]): string {
  const counted = scripts.map((one) => ({ ...one, letters: count(text, one.pattern) }));
  // Japanese has Han letters among its own.
  const japanese = counted.find(({ script, letters }) => script === 'Jpan' && letters > 0);
  const most = counted.reduce((a, b) => (b.letters > a.letters ? b : a));
  const { script, language } = japanese && most.script === 'Hani' ? japanese : most;
  const known = preferred.flatMap((tag) => listed(tag) ?? []);
  if (most.letters === 0) return known[0] ?? 'en';
  const likely = known.find((one) => scriptOf(one) === script) ?? language;
  return script === 'Latn' && count(text, ENGLISH) * 10 >= count(text, /[\p{L}\p{M}]+/gu) ? 'en' : likely;
}
