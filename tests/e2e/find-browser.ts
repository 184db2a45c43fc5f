import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

export interface Program {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

// Sandboxing needs privileges a test machine may not give; the only pages visited are the site's own.
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The variables of this environment without which a program cannot run. */
const ENV = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };

const version = ({ executablePath, env }: Pick<Program, 'executablePath' | 'env'>) =>
  spawnSync(executablePath, ['--version'], { env, encoding: 'utf8' });

/**
 * Unpacks the Chromium that npm brought, once for a clone: whole or not at all, and where no other account or
 * clone meets it.
 *
 * @returns the folder that contains it
 */
async function unpacked(): Promise<string> {
  const { default: packaged, inflate } = await import('@sparticuz/chromium');
  const home = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  const folder = resolve(
    'node_modules/.cache',
    `chromium-${JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version}`,
  );
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  const before = process.env.TMPDIR;
  // The package unpacks into the folder for temporary files, and uses any copy it finds there.
  process.env.TMPDIR = unfinished;
  try {
    await packaged.executablePath();
    await inflate(join(home, 'bin/al2023.tar.br'));
    // The package's own file names a folder that only its author's machines have.
    writeFileSync(
      join(unfinished, 'fonts/fonts.conf'),
      '<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>',
    );
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another run may have been quicker.
    if (!existsSync(folder)) throw error;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  return folder;
}

/**
 * The machine's Chromium if one is installed that runs, else the one npm brought, with its libraries where
 * they are missing.
 */
export async function findBrowser(): Promise<Program> {
  const installed = [process.env.CHROMIUM_PATH ?? '', ...INSTALLED].find(
    (executablePath) => existsSync(executablePath) && version({ executablePath, env: ENV }).status === 0,
  );
  if (installed) return { executablePath: installed, args: ARGS, env: ENV };

  const folder = await unpacked().catch((error: Error) => {
    throw new Error(
      `No browser to test with: the one that npm brought could not be unpacked (${error.message}). Set CHROMIUM_PATH to a Chromium.`,
    );
  });
  const executablePath = join(folder, 'chromium');
  const args = [...ARGS, '--use-gl=angle', '--use-angle=swiftshader'];
  const plain: Record<string, string> = { ...ENV, FONTCONFIG_PATH: join(folder, 'fonts') };
  for (const env of [plain, { ...plain, LD_LIBRARY_PATH: join(folder, 'al2023/lib') }])
    if (version({ executablePath, env }).status === 0) return { executablePath, args, env };
  throw new Error(
    `No browser to test with: ${executablePath} does not run on this machine (${version({ executablePath, env: plain }).stderr?.trim()}). Set CHROMIUM_PATH to one that does.`,
  );
}
