import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { ConfigError } from '../config-project.ts';
import { replaceFileSync } from '../files/replace-file.mjs';

/** A private ES256 key and its times; both bounds are in seconds since 1970. */
export interface SigningKey extends JWK {
  kid: string;
  /**
   * Until then it is only published, so that clients that cache the published keys know it before it is used.
   */
  signsFrom?: number;
  /** From then on its tokens are refused. */
  verifiesUntil?: number;
}

export interface Secrets {
  /** Signs the anonymous and service keys (HS256), and user tokens too when an operator configured it. */
  jwtSecret: string;
  databasePassword: string;
  /** Base64url of 32 bytes: the second factors in the database are encrypted with it. */
  encryptionKey: string;
  /** Newest first: the first whose time has come signs user tokens, all verify. */
  signingKeys: SigningKey[];
  /** A private Ed25519 key as a JWK, by which field packs are signed; made with the first of them. */
  packKey?: JWK;
}

const fileIn = (dataDir: string) => join(dataDir, 'secrets.json');

/** Whether the data folder has been that of a site, whose keys new ones cannot replace. */
const isUsed = (dataDir: string) =>
  ['postgres', 'files.json'].some((name) => lstatSync(join(dataDir, name), { throwIfNoEntry: false })) ||
  (existsSync(join(dataDir, 'files')) && readdirSync(join(dataDir, 'files')).length > 0);

/** Whether the next start makes the keys, as a new site has none. @throws ConfigError when they are lost */
export function needsSecrets(dataDir: string): boolean {
  if (existsSync(fileIn(dataDir))) return false;
  if (isUsed(dataDir))
    throw new ConfigError(
      `The data folder ${dataDir} has no secrets.json, and the site that it holds opens its database, sessions and second factors with those keys alone. Put the file back: copy secrets.json, and with a bucket files.json, from its data folder if that was moved, or take it from a copy of the folder or from a backup (“tar xf BACKUP secrets.json”); a backup with a key is restored into a new folder.`,
    );
  return true;
}

/** Takes back the keys of a site that was not made. */
export const removeSecrets = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true });

/**
 * Reads `<dataDir>/secrets.json`, making it on the first start.
 *
 * @param configured JWT_SECRET of the environment, which wins over the generated one
 * @throws ConfigError when it is lost
 */
export async function readSecrets(dataDir: string, configured: string | undefined): Promise<Secrets> {
  if (needsSecrets(dataDir)) {
    const key = await makeKey();
    // Another process may have begun the same site in the meantime.
    if (needsSecrets(dataDir))
      write(dataDir, {
        jwtSecret: randomBytes(48).toString('base64url'),
        databasePassword: randomBytes(24).toString('base64url'),
        encryptionKey: randomBytes(32).toString('base64url'),
        signingKeys: [key],
      });
  }
  let secrets = read(dataDir);
  if (!secrets.encryptionKey) {
    secrets = { ...secrets, encryptionKey: randomBytes(32).toString('base64url') };
    write(dataDir, secrets);
  }
  return configured ? { ...secrets, jwtSecret: configured } : secrets;
}

/**
 * Adds a key that is published now and signs after `lead` seconds. The earlier keys stay valid until the last
 * token they signed has expired, and are removed by a later rotation.
 *
 * @param tokenLife seconds a user's token lives
 */
export async function rotateSigningKeys(
  dataDir: string,
  lead: number,
  tokenLife: number,
): Promise<SigningKey> {
  const made = await makeKey();
  const secrets = read(dataDir);
  const now = Math.floor(Date.now() / 1000);
  const key = { ...made, signsFrom: now + lead };
  const older = secrets.signingKeys
    .filter(({ verifiesUntil }) => (verifiesUntil ?? now) >= now)
    .map((each) => ({ ...each, verifiesUntil: each.verifiesUntil ?? key.signsFrom + tokenLife }));
  write(dataDir, { ...secrets, signingKeys: [key, ...older] });
  return key;
}

/**
 * Refuses the tokens of a key from now on. Another one signs at once, a new one if there is none.
 *
 * @returns whether the key existed
 */
export async function revokeSigningKey(dataDir: string, kid: string): Promise<boolean> {
  const spare = await makeKey();
  const secrets = read(dataDir);
  const remaining = secrets.signingKeys.filter((key) => key.kid !== kid);
  if (remaining.length === secrets.signingKeys.length) return false;
  const [newest, ...others] = remaining.some((key) => key.verifiesUntil === undefined)
    ? remaining
    : [spare, ...remaining];
  if (!newest) throw new Error('no key would be left');
  const now = Math.floor(Date.now() / 1000);
  const signing = { ...newest, signsFrom: Math.min(newest.signsFrom ?? now, now) };
  write(dataDir, { ...secrets, signingKeys: [signing, ...others] });
  return true;
}

/** The private key by which the site signs its field packs, which the first call makes. */
export async function readPackKey(dataDir: string): Promise<JWK> {
  const { packKey } = read(dataDir);
  if (packKey) return packKey;
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const made = await exportJWK(privateKey);
  // Another command may have written it, or other keys, in the meantime.
  const secrets = read(dataDir);
  if (!secrets.packKey) write(dataDir, { ...secrets, packKey: made });
  return secrets.packKey ?? made;
}

/** Delivers the keys whenever an operator has rotated or revoked some; returns a function that stops this. */
export function watchSigningKeys(
  dataDir: string,
  use: (keys: SigningKey[]) => Promise<void>,
  failed: (error: unknown) => void,
): () => void {
  const deliver = () => {
    const used = async () => use(read(dataDir).signingKeys);
    used().catch(failed);
  };
  watchFile(fileIn(dataDir), { interval: 1000, persistent: false }, deliver);
  return () => unwatchFile(fileIn(dataDir), deliver);
}

async function makeKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString('hex'), alg: 'ES256' };
}

function read(dataDir: string): Secrets {
  return JSON.parse(readFileSync(fileIn(dataDir), 'utf8'));
}

/** Its caller has read them with no wait in between, in which another command could have changed them. */
function write(dataDir: string, secrets: Secrets): void {
  replaceFileSync(fileIn(dataDir), `${JSON.stringify(secrets, null, 2)}\n`);
}
