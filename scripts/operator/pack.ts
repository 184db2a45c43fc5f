import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fingerprintOf } from '#app/finding/field-pack/format.ts';
import { readConfig } from '#backend/config.ts';
import { readPackKey } from '#backend/crypto/secrets.ts';
import { runningInstance } from '#server/running-instance.mjs';
import { checkFiles, PackProblem, readManifest, sha256 } from '../pack/folder.ts';
import { copyPack, type Made, makePack } from '../pack/make.ts';
import { usageOf } from '../tasks.mjs';
import { command, Refusal, root } from './command.ts';

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;

await command(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' }, from: { type: 'string' } },
  });
  const [named, ...others] = positionals;
  if (!named || others.length > 0 || (values.check && values.from)) throw new Refusal(usageOf('pack'));
  const folder = resolve(named);
  try {
    if (values.check) {
      const manifest = readManifest(folder);
      if (!manifest) throw new PackProblem(`There is no field pack in ${folder}.`);
      checkFiles(folder, manifest);
      say(manifest, `${folder} is whole and as it was signed`);
    } else {
      const made = values.from ? copyPack(folder, resolve(values.from)) : await makeOfSite(folder);
      say(
        made.manifest,
        `${folder} is up to date: ${megabytes(made.size)}, of which ${megabytes(made.written)} were written`,
      );
    }
  } catch (error) {
    throw error instanceof PackProblem ? new Refusal(error.message, { cause: error }) : error;
  }
});

function say({ solutions, madeAt, siteUrl, key }: Made['manifest'], sentence: string): void {
  console.log(`${sentence}. It holds ${solutions} solutions of ${siteUrl} as of ${madeAt}.`);
  console.log(`Key of the site: ${fingerprintOf(sha256(key))}`);
}

async function makeOfSite(folder: string): Promise<Made> {
  const { dataDir, siteUrl } = readConfig(root);
  const instance = runningInstance(dataDir);
  if (!instance) throw new Refusal('The site must be running, since the pack holds what its visitors see.');
  const { apiUrl, anonKey } = instance;
  return makePack(folder, { apiUrl, anonKey, siteUrl }, await readPackKey(dataDir), root);
}
