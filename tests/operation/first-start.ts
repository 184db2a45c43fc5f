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
import { BACKGROUND_TIMEOUT_MS, TEST_TIMEOUT_MS } from '../timeouts.ts';
import { freePort, isAlive, processesOf, releasePorts, signal, start } from './site.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of what is made once in a run, such as the data folders that its sites are copies of. */
    madeOnce: string;
  }
}

const STEP_MS = 50;
/** Every vitest project has a copy of this module; all copies share this object. */
const shared = globalThis as unknown as { madeOnce?: string };

export default function setUp(project: TestProject) {
  releasePorts();
  shared.madeOnce ??= mkdtempSync(join(tmpdir(), 'limb-commons-once-'));
  const directory = shared.madeOnce;
  chmodSync(directory, 0o711);
  project.provide('madeOnce', directory);
  return async () => {
    // The sites that e2e files share end with the processes of these, soon after.
    for (const name of existsSync(directory) ? readdirSync(directory) : [])
      await untilEnded(join(directory, name, 'data'));
    await removeFolder(directory);
  };
}

/** Waits until no site runs on a data folder; one that does not end is killed, since it would hold up the end of the run. */
async function untilEnded(dataDir: string): Promise<void> {
  try {
    const { server, postgres } = processesOf(dataDir);
    for (let waited = 0; isAlive(server) && waited < BACKGROUND_TIMEOUT_MS; waited += STEP_MS)
      await wait(STEP_MS);
    if (isAlive(server)) for (const pid of [server, postgres]) signal(pid, 'SIGKILL');
  } catch {
    // A site that ends removes the file that names its processes.
  }
}

/** A site's data folder without demo content, which the next start does not add either. */
export function withoutDemo(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'demo-content'), '');
  return dataDir;
}

/**
 * Makes something once in a run: the first test that needs it does, and the others wait for it.
 *
 * @param make fills the folder
 * @returns the folder
 */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(inject('madeOnce'), name);
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
    await make(folder);
    writeFileSync(result, 'made');
  } catch (error) {
    writeFileSync(result, `not made: ${error}`);
    throw error;
  }
  return folder;
}

/**
 * Makes a data folder as the first start leaves it, for tests with another subject than that start.
 *
 * @param demo with the demo content
 * @returns the output of that start
 */
export async function startedOnce(dataDir: string, demo: boolean): Promise<string> {
  const template = await firstStartOf(demo);
  const copy = spawnSync('cp', ['-a', join(template, 'data'), dataDir], { encoding: 'utf8' });
  if (copy.status !== 0) throw new Error(`The data folder could not be copied: ${copy.stderr}`);
  return readFileSync(join(template, 'output'), 'utf8');
}

/** The folder of a first start that is copied, and of its output. */
export const firstStartOf = (demo: boolean): Promise<string> =>
  madeOnce(demo ? 'demo' : 'empty', async (folder) => {
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
  });
