import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

// Sandboxing needs privileges a test machine may not give; the only pages visited are our own.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const runs = (path: string, env: NodeJS.ProcessEnv) => spawnSync(path, ['--version'], { env }).status === 0;

/** The machine's Chromium when it has one that runs, else the one npm brought, with its libraries where they are missing. */
export async function launchBrowser(): Promise<Browser> {
  const installed = [process.env.CHROMIUM_PATH ?? '', ...INSTALLED].find(
    (path) => existsSync(path) && runs(path, process.env),
  );
  if (installed) return chromium.launch({ executablePath: installed, args });

  const { default: packaged, inflate } = await import('@sparticuz/chromium');
  const executablePath = await packaged.executablePath();
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? tmpdir(),
    FONTCONFIG_PATH: join(tmpdir(), 'fonts'),
  };
  if (!runs(executablePath, env)) {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    const libraries = await inflate(join(dirname(entry), '../bin/al2023.tar.br'));
    env.LD_LIBRARY_PATH = join(libraries, 'lib');
  }
  return chromium.launch({
    executablePath,
    args: [...args, '--no-zygote', '--use-gl=angle', '--use-angle=swiftshader'],
    env,
  });
}
