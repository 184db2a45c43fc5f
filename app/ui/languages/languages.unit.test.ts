import { describe, expect, it } from 'vitest';
import { asWritten, guessLanguage } from './guess-language.ts';
import { languageName, languages, nativeName, textLanguage } from './languages.ts';

describe('the languages of texts', () => {
  it('are tags that browsers know, each with a name of its own', () => {
    expect(Intl.getCanonicalLocales([...languages])).toEqual([...languages]);
    const names = languages.map(languageName);
    expect(names.filter((name, at) => name === languages[at])).toEqual([]);
    expect(new Set(names).size).toBe(languages.length);
  });

  it('are called by those who speak them as the beginning of a line', () => {
    expect(['es', 'de', 'ar', 'pt-BR', 'tr'].map(nativeName)).toEqual([
      'Español',
      'Deutsch',
      'العربية',
      'Português (Brasil)',
      'Türkçe',
    ]);
    expect(languages.map(nativeName).filter((name) => name === '')).toEqual([]);
  });

  it('say their script’s direction', () => {
    // As the runtime knows it, where it does.
    const known = (tag: string) => {
      const locale: Intl.Locale & { getTextInfo?: () => { direction: string } } = new Intl.Locale(tag);
      return locale.getTextInfo?.().direction === 'rtl';
    };
    for (const tag of languages) expect(textLanguage(tag).dir === 'rtl', tag).toBe(known(tag));
    expect(textLanguage('ar')).toEqual({ lang: 'ar', dir: 'rtl' });
    expect(textLanguage('de')).toEqual({ lang: 'de', dir: 'ltr' });
    // Which texts from before are said to be in, whatever they are in.
    expect(textLanguage('en')).toEqual({ lang: 'en', dir: 'auto' });
  });

  it.each([
    ['Der Schaft wurde gedruckt und hält gut', ['de-DE', 'en'], 'de'],
    ['Wie breit ist der Schaft am oberen Rand?', ['ar-EG'], 'de'],
    ['La emboquilladura es ligera y se lava con agua', ['en-GB', 'es-MX'], 'es'],
    ['O encaixe é leve e não escorrega', ['pt-BR'], 'pt-BR'],
    ['The socket was printed and holds well', ['de-DE'], 'en'],
    ['طرف صناعي خفيف', ['en-GB'], 'ar'],
    ['سلام، این پروتز سبک است', ['fa-IR', 'en'], 'fa'],
    ['سلام', ['en-GB', 'ur'], 'ur'],
    ['义肢很轻', ['en'], 'zh-Hans'],
    ['義肢很輕', ['zh-TW'], 'zh-Hant'],
    ['義足のソケットを作りました', ['zh-CN'], 'ja'],
    ['의족', ['en'], 'ko'],
    ['Prótese leve para o joelho', ['pt-BR'], 'pt-BR'],
    ['Prótese leve para o joelho', ['pt-PT'], 'pt'],
    ['Protese', ['no'], 'nb'],
    ['Протез', ['uk', 'ru'], 'uk'],
    ['Protez je lagan', ['sr-Latn-RS'], 'sr-Latn'],
    ['Łokieć', ['xx-unknown', 'not a tag', 'pl'], 'pl'],
    ['12 × 30', [], 'en'],
    ['', ['fr'], 'fr'],
  ])('is guessed of “%s” for a reader of %s', (text, preferred, language) => {
    expect(guessLanguage(text, preferred)).toBe(language);
  });

  it.each([
    ['Bitte nicht mit dem Schaft ins Wasser', 'de'],
    ['لا تستخدم هذا الطرف', 'ar'],
    ['Не нагружать', 'ru'],
    ['Please keep the socket dry, it slips when it is wet', 'en'],
    // A name, a word or a number tells none.
    ['Ottobock 4R54', undefined],
    ['Schaft', undefined],
    ['4 × 30', undefined],
    ['', undefined],
  ])('is said of “%s” only where the text tells it', (text, lang) => {
    expect(asWritten(text)).toEqual(lang ? { lang, dir: 'auto' } : { dir: 'auto' });
  });
});
