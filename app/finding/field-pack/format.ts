/*
 * A field pack is a folder that a browser opens without a network. Each of its files of data is one call of `limbPack` with a text,
 * since a page that was opened from a disk can load scripts and nothing else.
 */

/** The version of this form; a program that knows another one says so. */
export const FORMAT = 1;

export const MANIFEST = 'manifest.js';

/** The texts of the solutions, and the images of one solution. */
const DATA = /^(?:data|images)\/[0-9a-f]{64}\.js$/;

/** Whether a path of a pack is that of a file of data, which is named by its content. */
export const isData = (path: string): boolean => DATA.test(path);

/** What is signed. */
export interface Manifest {
  format: number;
  name: string;
  siteUrl: string;
  /** The public key of the site (Ed25519), in base64url. */
  key: string;
  madeAt: string;
  solutions: number;
  /** The page by the names of its files, with the SHA-256 of each. */
  page: Record<string, string>;
  /** The files of data by the SHA-256 of each, which is its name. A manifest is written at each update, so it is short. */
  data: string[];
  images: string[];
  /** Words that mean the same. */
  synonyms: string[][];
  /** The sums of reported outcomes, as the site's page of evidence has them. */
  evidence: { measure: string; type: string; cases: number; people: number; outcomes: number }[];
}

/** What holds the manifest: its text, byte by byte as it was signed. */
export interface Signed {
  body: string;
  /** Ed25519, in base64url. */
  signature: string;
}

/** One solution. */
export interface PackedSolution {
  id: string;
  title: string;
  language: string;
  author: string;
  /** The values of the filters that find it, its level, occupation and type first. */
  facets: string[];
  /** Its different words, as search compares them, with spaces around each. */
  words: string;
  /** The page of it; the sources of its images are their places in the file of images, such as `#0`. */
  html: string;
  /** Those of an earlier version say which. */
  translations: { language: string; title: string; html: string; ofVersion?: number }[];
  approvedAt: string;
  /** The gravest first; packs from before say no kind. */
  notices: { kind?: string; title: string; content: string; language: string | null; day: string }[];
  /** The hash of the file of its images, and where on the site they came from. */
  images: { sha256: string; sources: string[] } | null;
}

/** Where a file of data lies in the folder. */
export const pathOf = (part: 'data' | 'images', sha256: string): string => `${part}/${sha256}.js`;

/** The SHA-256 of each file of a pack by its path, of all but the manifest itself. */
export const filesOf = ({ page, data, images }: Manifest): Record<string, string> => ({
  ...page,
  ...Object.fromEntries(data.map((hash) => [pathOf('data', hash), hash])),
  ...Object.fromEntries(images.map((hash) => [pathOf('images', hash), hash])),
});

/** The bytes of a file of data that carries this text. */
export const scriptOf = (text: string): string => `limbPack(${JSON.stringify(text)})\n`;

/** The text that a file of data carries; undefined for any other file. */
export function textOf(script: string): string | undefined {
  const [, literal] = /^limbPack\((".*")\)\n$/s.exec(script) ?? [];
  try {
    return literal === undefined ? undefined : JSON.parse(literal);
  } catch {
    return undefined;
  }
}

/** The public key as people compare it: groups of four letters and digits. */
export const fingerprintOf = (sha256: string): string => sha256.slice(0, 32).replace(/(.{4})(?=.)/g, '$1 ');

/** The filters of a pack alone, beside those of the site. */
export const packFilters = ['Has building steps or parts'] as const;
