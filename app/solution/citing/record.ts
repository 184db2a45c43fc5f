import { authorName, orcidUrl } from '#app/frame/members/names.ts';
import { siteName } from '#app/site.ts';
import { mediaTypes } from '#app/solution/build-files/kinds.ts';
import { deedOf, spdxOf } from '#app/solution/build-files/text-licences.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { isPrivateUrl } from '#app/solution/solutions/private-files.ts';
import { cutText } from '../../../texts/cut-text.ts';
import { downloadOf, oneLine, warningNote } from './citation.ts';

/** The longest beginning of a description by which programs show a solution. */
export const MAX_SUMMARY = 200;

/** A version of a public solution as machines cite it; times as the database gives them, addresses with their origin. */
export interface CitedRecord {
  title: string;
  /** The language of its texts, as BCP 47 has it. */
  language: string;
  /** Null of a member who has left. */
  author: string | null;
  /** The address of the author's page; null of a member who has none or has left. */
  authorUrl: string | null;
  /** The address of the author's ORCID iD; null unless they show one. */
  authorOrcid: string | null;
  version: number;
  publishedAt: string;
  /** When the first version was published. */
  firstPublishedAt: string;
  /** The permanent address of the version. */
  url: string;
  /** The address of the solution, which shows its latest version. */
  solutionUrl: string;
  description: string;
  /** What readers are warned of, as a reference says it. */
  warning: string | undefined;
  keywords: string[];
  /** The name of the licence of its texts and images; null while none is chosen. */
  licence: string | null;
  /** The published solutions on which this version is based. */
  basedOn: string[];
  /** The permanent addresses of the versions before and after this one. */
  previous: string | null;
  next: string | null;
}

/** What a version says of itself in its record. */
type Recorded = Pick<
  Solution,
  | 'title'
  | 'description'
  | 'amputation_level'
  | 'prosthesis_type'
  | 'occupation'
  | 'custom_tags'
  | 'licence'
  | 'language'
>;

/** What a solution says of its versions. */
type Versioned = Pick<Solution, 'id' | 'user_id' | 'author' | 'versions' | 'safety_kind'>;

/**
 * The record of a version, or null where the solution has no such version.
 *
 * @param origin of the site
 * @param content what the version says
 * @param basedOn ids of the published solutions that it names
 */
export function recordOf(
  origin: string,
  { id, user_id, author, versions, safety_kind }: Versioned,
  version: number,
  content: Recorded,
  basedOn: readonly string[],
): CitedRecord | null {
  const solutionUrl = `${origin}/solutions/${id}`;
  const addressOf = (one: number) => `${solutionUrl}/versions/${one}`;
  const [oldest] = versions.toSorted((a, b) => a.version - b.version);
  const shown = versions.find((one) => one.version === version);
  if (!oldest || !shown) return null;
  const { title, description, amputation_level, prosthesis_type, occupation, custom_tags, licence } = content;
  return {
    title: oneLine(title),
    language: content.language,
    author: user_id === null ? null : oneLine(authorName(user_id, author)),
    authorUrl: user_id !== null && author?.username ? `${origin}/members/${author.username}` : null,
    authorOrcid: user_id !== null && author?.orcid ? orcidUrl(author.orcid) : null,
    version,
    publishedAt: shown.published_at,
    firstPublishedAt: oldest.published_at,
    url: addressOf(version),
    solutionUrl,
    description,
    warning: warningNote(safety_kind),
    keywords: [amputation_level, prosthesis_type, occupation, ...custom_tags].filter(Boolean),
    licence,
    basedOn: basedOn.map((source) => `${origin}/solutions/${source}`),
    previous: version > oldest.version ? addressOf(version - 1) : null,
    next: versions.some((one) => one.version > version) ? addressOf(version + 1) : null,
  };
}

/**
 * The same for a page: with the beginning of the description, and the sources of the latest version alone, since an earlier one keeps
 * only their marks.
 */
export const pageRecord = (
  origin: string,
  solution: Versioned & Pick<Solution, 'version' | 'sources'>,
  version: number,
  content: Recorded,
): CitedRecord | null =>
  recordOf(
    origin,
    solution,
    version,
    { ...content, description: cutText(content.description, MAX_SUMMARY) },
    version === solution.version ? solution.sources.flatMap(({ solution: source }) => source?.id ?? []) : [],
  );

/** The description behind what readers have to know first. */
const warned = ({ warning, description }: CitedRecord) => [warning, description].filter(Boolean).join('. ');

const dayOf = (time: string) => new Date(time).toISOString().slice(0, 10);

/** The meta tags by which search engines of papers and reference managers know what can be cited. */
export const citationTags = (record: CitedRecord) =>
  Object.entries({
    citation_title: record.title,
    ...(record.author && { citation_author: record.author }),
    ...(record.authorOrcid && { citation_author_orcid: record.authorOrcid }),
    citation_publication_date: dayOf(record.publishedAt).replaceAll('-', '/'),
    ...(record.warning && { citation_abstract: warned(record) }),
    citation_language: record.language,
    citation_publisher: siteName(),
    citation_public_url: record.url,
  }).map(([name, content]) => ({ name, content }));

/** The version as schema.org describes an article. */
export const articleOf = (record: CitedRecord) => ({
  '@context': 'https://schema.org',
  '@type': 'Article',
  '@id': record.url,
  headline: record.title,
  inLanguage: record.language,
  ...(warned(record) && { description: cutText(warned(record), MAX_SUMMARY) }),
  mainEntityOfPage: record.solutionUrl,
  datePublished: record.firstPublishedAt,
  dateModified: record.publishedAt,
  version: String(record.version),
  keywords: record.keywords,
  isAccessibleForFree: true,
  image: `${record.solutionUrl}/card.png`,
  ...(deedOf(record.licence) && { license: deedOf(record.licence) }),
  ...(record.basedOn.length > 0 && { isBasedOn: record.basedOn }),
  ...(record.author && {
    author: {
      '@type': 'Person',
      name: record.author,
      ...(record.authorOrcid && { '@id': record.authorOrcid, sameAs: record.authorOrcid }),
      ...(record.authorUrl && { url: record.authorUrl }),
    },
  }),
  publisher: { '@type': 'Organization', name: siteName() },
});

/** A translation of a version, with the original's record. */
export interface CitedTranslation {
  original: CitedRecord;
  url: string;
  title: string;
  description: string;
  language: string;
  /** Who translated it; null of a member who has left. */
  by: string | null;
  approvedAt: string;
}

/** A translation as machines cite it: what its original is cited with, under its own title, language and address. */
export const translatedRecord = ({
  original,
  url,
  title,
  description,
  language,
}: CitedTranslation): CitedRecord => ({ ...original, url, title: oneLine(title), description, language });

/** A translation as schema.org describes an article. */
export const translationOf = (translation: CitedTranslation) => ({
  ...articleOf(translatedRecord(translation)),
  mainEntityOfPage: translation.url,
  dateModified: translation.approvedAt,
  translationOfWork: { '@id': translation.original.url },
  ...(translation.by && { translator: { '@type': 'Person', name: oneLine(translation.by) } }),
});

/** The media type of DataCite's JSON. */
export const DATACITE_TYPE = 'application/vnd.datacite.datacite+json';

/**
 * The version as DataCite's schema 4 describes it, with its permanent address in place of a DOI, which this site cannot
 * register. A name that is withheld has the schema's code for that.
 */
export const dataciteOf = (record: CitedRecord, publisher: string) => ({
  schemaVersion: 'http://datacite.org/schema/kernel-4',
  alternateIdentifiers: [{ alternateIdentifier: record.url, alternateIdentifierType: 'URL' }],
  url: record.url,
  creators: [creatorOf(record)],
  titles: [{ title: record.title, lang: record.language }],
  language: record.language,
  publisher: { name: publisher },
  publicationYear: dayOf(record.publishedAt).slice(0, 4),
  types: { resourceTypeGeneral: 'Text', resourceType: 'Prosthetic solution' },
  dates: [{ date: dayOf(record.publishedAt), dateType: 'Issued' }],
  version: String(record.version),
  subjects: record.keywords.map((subject) => ({ subject })),
  ...(record.licence && { rightsList: [rightsOf(record.licence)] }),
  descriptions: [
    ...(record.warning ? [{ description: record.warning, descriptionType: 'Other', lang: 'en' }] : []),
    { description: record.description, descriptionType: 'Abstract', lang: record.language },
  ],
  relatedIdentifiers: [
    ['IsVersionOf', record.solutionUrl],
    ...(record.previous ? [['IsNewVersionOf', record.previous]] : []),
    ...(record.next ? [['IsPreviousVersionOf', record.next]] : []),
    ...record.basedOn.map((source) => ['IsDerivedFrom', source]),
  ].map(([relationType, relatedIdentifier]) => ({
    relatedIdentifier,
    relatedIdentifierType: 'URL',
    relationType,
  })),
});

const creatorOf = ({ author, authorOrcid }: CitedRecord) =>
  author
    ? {
        name: author,
        nameType: 'Personal',
        ...(authorOrcid && {
          nameIdentifiers: [
            {
              nameIdentifier: authorOrcid,
              nameIdentifierScheme: 'ORCID',
              schemeUri: 'https://orcid.org',
            },
          ],
        }),
      }
    : { name: ':unal' };

const rightsOf = (licence: string) => {
  const deed = deedOf(licence);
  return {
    rights: licence,
    ...(deed && {
      rightsUri: deed,
      rightsIdentifier: spdxOf(licence),
      rightsIdentifierScheme: 'SPDX',
      schemeUri: 'https://spdx.org/licenses/',
    }),
  };
};

/** A target, its relation to the page, and the type of what is there. */
type TypedLink = [target: string, rel: string, type?: string | undefined];

/** The longest value of the header, in bytes: proxies refuse answers with long ones. */
const MAX_LINKS = 4096;

/**
 * The header by which programs find from a page what to cite, its record and its files, as Signposting has it
 * (https://signposting.org/FAIR/).
 *
 * @param items those of the files, of which the first holds all the others, and comes alone where they are too many
 */
export const linkHeader = (links: TypedLink[], items: TypedLink[] = []): { link: string } => {
  const written = (some: TypedLink[]) =>
    some
      .map(([target, rel, type]) => `<${encodeURI(target)}>; rel="${rel}"${type ? `; type="${type}"` : ''}`)
      .join(', ');
  const link = written([...links, ...items]);
  // Addresses are encoded, so that each character is a byte.
  return { link: link.length > MAX_LINKS ? written([...links, ...items.slice(0, 1)]) : link };
};

/**
 * The ZIP of the latest version of a solution that visitors see, and its build files, each of which has a licence to copy it; of an
 * earlier version none are kept.
 */
export const itemsOf = (record: CitedRecord, { id, files }: Pick<Solution, 'id' | 'files'>): TypedLink[] => {
  if (record.next) return [];
  const at = (path: string) => new URL(path, record.solutionUrl).href;
  return [
    [at(downloadOf('solution', id)), 'item', 'application/zip'],
    ...files
      // Until its job has run, a new file lies where it is opened for some minutes alone.
      .filter(({ stored_url }) => !isPrivateUrl(stored_url))
      .map(({ file_url, file_type }): TypedLink => [at(file_url), 'item', mediaTypes[file_type]]),
  ];
};

/**
 * The links of a page that shows a version, or a translation of one.
 *
 * @param described the address of the version with a record in DataCite's JSON
 */
export const signposts = (record: CitedRecord, described = record.url): TypedLink[] => {
  const deed = deedOf(record.licence);
  return [
    [record.url, 'cite-as'],
    [`${described}/datacite.json`, 'describedby', DATACITE_TYPE],
    ['https://schema.org/AboutPage', 'type'],
    ['https://schema.org/Article', 'type'],
    ...[record.authorOrcid, record.authorUrl].flatMap((page): TypedLink[] =>
      page ? [[page, 'author']] : [],
    ),
    ...(deed ? [[deed, 'license'] satisfies TypedLink] : []),
  ];
};
