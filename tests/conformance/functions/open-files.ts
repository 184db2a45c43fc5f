import { readdirSync, readlinkSync } from 'node:fs';

/** The files below a folder that this process has open, with the backend of a test. */
export const openFiles = (folder: string): string[] =>
  readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    })
    .filter((path) => path.startsWith(`${folder}/`));
