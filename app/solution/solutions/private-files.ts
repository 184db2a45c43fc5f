import { unwrap } from '#app/errors.ts';
import type { Client } from '#app/supabase.ts';

const pendingPrefix = '/storage/v1/object/authenticated/pending-media/';

/** Whether a file, as the database names it, lies in the private bucket. */
export const isPrivateUrl = (url: string) => url.startsWith(pendingPrefix);

/** Files of a solution that is not public are opened, for a limited time, to members who may read them. */
export async function withSignedUrls<
  Row extends { media_url: string; compressed_url: string; thumbnail_url: string },
>(db: Client, rows: Row[]) {
  const signed = await signFiles(
    db,
    rows.flatMap((row) => [row.media_url, row.compressed_url, row.thumbnail_url]),
  );
  const open = (url: string) => signed.get(url) ?? url;
  return rows.map((row) => ({
    ...row,
    /** As the database names them. */
    stored: {
      media_url: row.media_url,
      compressed_url: row.compressed_url,
      thumbnail_url: row.thumbnail_url,
    },
    media_url: open(row.media_url),
    compressed_url: open(row.compressed_url),
    thumbnail_url: open(row.thumbnail_url),
  }));
}

/** The storage gives no member more. */
const SIGNED_SECONDS = 600;
/** The wait before a view of private files is read again, which is shorter than their URLs last. */
export const RENEW_SIGNED_MS = 480_000;

/** Signed URLs of files in the private bucket, valid for ten minutes, by the URL in the database. */
export async function signFiles(db: Client, urls: (string | null)[]): Promise<Map<string, string>> {
  const names = [...new Set(urls)]
    .filter((url) => url !== null && isPrivateUrl(url))
    .map((url) => (url ?? '').slice(pendingPrefix.length));
  if (names.length === 0) return new Map();
  const signed = unwrap(await db.storage.from('pending-media').createSignedUrls(names, SIGNED_SECONDS));
  return new Map(
    signed.flatMap(({ path, signedUrl }) =>
      path && signedUrl ? [[pendingPrefix + path, signedUrl] as const] : [],
    ),
  );
}

/** The same for the pictures of cards, of which most are public. */
export async function withOpenPictures<Row extends { thumbnail_url: string | null }>(
  db: Client,
  rows: Row[],
): Promise<Row[]> {
  const signed = await signFiles(
    db,
    rows.map(({ thumbnail_url }) => thumbnail_url),
  );
  return rows.map((row) => ({
    ...row,
    thumbnail_url: signed.get(row.thumbnail_url ?? '') ?? row.thumbnail_url,
  }));
}
