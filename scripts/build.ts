import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = resolve(import.meta.dirname, '..');
const SOURCES = [
  'app',
  'public',
  'package-lock.json',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
];

function* filesUnder(path: string): Generator<string> {
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesUnder(join(path, name));
}

/** Compressed once here instead of at each request; the server takes what a browser understands. */
function compressAssets(folder: string): void {
  for (const file of filesUnder(folder)) {
    if (!/\.(js|css|svg|json)$/.test(file)) continue;
    const content = readFileSync(file);
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    );
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

/**
 * Builds the site into `build/` unless that already holds what the sources would give.
 *
 * Made beside its place and moved there when whole, so that several starts in one folder do not meet.
 */
export function buildSite(progress: (step: string) => void): void {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename));
  for (const source of SOURCES.map((name) => join(root, name)).filter(existsSync)) {
    for (const file of filesUnder(source)) hash.update(file.slice(root.length)).update(readFileSync(file));
  }
  const stamp = hash.digest('hex');
  const isBuilt = () => {
    const stampFile = join(root, 'build/.sources');
    return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  };
  if (isBuilt()) return;
  progress('Building the site');
  const unfinished = `build-${process.pid}`;
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production', BUILD_DIRECTORY: unfinished },
    },
  );
  const [place, made, before] = ['build', unfinished, `${unfinished}-before`].map((name) =>
    join(root, name),
  ) as [string, string, string];
  try {
    if (result.status !== 0)
      throw new Error(`The site could not be built:\n${result.stdout}\n${result.stderr}`);
    compressAssets(join(made, 'client'));
    writeFileSync(join(made, '.sources'), stamp);
    if (existsSync(place) && !isBuilt()) renameSync(place, before);
    if (!isBuilt()) renameSync(made, place);
  } catch (error) {
    // Another start was quicker.
    if (!isBuilt()) throw error;
  } finally {
    for (const left of [made, before]) rmSync(left, { recursive: true, force: true });
  }
}

if (import.meta.main) buildSite((step) => console.error(`${step} …`));
