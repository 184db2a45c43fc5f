import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

export interface Secrets {
  /** Signs the anonymous and service keys (HS256), and user tokens too when an operator configured it. */
  jwtSecret: string;
  databasePassword: string;
  /** Private ES256 keys, newest first: the first signs user tokens, all verify. */
  signingKeys: JWK[];
}

/**
 * Reads `<dataDir>/secrets.json`, making it on the first start.
 *
 * @param configured JWT_SECRET of the environment, which wins over the generated one
 */
export async function readSecrets(dataDir: string, configured: string | undefined): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const kid = randomBytes(8).toString('hex');
    const made: Secrets = {
      jwtSecret: randomBytes(48).toString('base64url'),
      databasePassword: randomBytes(24).toString('base64url'),
      signingKeys: [{ ...(await exportJWK(privateKey)), kid, alg: 'ES256' }],
    };
    writeFileSync(`${file}.new`, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  const secrets: Secrets = JSON.parse(readFileSync(file, 'utf8'));
  return configured ? { ...secrets, jwtSecret: configured } : secrets;
}
