import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chosenLanguage } from '../texts/language.ts';

const root = resolve(import.meta.dirname, '..');
const SOURCES = [
  'app',
  'public',
  'texts',
  'package-lock.json',
  'vite.config.ts',
  'vite.service-worker.config.ts',
  'vite.field-pack.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
];

function* filesUnder(path: string): Generator<string> {
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesUnder(join(path, name));
}

/**
 * Compressed once here instead of at each request; the server sends an encoding that the browser understands.
 */
async function compressAssets(folder: string): Promise<void> {
  const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];
  const files = [...filesUnder(folder)].filter((file) => /\.(js|css|svg|json)$/.test(file));
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      // The best quality takes seconds once, and saves each visitor a fourteenth of the scripts.
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      writeFileSync(`${file}.br`, await brotli(content, { params }));
      writeFileSync(`${file}.gz`, await gzipped(content, { level: 9 }));
    }),
  );
}

/**
 * Builds the site into `build/` unless that already holds the result of the present sources.
 *
 * Made beside its place and moved there when complete, so that several starts in one folder do not conflict;
 * and in a separate process, so that a site that starts in the meantime can answer its database.
 *
 * @param signal ends it, with no files left behind
 */
export async function buildSite(progress: (step: string) => void, signal?: AbortSignal): Promise<void> {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename));
  for (const source of SOURCES.map((name) => join(root, name)).filter(existsSync)) {
    for (const file of filesUnder(source)) hash.update(file.slice(root.length)).update(readFileSync(file));
  }
  hash.update(chosenLanguage());
  const stamp = hash.digest('hex');
  const isBuilt = () => {
    const stampFile = join(root, 'build/.sources');
    return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  };
  if (isBuilt()) return;
  progress('Building the site');
  const unfinished = `build-${process.pid}`;
  const run = async (...command: [string, ...string[]]) => {
    const [program, ...options] = command;
    const child = spawn(process.execPath, [join(root, 'node_modules', program), 'build', ...options], {
      cwd: root,
      // biome-ignore lint/style/noProcessEnv: React Router’s program gets all of it
      env: { ...process.env, NODE_ENV: 'production', BUILD_DIRECTORY: unfinished },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    // Its end is awaited below, also when it was aborted.
    child.on('error', () => undefined);
    const [output, errors, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    signal?.throwIfAborted();
    if (status !== 0) throw new Error(`The site could not be built:\n${output}\n${errors}`);
  };
  const [buildFolder, newFolder, oldFolder] = ['build', unfinished, `${unfinished}-before`].map((name) =>
    join(root, name),
  ) as [string, string, string];
  try {
    await run('@react-router/dev/bin.cjs');
    // Each adds to the folder that the first has made.
    await run('vite/bin/vite.js', '--config', 'vite.service-worker.config.ts');
    await run('vite/bin/vite.js', '--config', 'vite.field-pack.config.ts');
    await compressAssets(join(newFolder, 'client'));
    writeFileSync(join(newFolder, '.sources'), stamp);
    if (existsSync(buildFolder) && !isBuilt()) renameSync(buildFolder, oldFolder);
    if (!isBuilt()) renameSync(newFolder, buildFolder);
  } catch (error) {
    // Another start finished first.
    if (!isBuilt()) throw error;
  } finally {
    for (const folder of [newFolder, oldFolder]) rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await buildSite((step) => console.error(`${step} …`));
