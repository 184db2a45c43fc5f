import { z } from 'zod';
import { service } from '../caller.ts';
import { InvalidToken, type Keys } from '../crypto/tokens.ts';
import type { Caller } from '../database/database.ts';
import { invalidBody, invalidSignature } from './errors.ts';

export interface Grant {
  /** `bucket/name`, the only object the token opens. */
  url: string;
  /** Reading the file, reading a picture made of it, or writing it. */
  use: 'read' | 'render' | 'upload';
  upsert?: boolean;
  /** The owner of the future file. Not `sub`, which would make the token valid as theirs. */
  owner?: string | undefined;
  /** The only picture that the token opens. */
  transformations?: string;
  /** Who asked for an address to read, since each use asks again whether they may read the file; the service otherwise. */
  reader?: Reader | undefined;
}

interface Reader {
  role: string;
  sub?: string | undefined;
  aal?: string | undefined;
}

/**
 * Whose rights an address to read stands for: what policies need, and nothing else of the caller's token, since whoever is
 * given the address can read it. Not as claims of the address's own token, which would make it valid as theirs.
 */
export function readerOf({ role, claims }: Caller): Reader | undefined {
  if (role === service.role) return undefined;
  const { sub, aal } = claims;
  return { role, ...(typeof sub === 'string' && { sub }), ...(typeof aal === 'string' && { aal }) };
}

const readerClaim = z
  .object({ role: z.string(), sub: z.string().optional(), aal: z.string().optional() })
  .transform((claims): Caller => ({ role: claims.role, claims }))
  .optional();

const MAX_SECONDS = 31_536_000;
/**
 * The longest life of an address that any caller but the service key requests: a person who finds it later
 * cannot use it.
 */
const MAX_CLIENT_SECONDS = 600;

/** The permitted life of an address that this caller requests. */
export const secondsFor = ({ role }: Caller, requested: unknown): unknown =>
  role !== 'service_role' && typeof requested === 'number'
    ? Math.min(requested, MAX_CLIENT_SECONDS)
    : requested;

/**
 * Makes the token of a signed address.
 *
 * @param caller who asks for it; it ends with their session, as by a ban
 * @param seconds its life, as the client asks for it
 * @throws StorageError when that is no number of seconds up to a year
 */
export async function signGrant(
  keys: Keys,
  { claims: { session_id } }: Caller,
  grant: Grant,
  seconds: unknown,
): Promise<string> {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0 || seconds > MAX_SECONDS) {
    throw invalidBody('expiresIn must be a number of seconds from 1 to 31536000');
  }
  const now = Math.floor(Date.now() / 1000);
  return keys.signInternal({
    ...grant,
    ...(session_id !== undefined && { session_id }),
    iat: now,
    exp: now + Math.ceil(seconds),
  });
}

/** @throws StorageError when the token is not for this use */
export async function readGrant(
  keys: Keys,
  token: string,
  use: Grant['use'],
): Promise<{
  url: string;
  expires: Date;
  upsert: boolean;
  owner: string | undefined;
  transformations: string;
  reader: Caller;
}> {
  try {
    const { url, upsert, owner, transformations, reader, exp = 0, ...claims } = await keys.verify(token);
    if (typeof url !== 'string' || claims.use !== use)
      throw invalidSignature('The token was made for something else');
    return {
      url,
      expires: new Date(exp * 1000),
      upsert: upsert === true,
      owner: typeof owner === 'string' ? owner : undefined,
      transformations: typeof transformations === 'string' ? transformations : '',
      reader: readerClaim.parse(reader) ?? service,
    };
  } catch (error) {
    if (error instanceof InvalidToken) throw invalidSignature(error.message);
    throw error;
  }
}

/** @throws StorageError when the token does not open exactly this for exactly this use */
export async function checkGrant(keys: Keys, token: string | undefined, url: string, use: Grant['use']) {
  if (!token) throw invalidSignature("querystring must have required property 'token'");
  const grant = await readGrant(keys, token, use);
  if (grant.url !== url) throw invalidSignature('The token was made for something else');
  return grant;
}

/** The path a client puts behind the service's address. */
export const encodePath = (bucket: string, name: string) =>
  [bucket, ...name.split('/')].map(encodeURIComponent).join('/');
