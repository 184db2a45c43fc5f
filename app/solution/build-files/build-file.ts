import type { Json } from '#app/database.types.ts';
import { unwrap } from '#app/errors.ts';
import type { Client } from '#app/supabase.ts';

/** A build file of a solution, as the API gives it. */
export interface BuildFile {
  id: string;
  file_url: string;
  file_name: string;
  file_type: string;
  byte_size: number;
  licence: string;
  description: string | null;
  facts: Json;
  previews: string[];
  downloads: number;
  hidden_at: string | null;
  copy_of: string | null;
}

/** What a build file is read with; the texts of its pages are read when they are opened. */
export const buildFileColumns =
  'id,file_url,file_name,file_type,byte_size,licence,description,facts,previews,downloads,hidden_at,copy_of';

/** A preview lies beside its file. */
export const previewUrl = (fileUrl: string, preview: string) => fileUrl.replace(/[^/]+$/, preview);

type Located = Pick<BuildFile, 'file_url' | 'previews'>;

/** The URL of the first page, or of the model's picture, as the database names it. */
export const pictureOf = ({ file_url, previews: [first] }: Located) => first && previewUrl(file_url, first);

/** The files with URLs that open for the caller. @param sign gives URLs of private files */
export async function withOpenUrls(
  rows: BuildFile[],
  sign: (urls: string[]) => Promise<Map<string, string>>,
) {
  const signed = await sign(rows.flatMap((row) => [row.file_url, pictureOf(row) ?? '']));
  return rows.map((row) => {
    const picture = pictureOf(row);
    return {
      ...row,
      /** As the database names it. */
      stored_url: row.file_url,
      file_url: signed.get(row.file_url) ?? row.file_url,
      picture_url: picture ? (signed.get(picture) ?? picture) : null,
    };
  });
}

export type ShownFile = Awaited<ReturnType<typeof withOpenUrls>>[number];

/** The address from which a browser saves the file under its author's name for it. */
export const downloadUrl = (opened: string, name: string) =>
  `${opened}${opened.includes('?') ? '&' : '?'}download=${encodeURIComponent(name)}`;

/** Adds one to the downloads of a file; who downloads it is not recorded. */
export async function countDownload(db: Client, id: string): Promise<void> {
  unwrap(await db.rpc('count_download', { file: id }));
}

/** The number of pages or triangles and such that processing measured. */
export function factOf(facts: Json, name: string): Json | undefined {
  return facts && typeof facts === 'object' && !Array.isArray(facts) ? facts[name] : undefined;
}

/** What the file holds, in words. */
export function factsText({ facts }: Pick<BuildFile, 'facts'>): string | null {
  const pages = factOf(facts, 'pages');
  if (typeof pages === 'number') return `${pages} page${pages === 1 ? '' : 's'}`;
  const dimensions = dimensionsOf({ facts });
  const sizeIf = factOf(facts, 'sizeIf');
  return dimensions && `${dimensions.join(' × ')} mm${typeof sizeIf === 'string' ? ` ${sizeIf}` : ''}`;
}

/** What of a file processing did not keep, and what is wrong with its shape. */
export function leftOutText(facts: Json): string | null {
  const leftOut = factOf(facts, 'leftOut');
  const notes = [
    Array.isArray(leftOut) && `Left out: ${leftOut.join(', ')}`,
    factOf(facts, 'isInsideOut') === true && 'Inside out: its faces look inwards, as after mirroring',
  ];
  return notes.filter(Boolean).join('. ') || null;
}

/** Width, depth and height in millimetres; a drawing has width and height. */
export function dimensionsOf({ facts }: Pick<BuildFile, 'facts'>): number[] | null {
  const dimensions = factOf(facts, 'dimensions');
  return Array.isArray(dimensions) ? dimensions.filter((value) => typeof value === 'number') : null;
}
