import type { Keys } from '../jwt.ts';
import { InvalidToken } from '../jwt.ts';
import { invalidBody, invalidSignature } from './errors.ts';

interface Grant {
  /** `bucket/name`, the only thing the token opens. */
  url: string;
  use: 'read' | 'upload';
  upsert?: boolean;
  sub?: string | undefined;
}

const LONGEST_SECONDS = 31_536_000;

export async function signGrant(keys: Keys, grant: Grant, seconds: unknown): Promise<string> {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0 || seconds > LONGEST_SECONDS) {
    throw invalidBody('expiresIn must be a number of seconds from 1 to 31536000');
  }
  const now = Math.floor(Date.now() / 1000);
  return keys.signInternal({ ...grant, iat: now, exp: now + Math.ceil(seconds) });
}

/** @throws StorageError when the token does not open exactly this for exactly this use */
export async function checkGrant(
  keys: Keys,
  token: string | null,
  url: string,
  use: Grant['use'],
): Promise<{ upsert: boolean; sub: string | undefined }> {
  if (!token) throw invalidSignature("querystring must have required property 'token'");
  try {
    const claims = await keys.verify(token);
    if (claims.url !== url || claims.use !== use)
      throw invalidSignature('The token was made for something else');
    return { upsert: claims.upsert === true, sub: claims.sub };
  } catch (error) {
    if (error instanceof InvalidToken) throw invalidSignature(error.message);
    throw error;
  }
}

/** The path a client puts behind the service's address. */
export const encodePath = (bucket: string, name: string) =>
  [bucket, ...name.split('/')].map(encodeURIComponent).join('/');
