import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type S3Store, startS3Store } from '../../tests/s3-store.ts';
import { temporaryFolder } from '../../tests/temporary-folder.ts';
import { readConfig } from '../config.ts';
import { ConfigError } from '../config-project.ts';
import { checkPlace } from './place.ts';

const project = resolve(import.meta.dirname, '../..');

let store: S3Store;
let dataDir: string;
beforeEach(async () => {
  store = await startS3Store();
  dataDir = temporaryFolder('place');
});
afterEach(() => store.stop());

const check = (changes: Record<string, string> = {}, folder = dataDir) =>
  checkPlace(readConfig(project, { DATA_DIR: folder, ...store.settings, ...changes }));

/** The sentence of a refusal, after which nothing is in the data folder or in the bucket that was not there. */
async function refusal(changes: Record<string, string> = {}): Promise<string> {
  const before = [readdirSync(dataDir), [...store.objects.keys()]];
  const error = await check(changes).catch((problem: unknown) => problem);
  expect([readdirSync(dataDir), [...store.objects.keys()]]).toEqual(before);
  if (!(error instanceof ConfigError)) throw error;
  expect(error.message).not.toContain('\n');
  return error.message.replaceAll(store.settings.S3_ENDPOINT ?? '', 'the store');
}

it('says in a sentence what is wrong with a bucket, and changes nothing', async () => {
  expect(await refusal({ S3_ACCESS_KEY_ID: 'unknown' })).toBe(
    'the store does not know the key of S3_ACCESS_KEY_ID.',
  );
  expect(await refusal({ S3_SECRET_ACCESS_KEY: 'wrong' })).toBe(
    'S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID at the store.',
  );
  expect(await refusal({ S3_BUCKET: 'another' })).toBe(
    'There is no bucket another at the store; make one, or name one that is there.',
  );
  expect(await refusal({ S3_ENDPOINT: 'http://127.0.0.1:1' })).toBe(
    'S3_ENDPOINT http://127.0.0.1:1 does not answer: ECONNREFUSED.',
  );
  store.fault = ({ method }) => (method === 'PUT' ? 'read-only' : undefined);
  expect(await refusal()).toBe(
    'The key of S3_ACCESS_KEY_ID may not write in the bucket files-of-a-test; it has to read, write, list and remove.',
  );
  store.fault = ({ method }) => (method === 'PUT' ? 'full' : undefined);
  expect(await refusal()).toBe('The bucket files-of-a-test at the store is full.');
  store.fault = () => undefined;
  store.isPublic = true;
  expect(await refusal()).toBe(
    'The bucket files-of-a-test at the store lets anyone read; make it private, since the site decides who reads which file.',
  );
  store.isPublic = false;
  for (const [hours, side] of [
    [1, 'behind'],
    [-1, 'ahead of'],
  ] as const) {
    store.clock = hours * 3_600_000;
    expect(await refusal()).toBe(
      `The clock of this machine is 60 minutes ${side} that of the store of files; set the clock.`,
    );
  }
});

it('names settings of the wrong kind, and those that are missing', () => {
  const faults = (settings: Record<string, string>) => {
    try {
      readConfig(project, settings);
    } catch (error) {
      if (error instanceof ConfigError) return error.message.split('\n').map((line) => line.split(' ')[0]);
    }
    return [];
  };
  expect(
    faults({ ...store.settings, S3_ENDPOINT: 'store', S3_BUCKET: 'No Bucket', S3_PREFIX: '../up' }),
  ).toEqual(['S3_ENDPOINT', 'S3_BUCKET', 'S3_PREFIX']);
  expect(faults({ S3_BUCKET: 'files' })).toEqual(['S3_BUCKET']);
  expect(faults({ ...store.settings, S3_BUCKET: '' })).toEqual(['S3_BUCKET']);
});

it('takes an empty bucket for a new site, and no other site’s', async () => {
  await check();
  await check();
  const another = temporaryFolder('place');
  await expect(check({}, another)).rejects.toThrow('has files of another site; set S3_PREFIX');
  await check({ S3_PREFIX: 'sites/another' }, another);
  expect([...store.objects.keys()]).toEqual(['site.json', 'sites/another/site.json']);
});

it('starts no site whose files are elsewhere', async () => {
  mkdirSync(join(dataDir, 'files/ab'), { recursive: true });
  writeFileSync(join(dataDir, 'files/ab/abc'), '');
  expect(await refusal()).toMatch(/^The files of this site are on its disk; .* "move-files s3"/);
  rmSync(join(dataDir, 'files/ab'), { recursive: true });
  await check();
  expect(await refusal({ S3_PREFIX: 'elsewhere' })).toMatch(
    /^The files of this site are in the bucket files-of-a-test; /,
  );
  await expect(checkPlace(readConfig(project, { DATA_DIR: dataDir }))).rejects.toThrow('"move-files disk"');
});
