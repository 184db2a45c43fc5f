// @module-tag whole

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

const ours = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder('build');

/** A site of one page, which the build script builds in a few seconds. */
const SITE = {
  'vite.config.ts':
    "import { reactRouter } from '@react-router/dev/vite';\nexport default { plugins: [reactRouter()] };\n",
  'app/routes.ts':
    "import { index } from '@react-router/dev/routes';\nexport default [index('./home.tsx')];\n",
  'app/root.tsx':
    'import { Outlet } from \'react-router\';\nexport default () => <html lang="en"><body><Outlet /></body></html>;\n',
  'app/entry.server.tsx': 'export default () => new Response();\n',
  'app/frame/offline/service-worker.ts': "console.log('kept');\n",
  'app/finding/field-pack/viewer.ts': "import './viewer.css';\nconsole.log('packed');\n",
  'app/finding/field-pack/viewer.css': 'main { margin: 0 }\n',
};

async function build() {
  const child = spawn(process.execPath, ['server/build.ts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { status, stderr: stderr.trim() };
}

beforeAll(() => {
  for (const name of [
    'server/build.ts',
    'react-router.config.ts',
    'vite.service-worker.config.ts',
    'vite.field-pack.config.ts',
    'texts',
    'server/version.mjs',
    'tsconfig.json',
    'package.json',
    'package-lock.json',
  ])
    cpSync(join(ours, name), join(folder, name), { recursive: true });
  symlinkSync(join(ours, 'node_modules'), join(folder, 'node_modules'));
  for (const name of ['app/frame/offline', 'app/finding/field-pack'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const [name, content] of Object.entries(SITE)) writeFileSync(join(folder, name), content);
});

it('a site that is told to stop while it is built hears it, and leaves nothing of the build', async () => {
  writeFileSync(join(folder, 'app/home.tsx'), 'export default () => null;\n');
  const { buildSite }: typeof import('#server/build.ts') = await import(join(folder, 'server/build.ts'));
  const stopping = new AbortController();
  setImmediate(() => stopping.abort());
  await expect(buildSite(() => undefined, stopping.signal)).rejects.toThrow('aborted');
  expect(readdirSync(folder).filter((name) => name.startsWith('build'))).toEqual([]);
});

it('starts at the same time in one clone, new or changed, leave one whole build behind', async () => {
  for (const greeting of ['Never built before', 'Built before, and changed since']) {
    writeFileSync(join(folder, 'app/home.tsx'), `export default () => <h1>${greeting}</h1>;\n`);
    const built = { status: 0, stderr: 'Building the site …' };
    expect(await Promise.all([build(), build()])).toEqual([built, built]);
    expect(readdirSync(folder).filter((name) => name.startsWith('build'))).toEqual(['build']);
    expect(readFileSync(join(folder, 'build/server/index.js'), 'utf8')).toContain(greeting);
    expect(readFileSync(join(folder, 'build/client/service-worker.js'), 'utf8')).toContain('kept');
    expect(readFileSync(join(folder, 'build/client/field-pack/viewer.js'), 'utf8')).toContain('packed');
    expect(existsSync(join(folder, 'build/client/field-pack/viewer.css'))).toBe(true);
    expect(readdirSync(join(folder, 'build/client/assets'))).toContainEqual(
      expect.stringMatching(/\.js\.br$/),
    );
  }
  expect(await build()).toEqual({ status: 0, stderr: '' });
});
