import { existsSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../tests/temporary-folder.ts';
import { DiskFiles } from './disk-files.ts';

it.skipIf(!existsSync('/proc/self/fd'))(
  'a file is acknowledged when its name is on disk, and those of the folders that are new',
  async () => {
    const folder = temporaryFolder('disk-files');
    mkdirSync(join(folder, 'files'));
    const files = new DiskFiles(folder);
    const handle = await open(folder);
    const made: string[] = [];
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async function (this: {
      fd: number;
    }) {
      made.push(readlinkSync(`/proc/self/fd/${this.fd}`).slice(folder.length));
    });
    try {
      const put = async (version: string) => {
        made.length = 0;
        writeFileSync(join(folder, version), 'a picture');
        await files.put(version, join(folder, version));
        return [...made];
      };
      expect(await put('abc1')).toEqual(['/files/ab', '/files', '']);
      expect(await put('abc2')).toEqual(['/files/ab']);
      // Another process has made this folder, and perhaps ended at once.
      mkdirSync(join(folder, 'files/cd'));
      expect(await put('cde1')).toEqual(['/files/cd', '/files', '']);
    } finally {
      sync.mockRestore();
      await handle.close();
    }
  },
);
