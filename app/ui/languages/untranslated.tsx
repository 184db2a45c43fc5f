import { createContext, use } from 'react';
import { interfaceDirection, interfaceLanguage } from './interface-language.ts';
import { textLanguage } from './languages.ts';

/** The texts of a page that its translation does not say. */
interface Untranslated {
  /** The language in which they stand on the page. */
  original: string;
  /** Each with what an earlier translation said in its place, where there was one. */
  texts: ReadonlyMap<string, string | undefined>;
  translated: string;
  /** The version of the original that was translated. */
  version: number;
}

/** Around a page in another language than the one in which it was written; null where nothing is missing. */
export const UntranslatedTexts = createContext<Untranslated | null>(null);

/** What the element around each text says of it: the language of the page's texts, or of the original where that stands in its place. */
export function useWritten(language: string): (text: string) => ReturnType<typeof textLanguage> {
  const missing = use(UntranslatedTexts);
  return (text) => textLanguage(missing?.texts.has(text) ? missing.original : language);
}

/** Says of a text that it stands in its own language, and what an earlier translation said; nothing of any other text. */
export function NotYetTranslated({ text }: { text: string }) {
  const missing = use(UntranslatedTexts);
  if (!missing?.texts.has(text)) return null;
  const earlier = missing.texts.get(text);
  const note = 'text-sm font-normal text-ink-3';
  const site = { lang: interfaceLanguage, dir: interfaceDirection };
  if (earlier === undefined)
    return (
      <span {...site} className={`block ${note}`}>
        Not yet translated
      </span>
    );
  return (
    <details {...site} className={`whitespace-normal ${note}`}>
      <summary className="disclosure">
        Not yet translated. Read the translation of version {missing.version}
      </summary>
      <span
        {...textLanguage(missing.translated)}
        className="block pb-2 text-base whitespace-pre-line text-ink-2 wrap-anywhere"
      >
        {earlier}
      </span>
    </details>
  );
}
