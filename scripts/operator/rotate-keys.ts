import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '#backend/config.ts';
import { revokeSigningKey, rotateSigningKeys } from '#backend/crypto/secrets.ts';
import { usageOf } from '../tasks.mjs';
import { command, Refusal, root } from './command.ts';

/** Longer than clients may cache the published keys, which is ten minutes. */
const LEAD = 900;

await command(async () => {
  const [option, kid] = process.argv.slice(2);
  const usage = option !== undefined && option !== '--now' && !(option === '--revoke' && kid);
  if (usage) throw new Refusal(usageOf('rotate-keys'));
  const config = readConfig(root);
  if (!existsSync(join(config.dataDir, 'secrets.json')))
    throw new Refusal(`There are no keys in ${config.dataDir} yet; the first start makes them.`);
  if (option === '--revoke' && kid) {
    if (!(await revokeSigningKey(config.dataDir, kid))) throw new Refusal(`There is no key ${kid}.`);
    console.log(
      `Key ${kid} is revoked; members with a token signed by it get a new one at the next refresh.`,
    );
  } else {
    const key = await rotateSigningKeys(
      config.dataDir,
      option === '--now' ? 0 : LEAD,
      config.auth.jwt_expiry,
    );
    const when = option === '--now' ? 'now' : `in ${LEAD / 60} minutes`;
    console.log(`Key ${key.kid} is published and signs ${when}. A running site has noticed within a second.`);
  }
});
