import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { startTestBackend, withAuth } from '../../../backend.ts';
import { ownBackend } from '../../own-backend.ts';
import { visitor } from '../fixtures.ts';

const { backend } = await ownBackend(
  {},
  withAuth({
    web3: { ethereum: { enabled: true }, solana: { enabled: true } },
    additional_redirect_urls: ['https://app.example.org/wallet'],
  }),
);

/** An Ethereum wallet, as browsers provide it. */
function ethereumWallet() {
  const key = secp256k1.utils.randomSecretKey();
  const hash = keccak_256(secp256k1.getPublicKey(key, false).subarray(1));
  const address = `0x${Buffer.from(hash.subarray(-20)).toString('hex')}`;
  const signText = (text: string): `0x${string}` => {
    const message = Buffer.from(text);
    const digest = keccak_256(
      Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message]),
    );
    const bytes = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' });
    return `0x${Buffer.from([...bytes.subarray(1), (bytes[0] ?? 0) + 27]).toString('hex')}`;
  };
  return { address, signText };
}

/** A Solana wallet: the address is the key. */
function solanaWallet() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const address = base58.encode(rawKey(publicKey));
  return { address, signText: (text: string) => new Uint8Array(sign(null, Buffer.from(text), privateKey)) };
}

const rawKey = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');

interface Parts {
  header?: string;
  address?: string;
  statement?: string;
  fields?: Record<string, string | undefined>;
  more?: string[];
}

let counter = 10_000_000;

/** A message for this site, with a test's changes. */
function message(chain: 'Ethereum' | 'Solana', address: string, parts: Parts = {}): string {
  const fields = {
    URI: `${backend.url}/auth`,
    Version: '1',
    'Chain ID': chain === 'Ethereum' ? '1' : 'mainnet',
    Nonce: String(counter++),
    'Issued At': new Date().toISOString(),
    ...parts.fields,
  };
  return [
    parts.header ?? `${new URL(backend.url).host} wants you to sign in with your ${chain} account:`,
    parts.address ?? address,
    '',
    parts.statement ?? 'I want in.',
    '',
    ...Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])),
    ...(parts.more ?? []),
  ].join('\n');
}

const byEthereum = (text: string, signature: `0x${string}`) =>
  visitor(backend).auth.signInWithWeb3({ chain: 'ethereum', message: text, signature });
const bySolana = (text: string, signature: Uint8Array) =>
  visitor(backend).auth.signInWithWeb3({ chain: 'solana', message: text, signature });

describe('ethereum', () => {
  test('the client signs in with a wallet', async () => {
    const { address, signText } = ethereumWallet();
    const answers: Record<string, (params: unknown) => unknown> = {
      eth_requestAccounts: () => [address],
      eth_chainId: () => '0x1',
      personal_sign: (params) => {
        const [hex] = Array.isArray(params) ? params : [];
        return signText(Buffer.from(String(hex).slice(2), 'hex').toString());
      },
    };
    const wallet = {
      address,
      on: () => undefined,
      removeListener: () => undefined,
      request: async ({ method, params }: { method: string; params?: unknown }) => answers[method]?.(params),
    };
    const client = visitor(backend);
    for (const statement of ['I want in.', undefined]) {
      const { data, error } = await client.auth.signInWithWeb3({
        chain: 'ethereum',
        wallet,
        ...(statement && { statement }),
        options: { url: `${backend.url}/`, signInWithEthereum: { resources: ['https://example.org/terms'] } },
      });
      expect(error).toBeNull();
      expect(data.user).toMatchObject({
        email: '',
        app_metadata: { provider: 'web3', providers: ['web3'] },
        user_metadata: {
          sub: `web3:ethereum:${address}`,
          custom_claims: { address, chain: 'ethereum', network: '1', domain: new URL(backend.url).host },
        },
        identities: [{ id: `web3:ethereum:${address}`, provider: 'web3' }],
      });
    }
    const { data } = await client.auth.getClaims();
    expect(data?.claims.amr).toMatchObject([{ method: 'web3' }]);
  });

  test('however the address is written, it is one account', async () => {
    const { address, signText } = ethereumWallet();
    const ids = [];
    for (const written of [address, `0x${address.slice(2).toUpperCase()}`]) {
      const text = message('Ethereum', written);
      ids.push((await byEthereum(text, signText(text))).data.user?.id);
    }
    expect(ids[0]).toBeTruthy();
    expect(ids[1]).toBe(ids[0]);
  });

  test('a message is accepted once, also when it comes many times at once', async () => {
    const { address, signText } = ethereumWallet();
    const text = message('Ethereum', address);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => byEthereum(text, signText(text))));
    expect(outcomes.filter(({ error }) => !error)).toHaveLength(1);
    const [refused] = outcomes.flatMap(({ error }) => error ?? []);
    expect(refused).toMatchObject({ status: 400, message: 'Signed Ethereum message has already been used' });
  });

  test('for an address in the operator’s list', async () => {
    const { address, signText } = ethereumWallet();
    const text = message('Ethereum', address, {
      header: 'https://app.example.org wants you to sign in with your Ethereum account:',
      fields: { URI: 'https://app.example.org/wallet' },
    });
    expect((await byEthereum(text, signText(text))).error).toBeNull();
  });
});

describe('solana', () => {
  test('the client signs in with a wallet', async () => {
    const { address, signText } = solanaWallet();
    const wallet = {
      publicKey: { toBase58: () => address },
      signMessage: async (text: Uint8Array) => signText(new TextDecoder().decode(text)),
    };
    for (const statement of ['I want in.', undefined]) {
      const { data, error } = await visitor(backend).auth.signInWithWeb3({
        chain: 'solana',
        wallet,
        ...(statement && { statement }),
        options: { url: `${backend.url}/`, signInWithSolana: { resources: ['https://example.org/terms'] } },
      });
      expect(error).toBeNull();
      expect(data.user?.identities).toMatchObject([{ id: `web3:solana:${address}`, provider: 'web3' }]);
    }
  });

  test('is refused what another key signed, or the same a second time', async () => {
    const [mine, theirs] = [solanaWallet(), solanaWallet()];
    const text = message('Solana', mine.address);
    expect((await bySolana(text, theirs.signText(text))).error?.message).toBe(
      'Signature does not match address in message',
    );
    expect((await bySolana(text, mine.signText(text))).error).toBeNull();
    expect((await bySolana(text, mine.signText(text))).error?.message).toBe(
      'Signed Solana message has already been used',
    );
  });

  test('is refused a key that everyone can sign for', async () => {
    // The neutral element of the curve: with it, this signature fits every message.
    const neutral = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0));
    const text = message('Solana', base58.encode(neutral));
    const { error } = await bySolana(
      text,
      Uint8Array.from({ length: 64 }, (_, index) => (index === 0 ? 1 : 0)),
    );
    expect(error?.message).toBe('Signature does not match address in message');
  });
});

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('refused', () => {
  test.each<[string, Parts, string]>([
    [
      'another site',
      { header: 'evil.example.com wants you to sign in with your Ethereum account:' },
      'Domain',
    ],
    ['another address', { fields: { URI: 'https://evil.example.com/' } }, 'not allowed on this server'],
    ['no TLS', { fields: { URI: 'http://app.example.org/wallet' } }, 'does not use HTTPS'],
    ['no address', { fields: { URI: undefined } }, 'URI is missing or not valid'],
    ['another version', { fields: { Version: '2' } }, 'version is not supported, expected: 1 got: 2'],
    ['too old', { fields: { 'Issued At': ago(11) } }, 'issued too long ago'],
    ['too new', { fields: { 'Issued At': ago(-5) } }, 'issued too far in the future'],
    ['no time', { fields: { 'Issued At': undefined } }, 'Issued At is not specified'],
    ['a vague time', { fields: { 'Issued At': 'yesterday' } }, 'Issued At is not a valid time'],
    ['expired', { fields: { 'Expiration Time': ago(1) } }, 'is expired'],
    ['not yet', { fields: { 'Not Before': ago(-60) } }, 'becomes valid in the future'],
    ['a short nonce', { fields: { Nonce: '1234567' } }, 'Nonce must be at least 8'],
    ['another kind of chain', { fields: { 'Chain ID': 'mainnet' } }, 'Chain ID is missing or not valid'],
    ['no chain', { fields: { 'Chain ID': undefined } }, 'Chain ID is missing or not valid'],
    ['a field twice', { more: ['URI: https://evil.example.com/'] }, 'a line that cannot be read'],
    ['an unknown field', { more: ['Colour: red'] }, 'a line that cannot be read'],
    ['a resource that is none', { more: ['Resources:', '- here'] }, 'Resources hold'],
    ['two statements', { statement: 'One\n\nTwo' }, 'a line that cannot be read'],
    ['a carriage return', { statement: 'One\rTwo' }, 'control characters'],
    [
      'another chain’s words',
      { header: 'a.org wants you to sign in with your Solana account:' },
      'first line',
    ],
  ])('%s', async (_what, parts, expected) => {
    const { address, signText } = ethereumWallet();
    const text = message('Ethereum', address, parts);
    const { data, error } = await byEthereum(text, signText(text));
    expect(error?.status).toBe(400);
    expect(error?.message).toContain(expected);
    expect(data.session).toBeNull();
  });

  test('another wallet’s signature, a changed message, no signature', async () => {
    const [mine, theirs] = [ethereumWallet(), ethereumWallet()];
    const text = message('Ethereum', mine.address);
    const mismatch = 'Signature does not match address in message';
    expect((await byEthereum(text, theirs.signText(text))).error?.message).toBe(mismatch);
    const changed = text.replace('I want in.', 'I want out');
    expect((await byEthereum(changed, mine.signText(text))).error?.message).toBe(mismatch);
    expect((await byEthereum(text, `0x${'00'.repeat(65)}`)).error?.message).toBe(mismatch);
    expect((await byEthereum(text, `0x${'ff'.repeat(65)}`)).error?.message).toBe(mismatch);
    expect((await byEthereum(text, '0x00')).error?.message).toContain('signature must be 65 bytes long');
    expect((await byEthereum(text, mine.signText(text))).error).toBeNull();
  });

  test('chains that are not open', async () => {
    const half = await startTestBackend(
      {},
      withAuth({ web3: { ethereum: { enabled: false }, solana: { enabled: true } } }),
    );
    try {
      const signInOn = async (chain: unknown) => {
        const response = await fetch(`${half.url}/auth/v1/token?grant_type=web3`, {
          method: 'POST',
          body: JSON.stringify({ chain, message: 'x'.repeat(70), signature: '0x' }),
        });
        const { error_code, msg } = await response.json();
        return [response.status, error_code, msg];
      };
      expect(await signInOn('ethereum')).toEqual([
        422,
        'web3_provider_disabled',
        'Ethereum Web3 provider is disabled',
      ]);
      expect(await signInOn('dogecoin')).toEqual([400, 'web3_unsupported_chain', 'Unsupported chain']);
      expect((await signInOn('solana'))[1]).toBe('validation_failed');
    } finally {
      await half.stop();
    }
  });
});
