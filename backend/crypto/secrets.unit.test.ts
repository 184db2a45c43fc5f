import { expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/temporary-folder.ts';
import { readPackKey, readSecrets, revokeSigningKey, rotateSigningKeys } from './secrets.ts';

const keysIn = async (dataDir: string) =>
  (await readSecrets(dataDir, undefined)).signingKeys.map(({ kid }) => kid);

it('two starts of a new site at the same time have the same keys', async () => {
  const dataDir = temporaryFolder('secrets');
  const [one, other] = await Promise.all([readSecrets(dataDir, undefined), readSecrets(dataDir, undefined)]);
  expect(one).toEqual(other);
});

it('a key that is revoked stays so, and one that is made is there, whatever other commands do at that moment', async () => {
  const dataDir = temporaryFolder('secrets');
  const [old = ''] = await keysIn(dataDir);
  const [one, other, packKey] = await Promise.all([
    rotateSigningKeys(dataDir, 0, 60),
    rotateSigningKeys(dataDir, 0, 60),
    readPackKey(dataDir),
    revokeSigningKey(dataDir, old),
  ]);
  expect((await keysIn(dataDir)).sort()).toEqual([one.kid, other.kid].sort());
  expect(await readPackKey(dataDir)).toEqual(packKey);
});
