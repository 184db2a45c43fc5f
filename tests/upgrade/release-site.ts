import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { buildSite } from '#server/build.ts';
import { type Component, stageRelease } from '../../scripts/package/stage.ts';
import { madeOnce } from '../operation/first-start.ts';
import { BACKGROUND_TIMEOUT_MS } from '../timeouts.ts';

export const root = resolve(import.meta.dirname, '../..');

/**
 * Puts the release of this code into a folder. It is made once in a run: each test file has the same files by other names, and
 * whatever writes one of them makes a new one in its place.
 *
 * @returns its packages
 */
export async function releaseIn(folder: string): Promise<Component[]> {
  const made = await madeOnce('release', async (once) => {
    await buildSite(() => undefined);
    const packages = await stageRelease(root, root, join(once, 'release'));
    writeFileSync(join(once, 'packages.json'), JSON.stringify(packages));
  });
  execFileSync('cp', ['-al', join(made, 'release'), folder]);
  return JSON.parse(readFileSync(join(made, 'packages.json'), 'utf8'));
}

/** The longest gap that an upgrade may expect here, where its rehearsal competes with other tests for a busy machine. */
export const GAP = ['--gap', String(BACKGROUND_TIMEOUT_MS / 1000)];

/** Replaces a file of a release, which may be the same file in another one. */
export function replaceFile(file: string, content: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, content);
}

/** Another version of a release, whose files are the same but for those that are replaced. */
export function versionOf(release: string, folder: string, version: string): void {
  execFileSync('cp', ['-al', release, folder]);
  const manifest = JSON.parse(readFileSync(join(release, 'package.json'), 'utf8'));
  replaceFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }));
}

/**
 * A site that a release starts.
 *
 * @param home the folder of its data
 * @param settings all of the environment, the port among it
 */
export function siteOf(release: string, home: string, settings: Record<string, string>) {
  const dataDir = join(home, 'data');
  const address = `http://127.0.0.1:${settings.PORT}`;
  const command = (words: string[], more = {}) =>
    spawn(join(release, 'limb-commons'), words, { cwd: home, env: { ...settings, ...more } });
  /** Runs a command of it to its end, with the programs of this machine. */
  const run = async (...words: string[]) => {
    const child = command(words, { PATH: process.env.PATH });
    const [said, problem, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { status, said, problem: problem.trim().split('\n').at(-1) };
  };
  let launched: ChildProcessWithoutNullStreams | undefined;
  let output = '';
  return {
    dataDir,
    address,
    /** The process that was started last, and its output. */
    launched: () => launched,
    output: () => output,
    instance: () => JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8')),
    running: async () => (await (await fetch(`${address}/healthz`)).text()).trim(),
    async start() {
      output = '';
      const child = command(['start']);
      launched = child;
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (piece: Buffer) => {
          output += piece;
        });
      await vi.waitUntil(() => output.includes('is ready:') || child.exitCode !== null, {
        timeout: BACKGROUND_TIMEOUT_MS,
      });
      expect(output).toContain('Limb Commons is ready:');
    },
    async stop() {
      const ended = launched && once(launched, 'exit');
      if (launched?.kill('SIGTERM')) await ended;
    },
    upgrade: (...words: string[]) => run('upgrade', ...words, ...GAP),
    run,
  };
}
