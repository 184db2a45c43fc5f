import { stringify } from 'smol-toml';
import { authorName } from '../../../app/frame/members/names.ts';
import { deedOf, spdxOf } from '../../../app/solution/build-files/text-licences.ts';
import { citation, warningNote } from '../../../app/solution/citing/citation.ts';
import { noticeName, textsSchema, translatedContent } from '../../../app/solution/translations/texts.ts';
import { languageName } from '../../../app/ui/languages/languages.ts';
import { csvTable } from '../../../app/ui/texts/csv.ts';
import { documentOf } from './document.ts';
import type { Taken, TakenSolution } from './solution.ts';

/** A file of the archive: a text, or what lies at a path of the storage. */
export type Entry = { name: string; lastModified: Date } & ({ text: string } | { path: string });

/** Names that Windows keeps for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** In bytes of UTF-8: file systems have 255 for a name, and a number may come after it. */
const MAX_NAME_BYTES = 200;

/** The beginning of a text, in whole letters with the signs that belong to them. */
function cut(text: string): string {
  let bytes = 0;
  return [...new Intl.Segmenter().segment(text)]
    .map(({ segment }) => segment)
    .filter((letter) => {
      bytes += Buffer.byteLength(letter);
      return bytes <= MAX_NAME_BYTES;
    })
    .join('');
}

/** A member's text as the name of a file or folder that every system can unpack. */
export function fileName(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  const stem = cut(name.slice(0, name.length - ending.length)).replace(/^[. ]+|[. ]+$/g, '');
  const whole = `${stem || 'file'}${ending}`;
  return DEVICE.test(whole) ? `_${whole}` : whole;
}

/** A name that none before it has, whatever its case. */
function unused(name: string, used: Set<string>): string {
  const [, stem = name, ending = ''] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/s.exec(name) ?? [];
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${stem} (${count})${ending}`;
    if (used.has(candidate.toLowerCase())) continue;
    used.add(candidate.toLowerCase());
    return candidate;
  }
}

/** What of a solution others may take along, by names for the files of an archive. */
export function takenOf(solution: TakenSolution, siteUrl: string): Taken {
  const { id, title, version, user_id, author, media, files } = solution;
  const hasTexts = deedOf(solution.licence) !== undefined;
  const used = new Set<string>();
  return {
    hasTexts,
    cited: {
      id,
      title,
      version,
      safetyKind: solution.safety_kind,
      publishedAt: publishedAt(solution, version),
      author: authorName(user_id, author),
      url: `${siteUrl}/solutions/${id}/versions/${version}`,
    },
    media: (hasTexts ? media : []).map(({ id: mediaId, media_url: path, media_type, description }, index) => {
      const isImage = media_type === 'image';
      const ending = /\.\w+$/.exec(path)?.[0] ?? '';
      return {
        id: mediaId,
        name: `${isImage ? 'images' : 'videos'}/${index + 1}${ending}`,
        path,
        isImage,
        description,
      };
    }),
    files: files.map(({ id: fileId, file_url: path, file_name, licence, description }) => ({
      id: fileId,
      name: `files/${unused(fileName(file_name), used)}`,
      path,
      licence,
      description,
    })),
  };
}

/**
 * What the archive of a solution holds: a page that opens in every browser, its translations, images, videos and build files, the list of parts, a
 * reference, and a manifest of Open Know-How.
 *
 * @param folder what the names begin with, ending in a slash; blank for the archive's own folder
 */
export function contentsOf(solution: TakenSolution, siteUrl: string, folder = ''): Entry[] {
  const taken = takenOf(solution, siteUrl);
  const { cited, hasTexts, media, files } = taken;
  const lastModified = new Date(cited.publishedAt);
  const parts = hasTexts ? (solution.fabrication?.parts ?? []) : [];
  const texts: [string, string][] = [
    ['read-me.html', documentOf(solution, taken, siteUrl)],
    ...translationsOf(solution, taken, siteUrl).map(({ language, shown, taken: said }): [string, string] => [
      `read-me.${language}.html`,
      documentOf(shown, said, siteUrl),
    ]),
    ['citation.bib', citation('bibtex', cited)],
    ['okh.toml', manifestOf(solution, taken, parts.length > 0)],
    ...(parts.length > 0 ? [['parts.csv', partsTable(solution)] satisfies [string, string]] : []),
  ];
  return [
    ...texts.map(([name, text]) => ({ name: folder + name, lastModified, text })),
    ...[...media, ...files].map(({ name, path }) => ({ name: folder + name, lastModified, path })),
  ];
}

/** A solution in another language, with what goes along as that calls it. */
interface Translated {
  language: string;
  shown: TakenSolution;
  taken: Taken;
}

/**
 * A solution in each language that the site has it in, by what the version says that was translated; in none where others may not copy
 * its texts.
 */
export function translationsOf(solution: TakenSolution, taken: Taken, siteUrl: string): Translated[] {
  return (taken.hasTexts ? solution.translations : [])
    .map((translation) => ({ ...translation, original: versionOf(solution, translation.version) }))
    .flatMap(({ language, version, texts: written, user_id, writer, original }) => {
      if (!original) return [];
      const texts = textsSchema.parse(written);
      const shown = translatedContent(original, language, texts);
      const cited = {
        ...taken.cited,
        title: shown.title,
        version,
        publishedAt: publishedAt(solution, version),
        url: `${siteUrl}/solutions/${solution.id}/translations/${language}`,
        translated: {
          by: authorName(user_id, writer),
          into: languageName(language),
          from: original.title,
        },
      };
      const described = new Map(
        [...shown.media, ...shown.files].map(({ id, description }) => [id, description]),
      );
      const inLanguage = <Item extends { id: string }>(items: Item[]) =>
        items.flatMap((item) => {
          const description = described.get(item.id);
          return description === undefined ? [] : [{ ...item, description }];
        });
      const notices = solution.notices.map((notice) => {
        const text = texts[noticeName(notice)];
        return text === undefined ? notice : { ...notice, translated: text };
      });
      const said = { ...taken, cited, media: inLanguage(taken.media), files: inLanguage(taken.files) };
      return [
        {
          language,
          shown: { ...shown, notices },
          taken: version === solution.version ? said : { ...said, originalVersion: solution.version },
        },
      ];
    });
}

/**
 * A solution as one of its versions says it, without measured outcomes in an earlier one: they are in the original. Undefined where
 * that version is not read, or others may not copy it.
 */
function versionOf(solution: TakenSolution, version: number): TakenSolution | undefined {
  if (version === solution.version) return solution;
  const content = solution.translatedVersions.find((one) => one.version === version)?.content;
  if (!content || deedOf(content.licence) === undefined) return undefined;
  const { outcomes, media, files, based_on, ...texts } = content;
  const isIn =
    (items: { id: string }[]) =>
    ({ id }: { id: string }) =>
      items.some((item) => item.id === id);
  return {
    ...solution,
    ...texts,
    outcomes: [],
    media: solution.media.filter(isIn(media)),
    files: solution.files.filter(isIn(files)),
  };
}

const publishedAt = ({ versions, approved_at }: TakenSolution, version: number): string =>
  versions.find((one) => one.version === version)?.published_at ?? approved_at ?? '';

function partsTable({ fabrication }: TakenSolution): string {
  const columns = ['component', 'maker', 'part_number', 'quantity', 'cost', 'link'] as const;
  const rows = (fabrication?.parts ?? []).map((part) => [
    ...columns.map((column) => part[column]),
    fabrication?.currency,
  ]);
  // The byte order mark makes spreadsheets read the text as UTF-8.
  return `\uFEFF${csvTable([[...columns, 'currency'], ...rows])}`;
}

/** The manifest by which other collections of open hardware list it (https://github.com/iop-alliance/OpenKnowHow). */
function manifestOf(solution: TakenSolution, taken: Taken, hasParts: boolean): string {
  const { cited, hasTexts, media, files } = taken;
  const images = media.filter(({ isImage }) => isImage);
  const licences = new Set([
    hasTexts && solution.licence ? spdxOf(solution.licence) : 'LicenseRef-AllRightsReserved',
    ...files.map(({ licence }) => spdxOf(licence)),
  ]);
  return stringify({
    okhv: '2.4',
    name: cited.title,
    repo: cited.url.replace(/\/versions\/\d+$/, ''),
    version: String(cited.version),
    license: [...licences].join(' AND '),
    licensor: { name: cited.author },
    function: [warningNote(cited.safetyKind), hasTexts ? solution.description : cited.title]
      .filter(Boolean)
      .join('. '),
    readme: 'read-me.html',
    'documentation-language': solution.language,
    ...(images.length > 0 && { image: images.map(({ name }) => name) }),
    ...(hasParts && { bom: 'parts.csv' }),
    ...(hasTexts &&
      solution.fabrication?.steps.length && { 'manufacturing-instructions': 'read-me.html#steps' }),
    ...(files.length > 0 && { export: files.map(({ name }) => name) }),
    publication: cited.url,
  });
}
