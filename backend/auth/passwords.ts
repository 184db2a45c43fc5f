import { createHash } from 'node:crypto';
import { compare, hash } from '@node-rs/bcrypt';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { Config } from '../config.ts';
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

type PasswordRules = Pick<Config['auth'], 'minimum_password_length' | 'password_requirements'>;

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
/** The characters of which a password needs one each, as the official service lists them. */
const REQUIRED: Record<PasswordRules['password_requirements'], string[]> = {
  '': [],
  letters_digits: [LOWER + UPPER, DIGITS],
  lower_upper_letters_digits: [LOWER, UPPER, DIGITS],
  lower_upper_letters_digits_symbols: [LOWER, UPPER, DIGITS, `!@#$%^&*()_+-=[]{};'\\:"|<>?,./\`~`],
};

/** The faults of a password, if any, in the protocol's terms. */
export function weaknessOf(
  password: string,
  { minimum_password_length: minimum, password_requirements: requirements }: PasswordRules,
): { message: string; reasons: string[] } | undefined {
  const required = REQUIRED[requirements];
  const reasons: string[] = [];
  const messages: string[] = [];
  if ([...password].length < minimum) {
    reasons.push('length');
    messages.push(`Password should be at least ${minimum} characters.`);
  }
  if (required.some((set) => ![...set].some((character) => password.includes(character)))) {
    reasons.push('characters');
    messages.push(`Password should contain at least one character of each: ${required.join(', ')}.`);
  }
  if (reasons.length === 0 && COMMON.has(password.toLowerCase())) {
    reasons.push('pwned');
    messages.push('Password is known to be weak and easy to guess, please choose a different one.');
  }
  return reasons.length > 0 ? { message: messages.join(' '), reasons } : undefined;
}

/** @throws AuthError weak_password or validation_failed */
export function requireStrongPassword(password: string, rules: PasswordRules): void {
  const weakness = weaknessOf(password, rules);
  if (weakness)
    throw new AuthError('weak_password', weakness.message, { weakPassword: { reasons: weakness.reasons } });
  if ([...password].length > MAX_PASSWORD_BYTES) {
    throw new AuthError(
      'validation_failed',
      `Password cannot be longer than ${MAX_PASSWORD_BYTES} characters`,
    );
  }
}
