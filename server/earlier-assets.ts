import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** The builds that are kept, that of this process among them. */
const MAX_BUILDS = 3;

/**
 * Keeps the scripts and styles of this build beside the data, whichever way the next one is installed: a page that is open since
 * before an upgrade loads its dialogs and further pages from them, and what is written in it is sent without a reload.
 *
 * @param client the folder of the built files, in which `assets` are named after their contents
 * @param dataDir gets a folder for each of the latest builds
 * @returns the folders of earlier builds, the latest first, each with `assets` in it
 */
export async function keepAssets(client: string, dataDir: string): Promise<string[]> {
  const kept = join(dataDir, 'builds');
  const names = (await readdir(join(client, 'assets'))).sort();
  const own = join(kept, createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16));
  await mkdir(kept, { recursive: true, mode: 0o700 });
  if (!existsSync(own)) {
    const unfinished = join(kept, 'unfinished');
    await rm(unfinished, { recursive: true, force: true });
    await cp(join(client, 'assets'), join(unfinished, 'assets'), { recursive: true });
    await rename(unfinished, own);
  }
  // Of the builds that are kept, the one that started last is the newest, also after going back.
  const now = new Date();
  await utimes(own, now, now);
  const folders = await Promise.all(
    (await readdir(kept)).map(async (name) => {
      const path = join(kept, name);
      return { path, startedAt: (await stat(path)).mtimeMs };
    }),
  );
  const [, ...earlier] = folders.sort((a, b) => b.startedAt - a.startedAt).map(({ path }) => path);
  for (const path of earlier.slice(MAX_BUILDS - 1)) await rm(path, { recursive: true, force: true });
  return earlier.slice(0, MAX_BUILDS - 1);
}
