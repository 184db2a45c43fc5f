import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from './management-api.ts';

/** The tool is as large as all other dependencies of a test run together, so that only these tests install it. */
const VERSION = '3.1.0';
const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** The official command-line tool, from the package registry the first time. @returns its program */
export async function installTool(): Promise<string> {
  const folder = join(root, 'node_modules/.cache', `supabase-${VERSION}`);
  const program = join(folder, 'node_modules/.bin/supabase');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', `supabase@${VERSION}`, '--no-audit', '--no-fund'], { cwd: folder });
  return program;
}

/**
 * Runs the tool for a project of a management API on this machine.
 *
 * @param home an empty folder for what the tool keeps
 * @param workdir holds `supabase`
 * @returns all that it said
 * @throws when the tool fails, with what it said
 */
export async function runTool(
  program: string,
  { api, home, workdir }: { api: string; home: string; workdir: string },
  command: string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const profile = join(home, 'profile.yaml');
  const settings = {
    name: 'local',
    api_url: api,
    dashboard_url: api,
    docs_url: api,
    project_host: '127.0.0.1',
  };
  writeFileSync(
    profile,
    Object.entries(settings)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  );
  const remote = command.some((word) => word.startsWith('--remote')) ? [] : [`--remote=${PROJECT}`];
  const { stdout, stderr } = await run(
    program,
    [...command, ...remote, '--profile', profile, '--workdir', workdir, '--yes'],
    {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}`,
        SUPABASE_TELEMETRY_DISABLED: '1',
        DO_NOT_TRACK: '1',
        ...environment,
      },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return stdout + stderr;
}
