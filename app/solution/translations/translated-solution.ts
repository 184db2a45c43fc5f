import type { Solution } from '#app/solution/solutions/data.ts';
import { firstParagraph } from '#app/solution/solutions/solution-text.tsx';
import { contentOf } from '#app/solution/versions/content.ts';
import type { Content } from '#app/solution/versions/content-schema.ts';
import type { Translation } from './data.ts';
import { beginnings, noticeName, translatableTexts, translatedContent } from './texts.ts';

/**
 * A solution as its translation says it. What the original says otherwise since then stands as the original says it, and is among the
 * texts that are missing, each with what the translation said in its place.
 *
 * @param of what the version says that was translated
 */
export function translatedSolution(
  solution: Solution,
  { language, texts, version }: Pick<Translation, 'language' | 'texts' | 'version'>,
  of: Content,
) {
  const now = translatableTexts(contentOf(solution));
  const before = version === solution.version ? now : translatableTexts(of);
  const said = beginnings(texts, before, now);
  const missing = new Map<string, string | undefined>();
  const shownTexts: Record<string, string> = {};
  for (const { name, original } of now) {
    const { text, isChanged } = said.get(name) ?? { isChanged: true };
    const isMissing = text === undefined || isChanged;
    shownTexts[name] = isMissing ? original : text;
    if (!isMissing) continue;
    const { first, others } = firstParagraph(original);
    if (name !== 'description' || !others) missing.set(original, text);
    else {
      // The page has its first paragraph by itself.
      const earlier = text === undefined ? undefined : firstParagraph(text);
      missing.set(first, earlier?.first).set(others, earlier?.others);
    }
  }
  // One that came after the translation, and those on parts, which no translation says.
  for (const notice of [...solution.notices, ...solution.partNotices])
    if (notice.language !== language && texts[noticeName(notice)] === undefined)
      missing.set(notice.content, undefined);
  const described = <Item extends { id: string; copy_of: string | null; description: string | null }>(
    list: 'media' | 'files',
    items: Item[],
  ) =>
    items.map((item) => ({
      ...item,
      description: shownTexts[`${list}/${item.copy_of ?? item.id}`] ?? null,
    }));
  const shown: Solution = {
    ...translatedContent(solution, language, shownTexts),
    media: described('media', solution.media),
    files: described('files', solution.files),
  };
  return { shown, missing: { original: solution.language, texts: missing, translated: language, version } };
}
