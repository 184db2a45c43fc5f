import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect } from 'vitest';

/** A folder with the project's own settings, but for this part of `config.toml`; it is removed after the file. */
export function settingsWith(part: string, changed: string): string {
  const workdir = mkdtempSync(join(tmpdir(), 'limb-commons-settings-'));
  mkdirSync(join(workdir, 'supabase'));
  for (const name of readdirSync('supabase'))
    if (name !== 'config.toml') symlinkSync(resolve('supabase', name), join(workdir, 'supabase', name));
  const own = readFileSync('supabase/config.toml', 'utf8');
  expect(own).toContain(part);
  writeFileSync(join(workdir, 'supabase/config.toml'), own.replace(part, changed));
  afterAll(() => rmSync(workdir, { recursive: true, force: true }));
  return workdir;
}
