import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '#backend/config.ts';
import { revokeSigningKey, rotateSigningKeys } from '#backend/crypto/secrets.ts';
import { commandLine } from '#server/version.mjs';

/** Longer than clients may cache the published keys, which is ten minutes. */
const LEAD = 900;

const [option, kid] = process.argv.slice(2);
const usage = option !== undefined && option !== '--now' && !(option === '--revoke' && kid);
if (usage) {
  console.error(`Usage: ${commandLine('rotate-keys', '[--now | --revoke KEY_ID]')}`);
  process.exit(1);
}
const config = readConfig(resolve(import.meta.dirname, '..'));
if (!existsSync(join(config.dataDir, 'secrets.json'))) {
  console.error(`There are no keys in ${config.dataDir} yet; the first start makes them.`);
  process.exit(1);
}
if (option === '--revoke' && kid) {
  if (!(await revokeSigningKey(config.dataDir, kid))) {
    console.error(`There is no key ${kid}.`);
    process.exit(1);
  }
  console.log(`Key ${kid} is revoked; members with a token signed by it get a new one at the next refresh.`);
} else {
  const key = await rotateSigningKeys(config.dataDir, option === '--now' ? 0 : LEAD, config.auth.jwt_expiry);
  const when = option === '--now' ? 'now' : `in ${LEAD / 60} minutes`;
  console.log(`Key ${key.kid} is published and signs ${when}. A running site has noticed within a second.`);
}
