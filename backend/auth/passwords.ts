import { createHash } from 'node:crypto';
import { compare, hash } from '@node-rs/bcrypt';
import { dictionary } from '@zxcvbn-ts/language-common';
import { AuthError } from './errors.ts';

const MAX_PASSWORD_BYTES = 200;
/** Most frequent first. */
const COMMON = new Set(dictionary['passwords-common'].slice(0, 10_000));

/** Stands in for the hash of an account that does not exist, so that the comparison takes as long. */
const DECOY_HASH = '$2b$10$.lOj9jtXqo34IQjnM1sNHeQCkWRJGjqWpSGPg79wbxFAmqxvOa2Gy';

/**
 * bcrypt reads 72 bytes and silently drops the rest. Only longer passwords are shortened to a digest first,
 * so that every ordinary password keeps a plain bcrypt hash that Supabase's own service can verify after a
 * move; that service refuses longer ones anyway, so the few people who have one set a new password there.
 */
function truncateForBcrypt(password: string): string {
  return Buffer.byteLength(password) <= 72
    ? password
    : createHash('sha384').update(password).digest('base64');
}

/** @param cost of bcrypt: each step doubles the work */
export function hashPassword(password: string, cost: number): Promise<string> {
  return hash(truncateForBcrypt(password), { cost });
}

/** Takes as long for an account that does not exist, or has no password, as for one that has a password. */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  if ([...password].length > MAX_PASSWORD_BYTES) return false;
  const isBcrypt = stored?.startsWith('$2') ?? false;
  const matches = await compare(truncateForBcrypt(password), isBcrypt && stored ? stored : DECOY_HASH);
  return isBcrypt && matches;
}

/** The faults of a password, if any, in the protocol's terms. */
export function weaknessOf(
  password: string,
  minimum: number,
): { message: string; reasons: string[] } | undefined {
  if ([...password].length < minimum) {
    return { message: `Password should be at least ${minimum} characters.`, reasons: ['length'] };
  }
  if (COMMON.has(password.toLowerCase())) {
    return {
      message: 'Password is known to be weak and easy to guess, please choose a different one.',
      reasons: ['pwned'],
    };
  }
  return undefined;
}

/** @throws AuthError weak_password or validation_failed */
export function requireStrongPassword(password: string, minimum: number): void {
  const weakness = weaknessOf(password, minimum);
  if (weakness)
    throw new AuthError('weak_password', weakness.message, { weakPassword: { reasons: weakness.reasons } });
  if ([...password].length > MAX_PASSWORD_BYTES) {
    throw new AuthError(
      'validation_failed',
      `Password cannot be longer than ${MAX_PASSWORD_BYTES} characters`,
    );
  }
}
