import { siteName } from '#app/site.ts';
import { markOf } from '#app/solution/warnings/safety-notice-kinds.ts';
import { formatDay } from '#app/ui/texts/dates.ts';

/** What a citation names. */
export interface Cited {
  id: string;
  title: string;
  author: string;
  version: number;
  publishedAt: string;
  /** The permanent address of the version. */
  url: string;
  /** What readers are warned of in the solution, as its marks have it. */
  safetyKind: string | null;
  /** Who translated it, into which language as the site calls it, and the title of the original; left out of an original. */
  translated?: { by: string; into: string; from: string };
}

export const citationFormats = [
  { value: 'text', label: 'Plain text', type: 'text/plain', ending: 'txt' },
  { value: 'bibtex', label: 'BibTeX', type: 'application/x-bibtex', ending: 'bib' },
  { value: 'ris', label: 'RIS', type: 'application/x-research-info-systems', ending: 'ris' },
] as const;
export type CitationFormat = (typeof citationFormats)[number]['value'];

/** Where solutions are downloaded. */
export const DOWNLOAD = '/functions/v1/download-solutions';

/** The path of the ZIP of a solution or a collection that everyone sees. */
export const downloadOf = (kind: 'solution' | 'collection', id: string): string =>
  `${DOWNLOAD}?${kind}=${id}`;

/** One line, without signs that break lines or turn the direction of what follows. */
export const oneLine = (text: string) =>
  text
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();

/** No brace of the text is left, since BibTeX counts even those with a backslash before them. */
const LATEX: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

const latex = (text: string) => oneLine(text).replace(/[\\{}~^$%&#_]/g, (sign) => LATEX[sign] ?? `\\${sign}`);

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** The name of a version among references, and of its file. */
export const citationKey = ({ id, version }: Pick<Cited, 'id' | 'version'>) =>
  `${siteName().toLowerCase().replace(/\W+/g, '-')}-${id.slice(0, 8)}-v${version}`;

/** The names and titles as a reference writes them, in their order, whose direction may differ from the rest's. */
export function namesIn(
  format: CitationFormat,
  { author, title, translated }: Pick<Cited, 'author' | 'title' | 'translated'>,
) {
  const names = [author, title];
  if (translated)
    names.push(
      ...(format === 'bibtex' ? [translated.by, translated.from] : [translated.from, translated.by]),
    );
  return names.map(format === 'bibtex' ? latex : oneLine);
}

/** What a reference says of a solution of which readers are warned, beside a title that stays as its author wrote it. */
export function warningNote(safetyKind: string | null): string | undefined {
  const mark = markOf(safetyKind);
  return mark && `Safety notice: ${mark.choice}`;
}

/** A version as a reference of a paper, by universal time. */
export function citation(format: CitationFormat, cited: Cited): string {
  const { title, author, version, publishedAt, url, translated } = cited;
  const notes = [
    warningNote(cited.safetyKind),
    translated && `Translated into ${translated.into} by ${oneLine(translated.by)}`,
  ].filter((note) => note !== undefined);
  const [year = '', month = '', day = ''] = new Date(publishedAt).toISOString().slice(0, 10).split('-');
  if (format === 'text')
    return `${oneLine(author)}. ${oneLine(title)}${translated ? ` [${oneLine(translated.from)}]` : ''}. Version ${version}. ${notes.map((note) => `${note}. `).join('')}${siteName()}; ${oneLine(formatDay(publishedAt))}. ${url}`;
  if (format === 'bibtex')
    return [
      `@misc{${citationKey(cited)},`,
      // In braces of its own, a name is not taken apart at "and" and commas.
      `  author = {{${latex(author)}}},`,
      `  title = {{${latex(title)}}},`,
      `  version = {${version}},`,
      `  year = {${year}},`,
      `  month = ${MONTHS[Number(month) - 1]},`,
      `  day = {${Number(day)}},`,
      `  publisher = {${latex(siteName())}},`,
      ...(notes.length > 0 ? [`  note = {${latex(notes.join('. '))}},`] : []),
      ...(translated
        ? [`  origtitle = {${latex(translated.from)}},`, `  language = {${latex(translated.into)}},`]
        : []),
      `  url = {${url}}`,
      '}',
      '',
    ].join('\n');
  return [
    'TY  - ELEC',
    `AU  - ${oneLine(author)}`,
    `TI  - ${oneLine(title)}`,
    `PY  - ${year}`,
    `DA  - ${year}/${month}/${day}/`,
    `ET  - Version ${version}`,
    `PB  - ${siteName()}`,
    ...(translated ? [`OP  - ${oneLine(translated.from)}`, `LA  - ${translated.into}`] : []),
    ...notes.map((note) => `N1  - ${note}`),
    `UR  - ${url}`,
    'ER  - ',
    '',
  ].join('\r\n');
}
