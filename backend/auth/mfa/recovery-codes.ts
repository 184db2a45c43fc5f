import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { factorsOf, isPermanent } from '../factors.ts';
import { downgradeSessions } from '../sessions/aal.ts';
import { requireSession } from '../sessions/require-session.ts';
import type { SessionRow } from '../sessions/sessions.ts';
import { lockUser, type UserRow } from '../users.ts';
import { requireRoomFor } from './enroll.ts';

const CODE_COUNT = 10;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** A person's only set of codes. It is a factor too, under `mfa_factor_id`. */
export interface CodeSet {
  id: string;
  mfa_factor_id: string;
  friendly_name: string | null;
  failed_verification_count: number;
  locked: boolean;
}

/** Sixteen characters of five random bits each, so that a plain digest keeps them safe. */
const newCode = () => Array.from(randomBytes(16), (byte) => ALPHABET[byte % 32]).join('');

/** The digest of a code that the database keeps; the same code of another set has another digest. */
export const hashOf = (set: string, code: string) =>
  createHash('sha256').update(`${set}:${code}`).digest('hex');

/** The set, locked until the transaction ends, so that no code is spent twice. */
export async function codeSetOf(query: Query, userId: string): Promise<CodeSet | undefined> {
  const { rows } = await query<CodeSet>(
    `select s.id, s.mfa_factor_id, f.friendly_name, s.failed_verification_count,
       coalesce(s.verification_locked_until > now(), false) as locked
     from auth.mfa_recovery_code_sets s join auth.mfa_factors f on f.id = s.mfa_factor_id
     where s.user_id = $1 for update of s`,
    [userId],
  );
  return rows[0];
}

async function requireSet(query: Query, userId: string): Promise<CodeSet> {
  const set = await codeSetOf(query, userId);
  if (!set) throw new AuthError('mfa_factor_not_found', 'The user has not enrolled recovery codes');
  return set;
}

/** @throws AuthError insufficient_aal */
async function hasAal2(
  context: Context<Env>,
  auth: AuthContext,
  query: Query,
  what: string,
): Promise<{ user: UserRow; session: SessionRow }> {
  const caller = await requireSession(context, auth, query, lockUser);
  if (caller.session.aal !== 'aal2')
    throw new AuthError('insufficient_aal', `AAL2 required to ${what} recovery codes`);
  return caller;
}

/** Replaces the codes of a set; only their digests are stored. */
async function issueCodes(query: Query, set: string): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, newCode);
  await query('delete from auth.mfa_recovery_codes where mfa_recovery_code_set_id = $1', [set]);
  await query(
    `insert into auth.mfa_recovery_codes (id, mfa_recovery_code_set_id, code_hash, created_at)
     select gen_random_uuid(), $1, hash, now() from unnest($2::text[]) as hash`,
    [set, codes.map((code) => hashOf(set, code))],
  );
  return codes;
}

/** GET /factors/recovery-codes */
export const recoveryCodesStatus: AuthHandler = async (context, auth) => {
  const status = await auth.authDatabase.transaction(async (query) => {
    const { user } = await requireSession(context, auth, query);
    const set = await requireSet(query, user.id);
    const { rows } = await query<{ total: number; remaining: number }>(
      `select count(*)::int as total, (count(*) filter (where consumed_at is null))::int as remaining
       from auth.mfa_recovery_codes where mfa_recovery_code_set_id = $1`,
      [set.id],
    );
    return { id: set.mfa_factor_id, type: 'recovery_code', ...rows[0] };
  });
  return context.json(status);
};

const body = z.object({ friendly_name: field.text });

/** POST /factors/recovery-codes: the only response that shows the codes. */
export const generateRecoveryCodes: AuthHandler = async (context, auth) => {
  const { friendly_name: friendlyName = 'Recovery codes' } = await readBody(context, body);
  const { user, answer } = await auth.authDatabase.transaction(async (query) => {
    const caller = await hasAal2(context, auth, query, 'generate');
    if (await codeSetOf(query, caller.user.id))
      throw new AuthError(
        'mfa_verified_factor_exists',
        'Recovery codes are already enrolled for this user, use regenerate to rotate them',
      );
    await requireRoomFor(query, auth, caller.session, friendlyName);
    if (!(await factorsOf(query, caller.user.id)).some(isPermanent))
      throw new AuthError(
        'mfa_recovery_codes_sole_factor',
        'At least one other verified factor is required to generate recovery codes',
      );
    const [id, set] = [randomUUID(), randomUUID()];
    await query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
       values ($1, $2, $3, 'recovery_code', 'verified', now(), now())`,
      [id, caller.user.id, friendlyName],
    );
    await query(
      `insert into auth.mfa_recovery_code_sets (id, user_id, mfa_factor_id, created_at, updated_at)
       values ($1, $2, $3, now(), now())`,
      [set, caller.user.id, id],
    );
    const codes = await issueCodes(query, set);
    await recordAuditEvent(query, auth, context, 'recovery_codes_generated', caller.user);
    return {
      user: caller.user,
      answer: { id, type: 'recovery_code', friendly_name: friendlyName, total: codes.length, codes },
    };
  });
  await auth.emails.notify('mfa_factor_enrolled', user, { FactorType: 'set of recovery codes' });
  return context.json(answer);
};

/** POST /factors/recovery-codes/regenerate: the previous codes stop working. */
export const regenerateRecoveryCodes: AuthHandler = async (context, auth) => {
  const { user, answer } = await auth.authDatabase.transaction(async (query) => {
    const { user } = await hasAal2(context, auth, query, 'regenerate');
    const set = await requireSet(query, user.id);
    const codes = await issueCodes(query, set.id);
    await query(
      `update auth.mfa_recovery_code_sets
       set failed_verification_count = 0, verification_locked_until = null, updated_at = now() where id = $1`,
      [set.id],
    );
    await recordAuditEvent(query, auth, context, 'recovery_codes_generated', user);
    const answer = {
      id: set.mfa_factor_id,
      type: 'recovery_code',
      friendly_name: set.friendly_name ?? undefined,
      total: codes.length,
      codes,
    };
    return { user, answer };
  });
  await auth.emails.notify('mfa_factor_enrolled', user, { FactorType: 'new set of recovery codes' });
  return context.json(answer);
};

/** DELETE /factors/recovery-codes */
export const deleteRecoveryCodes: AuthHandler = async (context, auth) => {
  const { user, id } = await auth.authDatabase.transaction(async (query) => {
    const caller = await hasAal2(context, auth, query, 'delete');
    const set = await requireSet(query, caller.user.id);
    await query('delete from auth.mfa_factors where id = $1', [set.mfa_factor_id]);
    // A person who signed in with a code has lost their device and must be able to remove that next.
    await downgradeSessions(query, caller.user.id, set.mfa_factor_id, caller.session.id);
    await recordAuditEvent(query, auth, context, 'factor_unenrolled', caller.user);
    return { user: caller.user, id: set.mfa_factor_id };
  });
  await auth.emails.notify('mfa_factor_unenrolled', user, { FactorType: 'set of recovery codes' });
  return context.json({ id });
};
