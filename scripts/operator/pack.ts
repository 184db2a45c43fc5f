import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { JWK } from 'jose';
import { fingerprintOf } from '#app/finding/field-pack/format.ts';
import { readConfig } from '#backend/config.ts';
import { readPackKey } from '#backend/crypto/secrets.ts';
import { isDue } from '#server/backup/schedule.ts';
import type { Api } from '#server/field-pack.ts';
import { runningInstance } from '#server/running-instance.mjs';
import type { Source } from '../pack/contents.ts';
import { checkFiles, PackProblem, readManifest, sha256 } from '../pack/folder.ts';
import { copyPack, type Made, makePack } from '../pack/make.ts';
import { makeOffer } from '../pack/offer.ts';
import { usageOf } from '../tasks.mjs';
import { command, Refusal, root } from './command.ts';

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;

await command(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    // The site itself asks for what is due.
    options: { check: { type: 'boolean' }, from: { type: 'string' }, due: { type: 'boolean' } },
  });
  const [named, ...others] = positionals;
  const isMisused = named ? values.check && values.from : values.check || values.from;
  if (others.length > 0 || isMisused) throw new Refusal(usageOf('pack'));
  try {
    const folder = named && resolve(named);
    if (!folder) {
      const { dataDir, fieldPackEvery, source, key } = await ofSite();
      const isWanted = (madeAt: string | undefined) => !values.due || isDue(madeAt, fieldPackEvery);
      const made = await makeOffer(dataDir, source, key, root, isWanted);
      if (made) sayMade(made, 'The pack that the site offers is up to date');
    } else if (values.check) {
      const manifest = readManifest(folder);
      if (!manifest) throw new PackProblem(`There is no field pack in ${folder}.`);
      checkFiles(folder, manifest);
      say(manifest, `${folder} is whole and as it was signed.`);
    } else if (values.from) sayMade(copyPack(folder, resolve(values.from)), `${folder} is up to date`);
    else {
      const { source, key } = await ofSite();
      sayMade(await makePack(folder, source, key, root), `${folder} is up to date`);
    }
  } catch (error) {
    throw error instanceof PackProblem ? new Refusal(error.message, { cause: error }) : error;
  }
});

function say({ solutions, madeAt, siteUrl, key }: Made['manifest'], sentence: string): void {
  console.log(`${sentence} It holds ${solutions} solutions of ${siteUrl} as of ${madeAt}.`);
  console.log(`Key of the site: ${fingerprintOf(sha256(key))}`);
}

function sayMade({ manifest, size, written }: Made, sentence: string): void {
  say(manifest, `${sentence}: ${megabytes(size)}, of which ${megabytes(written)} were written.`);
}

/** The running site, and the key by which its packs are signed. */
async function ofSite(): Promise<{
  dataDir: string;
  fieldPackEvery: number;
  source: Source & Api;
  key: JWK;
}> {
  const { dataDir, fieldPackEvery, siteUrl, localUrl, supabase } = readConfig(root);
  const instance = runningInstance(dataDir);
  if (!instance) throw new Refusal('The site must be running, since the pack holds what its visitors see.');
  const { anonKey, serviceRoleKey } = instance;
  return {
    dataDir,
    fieldPackEvery,
    // Past any proxy, whose address this machine may not reach.
    source: { apiUrl: supabase?.url ?? localUrl, anonKey, serviceRoleKey, siteUrl, fetch },
    key: await readPackKey(dataDir),
  };
}
