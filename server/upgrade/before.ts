import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '#backend/files/replace-file.mjs';

/** The release that ran before the present one. */
export interface Before {
  root: string;
  version: string;
  /** The moment from which it wrote nothing more. */
  at: string;
  /** The moment of which `copyIn` is, where there was one. */
  copyOf?: string;
}

/** The folder of installed releases, beside the data. */
export const releasesIn = (home: string) => join(home, 'releases');
/** A backup made when the release before was replaced: all that it can go back to without a continuous archive. */
export const copyIn = (home: string) => join(releasesIn(home), 'before.tar');
const fileIn = (home: string) => join(releasesIn(home), 'before.json');

/** What ran here before, as it was noted when it was replaced. */
export const releaseBefore = (home: string): Before | undefined =>
  existsSync(fileIn(home)) ? JSON.parse(readFileSync(fileIn(home), 'utf8')) : undefined;

/** Notes what runs until now, so that the site can go back to it; without a note it cannot. */
export function noteBefore(home: string, before: Before | undefined): void {
  if (!before) {
    rmSync(fileIn(home), { force: true });
    return;
  }
  mkdirSync(releasesIn(home), { recursive: true });
  replaceFileSync(fileIn(home), JSON.stringify(before), 0o666);
}

/** Notes the moment at which a release has stopped its database to hand over: no other process knows it as exactly. */
export function noteHandOver(home: string, version: string): void {
  const before = releaseBefore(home);
  if (before?.version === version) noteBefore(home, { ...before, at: new Date().toISOString() });
}
