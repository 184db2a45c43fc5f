import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inject, vi } from 'vitest';
import type { TestProject } from 'vitest/node';
import { removeFolder } from '../temporary-folder.ts';
import { TEST_TIMEOUT_MS } from '../timeouts.ts';
import { freePort, isAlive, processesOf, releasePorts, start } from './site.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the data folders that the sites of a run are copies of. */
    firstStarts: string;
  }
}

/** Every vitest project has a copy of this module; all copies share this object. */
const shared = globalThis as unknown as { firstStartsOfTheRun?: string };

export default function setUp(project: TestProject) {
  releasePorts();
  shared.firstStartsOfTheRun ??= mkdtempSync(join(tmpdir(), 'limb-commons-first-'));
  const directory = shared.firstStartsOfTheRun;
  chmodSync(directory, 0o711);
  project.provide('firstStarts', directory);
  return async () => {
    // The sites that e2e files share end with the processes of these, soon after.
    for (const name of existsSync(directory) ? readdirSync(directory) : []) {
      while (isRunning(join(directory, name, 'data'))) await wait(50);
    }
    await removeFolder(directory);
  };
}

function isRunning(dataDir: string): boolean {
  try {
    return isAlive(processesOf(dataDir).server);
  } catch {
    // A site that ends removes the file that names its processes.
    return false;
  }
}

/** The folder of a first start that is copied, and of its output. */
export const firstStartOf = (demo: boolean): string => join(inject('firstStarts'), demo ? 'demo' : 'empty');

/** A site's data folder without demo content, which the next start does not add either. */
export function withoutDemo(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'demo-content'), '');
  return dataDir;
}

/**
 * Makes a data folder as the first start leaves it, for tests with another subject than that start.
 *
 * @param demo with the demo content
 * @returns the output of that start
 */
export async function startedOnce(dataDir: string, demo: boolean): Promise<string> {
  const template = await firstStart(demo);
  const copy = spawnSync('cp', ['-a', join(template, 'data'), dataDir], { encoding: 'utf8' });
  if (copy.status !== 0) throw new Error(`The data folder could not be copied: ${copy.stderr}`);
  return readFileSync(join(template, 'output'), 'utf8');
}

/** The first test that needs it makes it; the others wait for it. */
async function firstStart(demo: boolean): Promise<string> {
  const folder = firstStartOf(demo);
  const result = join(folder, 'result');
  try {
    mkdirSync(folder, { mode: 0o711 });
  } catch {
    const outcome = await vi.waitUntil(
      () => existsSync(result) && readFileSync(result, 'utf8'),
      TEST_TIMEOUT_MS,
    );
    if (outcome !== 'made') throw new Error(outcome);
    return folder;
  }
  try {
    const dataDir = join(folder, 'data');
    if (!demo) withoutDemo(dataDir);
    const site = await start({ DATA_DIR: dataDir, PORT: await freePort() });
    const { databaseUrl } = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    // The copies have to survive no power cut.
    for (const name of ['fsync', 'full_page_writes']) await client.query(`alter system set ${name} = off`);
    await client.end();
    site.process.kill('SIGTERM');
    await site.exited;
    writeFileSync(join(folder, 'output'), site.output());
    writeFileSync(result, 'made');
  } catch (error) {
    writeFileSync(result, `not made: ${error}`);
    throw error;
  }
  return folder;
}
