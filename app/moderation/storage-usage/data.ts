import { queryOptions } from '@tanstack/react-query';
import { readAnswer, unwrap } from '#app/errors.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

const bucket = 'solution-media';
const pageSize = 1000;
/** Folders are listed a few at a time, so that a large bucket neither takes minutes nor floods the server. */
const CONCURRENT_REQUESTS = 8;

export interface StoredFile {
  path: string;
  size: number;
  createdAt: string;
}

/** The fields of a storage entry that are used here. */
interface Entry {
  id: string | null;
  name: string;
  created_at: string | null;
  metadata: { size?: unknown } | null;
}

/** Lists a folder to the last page; a folder within it has no id. */
async function listFolder(db: Client, folder: string, offset = 0): Promise<Entry[]> {
  const page = unwrap(
    await db.storage
      .from(bucket)
      .list(folder, { limit: pageSize, offset, sortBy: { column: 'name', order: 'asc' } }),
  );
  if (page.length < pageSize) return page;
  return [...page, ...(await listFolder(db, folder, offset + pageSize))];
}

/** Every file of the published media, at any depth. */
async function listFiles(db: Client): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  let folders = [''];
  while (folders.length > 0) {
    const batch = folders.slice(0, CONCURRENT_REQUESTS);
    const listed = await Promise.all(batch.map((folder) => listFolder(db, folder)));
    folders = folders.slice(batch.length);
    listed.forEach((entries, index) => {
      for (const { id, name, created_at, metadata } of entries) {
        const path = batch[index] ? `${batch[index]}/${name}` : name;
        if (id === null) folders.push(path);
        else files.push({ path, size: Number(metadata?.size ?? 0), createdAt: created_at ?? '' });
      }
    });
  }
  return files;
}

/** Every published file with its size, kept for a minute, since listing them takes many requests. */
export const filesQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['moderation', 'files'],
    queryFn: async () => listFiles(await client()),
    staleTime: 60_000,
  });

/** The number of solutions in each state, of page views this month, and of decisions whose files could not be moved. */
export const activityQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['moderation', 'activity'],
    queryFn: async () => {
      const db = await client();
      const [counts, givenUp] = await Promise.all([
        readAnswer(db.rpc('site_activity'), (z) =>
          z.object({
            approved: z.number(),
            pending: z.number(),
            rejected: z.number(),
            page_views: z.number(),
          }),
        ),
        db.rpc('media_jobs_given_up'),
      ]);
      return { ...counts, givenUp: unwrap(givenUp) };
    },
  });

/** The solutions that files belong to, by the files' paths. */
export const ownersQuery = (client: ClientSource, paths: readonly string[]) =>
  queryOptions({
    queryKey: ['moderation', 'file-owners', paths],
    queryFn: async () => {
      const db = await client();
      const prefix = `/storage/v1/object/public/${bucket}/`;
      const urls = paths.map((path) => prefix + path);
      // A build file has a folder of its own, with its previews.
      const folderOf = (url: string) => url.replace(/[^/]+$/, '');
      const [media, files] = await Promise.all([
        db.from('solution_media').select('url:media_url,solution:solutions(id,title)').in('media_url', urls),
        db
          .from('solution_files')
          .select('url:folder,solution:solutions(id,title)')
          .in('folder', urls.map(folderOf)),
      ]);
      const owners = new Map(
        [...unwrap(media), ...unwrap(files)].map(({ url, solution }) => [url, solution] as const),
      );
      return new Map(
        paths.map((path) => [path, owners.get(prefix + path) ?? owners.get(folderOf(prefix + path))]),
      );
    },
  });

/** Has the files tried again that the site has given up moving or removing. */
export const retryMediaJobs = (db: Client) => db.rpc('retry_media_jobs').throwOnError();
