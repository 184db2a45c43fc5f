import { isRightToLeft } from './interface-language.ts';

/** The languages that a text can be in, as tags of BCP 47; the database has the same list, in `private.languages`. */
export const languages: readonly string[] =
  'aa ab af ak am an ar as av ay az az-Arab ba be bg bho bi bm bn bo br bs ca ce ceb ch ckb co cr cs cv cy da de dv dz ee el en eo es et eu fa fa-AF ff fi fil fj fo fr fy ga gd gl gn gsw gu gv ha haw he hi hmn hr hsb ht hu hy id ig ii ik is it iu ja jv ka kg ki kk kl km kn ko kok kr ks ks-Deva ku kv kw ky lb lg li ln lo lt lu lv mai mg mh mi mk ml mn mni mr ms mt my na nb nd nds ne nl nn nr nso nv ny oc oj om or os pa pa-Arab pl ps pt pt-BR qu rm rn ro ru rw sa sat sc sd sd-Deva se sg si sk sl sm sn so sq sr sr-Latn ss st su sv sw ta te tet tg th ti tk tn to tpi tr ts tt ty ug uk ur uz uz-Cyrl ve vi wa wo xh yi yo yue za zgh zh-Hans zh-Hant zu'.split(
    ' ',
  );

/**
 * What the element around a member's text says of it, to be spread into it. English is what texts from before say that were never
 * asked, so that their direction still follows from what is written.
 */
export function textLanguage(language: string): { lang: string; dir: 'rtl' | 'ltr' | 'auto' } {
  return {
    lang: language,
    dir: isRightToLeft(language) ? 'rtl' : language === 'en' ? 'auto' : 'ltr',
  };
}

/** A language as another calls it; a tag that is not known stands for itself. */
function nameIn(said: string, language: string): string {
  try {
    const names = new Intl.DisplayNames(said, { type: 'language', languageDisplay: 'standard' });
    return names.of(language) ?? language;
  } catch {
    return language;
  }
}

/** A language as the site calls it. */
export const languageName = (language: string): string => nameIn('en-GB', language);

/** A language as those who speak it call it, as the beginning of a line. */
export function nativeName(language: string): string {
  const [first = '', ...others] = nameIn(language, language);
  return first.toLocaleUpperCase(language) + others.join('');
}
