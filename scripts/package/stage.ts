import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { linkLibraries } from '#backend/database/postgres-programs.ts';
import { operatorTasks, tasks } from '../tasks.mjs';

const STARTER = 'scripts/run.mjs';
/** The programs of the site's process, and those that it starts by their paths. */
const PROGRAMS = [
  STARTER,
  'server/main.ts',
  'server/pages/renderer.ts',
  'media/worker.ts',
  'media/guard.ts',
  'supabase/emails/variables.ts',
  'build/server/index.js',
  ...operatorTasks.flatMap((task) => tasks[task] ?? []).filter((word) => word.endsWith('.ts')),
];
/** What only a clone has, and Vite or npm use there. */
const OF_CLONES = [
  'server/dev.ts',
  'server/build.ts',
  'build/.sources',
  'package-lock.json',
  '.env',
  'settings.toml',
];
/** What is read and not imported. */
const READ = [
  'backend/sql',
  'bench/README.md',
  'build/client',
  'deploy',
  'docs',
  'supabase',
  '.env.example',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
];
const LICENCE = /^(licen[cs]e|copying|notice)/i;

/** A package in a release. */
export interface Component {
  name: string;
  version: string;
  license: string | undefined;
  /** The folder from which it is loaded, such as `node_modules/pg`. */
  path: string;
}

interface Manifest {
  name: string;
  version: string;
  license?: string;
  os?: unknown;
  optionalDependencies?: Record<string, string>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * Writes a site that needs neither npm nor a compiler: its sources with the built pages, and of each package the
 * files that they load.
 *
 * @param root a clone with its packages, in which the site is built
 * @param installed holds the `node_modules` of the platform for which the release is
 * @param folder does not exist yet
 * @returns the packages in the release
 */
export async function stageRelease(root: string, installed: string, folder: string): Promise<Component[]> {
  const traced = await tracedFiles(root);
  const copy = (from: string, path: string) =>
    cpSync(join(from, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (name) => !/\.test\.tsx?$/.test(name),
    });
  mkdirSync(folder, { recursive: true });
  for (const path of READ) copy(root, path);
  const loaded = new Set(traced.map(packageOf).filter((path) => path !== undefined));
  const whole = packagesByPath(root, installed, loaded);
  const libraries = [...loaded].filter((path) => !whole.has(path) && existsSync(join(installed, path)));
  for (const file of traced) {
    const path = packageOf(file);
    if (path === undefined) copy(root, file);
    else if (libraries.includes(path)) copy(installed, file);
  }
  for (const path of libraries)
    for (const file of readdirSync(join(installed, path), { recursive: true, encoding: 'utf8' }))
      if (
        file === 'package.json' ||
        LICENCE.test(file) ||
        (file.endsWith('.wasm') && !file.includes('node_modules'))
      )
        copy(installed, join(path, file));
  for (const path of whole) {
    // Node's own package brings npm and the headers for compilers, too.
    const program = join(path, 'bin/node');
    const parts = existsSync(join(installed, program))
      ? [program, `${path}/LICENSE`, `${path}/package.json`]
      : [path];
    for (const part of parts) if (existsSync(join(installed, part))) copy(installed, part);
    if (existsSync(join(folder, program))) writeCommand(folder, program);
    if (existsSync(join(folder, path, 'native/pg-symlinks.json')))
      linkLibraries(join(folder, path, 'native'));
  }
  const { name, version, license, type, imports } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, version, license, type, imports }, null, 2),
  );
  return [...libraries, ...whole]
    .sort()
    .map((path) => ({ path, ...manifestIn(join(folder, path)) }))
    .map((each) => ({ name: each.name, version: each.version, license: each.license, path: each.path }));
}

/** The files that these programs may load, relative to the clone. */
async function tracedFiles(root: string): Promise<string[]> {
  const functions = readdirSync(join(root, 'supabase/functions'))
    .map((name) => `supabase/functions/${name}/index.ts`)
    .filter((path) => existsSync(join(root, path)));
  const { fileList } = await nodeFileTrace(
    [...PROGRAMS, ...functions].map((path) => join(root, path)),
    {
      base: root,
      processCwd: root,
      // What npm and Node keep beside the packages is no package.
      ignore: [...OF_CLONES, 'node_modules/.*', 'node_modules/.*/**'],
      readFile: async (path) => {
        const text = await readFile(path, 'utf8').catch(() => null);
        const isOurs = path.endsWith('.ts') && !path.includes('/node_modules/');
        return text !== null && isOurs ? stripTypeScriptTypes(text) : text;
      },
    },
  );
  return [...fileList].filter((path) => statSync(join(root, path)).isFile()).sort();
}

/** The innermost package that a file belongs to, as a path; undefined for one of the site. */
function packageOf(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

/**
 * The packages of which no import tells what is loaded: programs for one platform, which another package chooses when it
 * runs, and files that are read by path. Dead code is looked for with the list of the latter.
 */
function packagesByPath(root: string, installed: string, loaded: Set<string>): Set<string> {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const ignored: string[] = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8')).ignoreDependencies;
  const read = ignored.filter((name) => name in dependencies).map((name) => `node_modules/${name}`);
  const programsOf = (tree: string, path: string) =>
    Object.keys(manifestIn(join(tree, path)).optionalDependencies ?? {})
      .map((name) => `node_modules/${name}`)
      .filter((each) => existsSync(join(tree, each)) && manifestIn(join(tree, each)).os);
  const programs = [...loaded, ...read]
    .filter((path) => existsSync(join(installed, path)))
    .flatMap((path) => {
      const found = programsOf(installed, path);
      // npm goes on without those that it cannot find.
      if (found.length < programsOf(root, path).length)
        throw new Error(
          `npm has no program of ${path.slice('node_modules/'.length)} for that platform; a site would not start there.`,
        );
      return found;
    })
    .concat(Object.keys(optionalDependencies).map((name) => `node_modules/${name}`))
    .filter((path) => existsSync(join(installed, path)));
  return new Set([...read, ...programs]);
}

/** The command of the release, which finds its own folder also through a link. */
function writeCommand(folder: string, node: string): void {
  const command = join(folder, 'limb-commons');
  writeFileSync(
    command,
    `#!/bin/sh\nfolder=$(dirname "$(readlink -f "$0")")\nexec "$folder/${node}" "$folder/${STARTER}" "$@"\n`,
  );
  chmodSync(command, 0o755);
}
