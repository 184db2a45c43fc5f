import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';

/**
 * A folder with the project's own settings, but for this part of `config.toml`, and one of `embedded.toml` where it is
 * given; it is removed after the file.
 */
export function settingsWith(
  part: string,
  changed: string,
  embedded?: [part: string, changed: string],
): string {
  const workdir = temporaryFolder('settings');
  mkdirSync(join(workdir, 'supabase'));
  const changes: Record<string, [string, string]> = {
    'config.toml': [part, changed],
    ...(embedded && { 'embedded.toml': embedded }),
  };
  for (const name of readdirSync('supabase'))
    if (!(name in changes)) symlinkSync(resolve('supabase', name), join(workdir, 'supabase', name));
  for (const [name, [before, after]] of Object.entries(changes)) {
    const own = readFileSync(join('supabase', name), 'utf8');
    expect(own).toContain(before);
    writeFileSync(join(workdir, 'supabase', name), own.replace(before, after));
  }
  return workdir;
}
