import { createHmac } from 'node:crypto';
import {
  createRemoteJWKSet,
  errors,
  importJWK,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { Config } from '../config.ts';
import { createEncryption, type Encryption } from './encryption.ts';
import type { Secrets, SigningKey } from './secrets.ts';

/**
 * A token that must not be accepted. `reason` is the text that the protocol's error bodies give the client.
 */
export class InvalidToken extends Error {
  readonly reason: 'malformed' | 'signature' | 'expired' | 'claims';

  constructor(reason: InvalidToken['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The capabilities of a service that only reads tokens. */
export interface Verifier {
  anonKey: string;
  serviceRoleKey: string;
  /** @throws InvalidToken */
  verify(token: string): Promise<JWTPayload>;
}

export interface Keys extends Verifier, Encryption {
  /** Signs a user's access token; `exp` and `iat` are the caller's to set, in seconds. */
  sign(claims: JWTPayload): Promise<string>;
  /** Signs with the shared secret a token that only this backend reads (signed URLs and the like). */
  signInternal(claims: JWTPayload): Promise<string>;
  /**
   * SHA-224 under the shared secret, in hex: without the secret the value cannot be computed, not even from
   * few possible texts.
   */
  digest(text: string): string;
  /** Public keys as `/.well-known/jwks.json` lists them; shared secrets are never listed. */
  jwks(): { keys: JWK[] };
  /** Uses other signing keys from now on, when an operator has rotated or revoked some. */
  replaceSigningKeys(keys: SigningKey[]): Promise<void>;
}

const MAX_CACHED_TOKENS = 5000;

/** RFC 7519 tokens under the project's keys: HS256 for the API keys, ES256 for people unless JWT_SECRET is configured. */
export async function createKeys(config: Config, secrets: Secrets): Promise<Keys> {
  const secret = new TextEncoder().encode(secrets.jwtSecret);
  let imported = await importKeys(secrets.signingKeys);
  const now = () => Date.now() / 1000;
  const validKeys = () => imported.filter((key) => key.verifiesUntil > now());
  /** Tokens whose signature has been verified, oldest first: a client sends the same one repeatedly. */
  const verifiedTokens = new Map<string, { payload: JWTPayload; until: number }>();

  const signInternal = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(secret);
  // A fixed issue time, so that the keys are the same at every start and can be copied into a configuration.
  const apiKey = (role: string) =>
    signInternal({ iss: 'supabase', role, iat: 1_735_689_600, exp: 2_524_608_000 });

  return {
    anonKey: await apiKey('anon'),
    serviceRoleKey: await apiKey('service_role'),
    sign: config.jwtSecret
      ? signInternal
      : async (claims) => {
          const current = validKeys().find((key) => key.signsFrom <= now());
          if (!current) throw new Error('secrets.json holds no signing key whose time has come');
          const header = { alg: 'ES256', typ: 'JWT', kid: current.kid };
          return new SignJWT(claims).setProtectedHeader(header).sign(current.signing);
        },
    signInternal,
    digest: (text) => createHmac('sha224', secret).update(text).digest('hex'),
    async verify(token) {
      const cached = verifiedTokens.get(token);
      if (cached && cached.until > now()) return cached.payload;
      verifiedTokens.delete(token);
      let until = Number.POSITIVE_INFINITY;
      const payload = await checked(token, (header) => {
        if (header.alg === 'HS256') return secret;
        const key = validKeys().find((candidate) => candidate.kid === header.kid);
        if (!key) throw new errors.JWSSignatureVerificationFailed();
        until = key.verifiesUntil;
        return key.verifying;
      });
      until = Math.min(until, payload.exp ?? until);
      for (const [oldest] of verifiedTokens) {
        if (verifiedTokens.size < MAX_CACHED_TOKENS) break;
        verifiedTokens.delete(oldest);
      }
      verifiedTokens.set(token, { payload: Object.freeze(payload), until });
      return payload;
    },
    ...createEncryption(secrets.encryptionKey),
    jwks: () => ({ keys: validKeys().map((key) => key.jwk) }),
    async replaceSigningKeys(keys) {
      imported = await importKeys(keys);
      verifiedTokens.clear();
    },
  };
}

function importKeys(keys: SigningKey[]) {
  return Promise.all(
    keys.map(async ({ kid, signsFrom, verifiesUntil, d, ...open }) => ({
      kid,
      signsFrom: signsFrom ?? 0,
      verifiesUntil: verifiesUntil ?? Number.POSITIVE_INFINITY,
      signing: await importJWK({ ...open, ...(d && { d }) }, 'ES256'),
      verifying: await importJWK(open, 'ES256'),
      jwk: { ...open, kid, use: 'sig', key_ops: ['verify'] } satisfies JWK,
    })),
  );
}

/** Reads the tokens of a Supabase project, which signs them itself and publishes its keys. */
export function createRemoteVerifier(
  project: NonNullable<Config['supabase']>,
  jwtSecret: string | undefined,
): Verifier {
  const published = createRemoteJWKSet(new URL('/auth/v1/.well-known/jwks.json', project.url));
  const secret = jwtSecret ? new TextEncoder().encode(jwtSecret) : undefined;
  return {
    anonKey: project.anonKey,
    serviceRoleKey: project.serviceRoleKey,
    verify: (token) =>
      checked(token, (header, input) => {
        if (header.alg !== 'HS256') return published(header, input);
        // A project with a shared secret publishes none, so it must have been configured.
        if (!secret) throw new errors.JWSSignatureVerificationFailed();
        return secret;
      }),
  };
}

async function checked(token: string, keyFor: JWTVerifyGetKey): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keyFor, { algorithms: ['HS256', 'ES256', 'RS256'] })).payload;
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw new InvalidToken('expired', cause.message, { cause });
    if (cause instanceof errors.JWTClaimValidationFailed)
      throw new InvalidToken('claims', cause.message, { cause });
    if (cause instanceof errors.JWSSignatureVerificationFailed || cause instanceof errors.JWKSNoMatchingKey)
      throw new InvalidToken('signature', cause.message, { cause });
    if (cause instanceof errors.JOSEError) throw new InvalidToken('malformed', cause.message, { cause });
    throw cause;
  }
}
