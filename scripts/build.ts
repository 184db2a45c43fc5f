import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

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

/** Builds the site into `build/` unless that already holds what the sources would give. */
export function buildSite(progress: (step: string) => void): void {
  const hash = createHash('sha256');
  for (const source of SOURCES.map((name) => join(root, name)).filter(existsSync)) {
    for (const file of filesUnder(source)) hash.update(file.slice(root.length)).update(readFileSync(file));
  }
  const stamp = hash.digest('hex');
  const stampFile = join(root, 'build/.sources');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  progress('Building the site');
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  if (result.status !== 0)
    throw new Error(`The site could not be built:\n${result.stdout}\n${result.stderr}`);
  writeFileSync(stampFile, stamp);
}

if (import.meta.main) buildSite((step) => console.error(`${step} …`));
