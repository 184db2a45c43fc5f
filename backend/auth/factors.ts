import type { Context } from 'hono';
import type { Env } from '../context.ts';
import type { Query } from '../database/database.ts';
import { isUuid } from '../uuid.ts';
import { AuthError } from './errors.ts';

/** A row of auth.mfa_factors, as far as this service reads it. */
export interface FactorRow {
  id: string;
  user_id: string;
  friendly_name: string | null;
  factor_type: 'totp' | 'phone' | 'webauthn' | 'recovery_code';
  status: 'unverified' | 'verified';
  phone: string | null;
  secret: string | null;
  web_authn_credential: unknown;
  created_at: Date;
  updated_at: Date;
  last_challenged_at: Date | null;
}

/** A person’s second factors, whether verified or only enrolled, the oldest first. */
export async function factorsOf(query: Query, userId: string): Promise<FactorRow[]> {
  const { rows } = await query<FactorRow>(
    'select * from auth.mfa_factors where user_id = $1 order by created_at, id',
    [userId],
  );
  return rows;
}

/** Whether its owner has proved the factor; one that was only enrolled protects nothing. */
export const isVerified = (factor: FactorRow) => factor.status === 'verified';

/** Whether the factor is a passkey or a security key that its owner has proved. */
export const isKey = (factor: FactorRow) => isVerified(factor) && factor.factor_type === 'webauthn';

/** Whether a session is still to take the second step that its person has set up. */
export const lacksSecondStep = (aal: string | null, factors: FactorRow[]) =>
  aal !== 'aal2' && factors.some(isVerified);

/** Whether a second step can be requested without the recovery codes, which are only a fallback. */
export const isPermanent = (factor: FactorRow) =>
  isVerified(factor) && factor.factor_type !== 'recovery_code';

/** What an email about the factor calls it. */
export const factorName = ({ factor_type: type }: FactorRow) =>
  type === 'webauthn' ? 'passkey or security key' : 'authenticator app';

/** The factor as the client library's `Factor`. */
export function factorJson(factor: FactorRow) {
  return {
    id: factor.id,
    friendly_name: factor.friendly_name || undefined,
    factor_type: factor.factor_type,
    status: factor.status,
    phone: factor.phone ?? undefined,
    created_at: factor.created_at,
    updated_at: factor.updated_at,
    last_challenged_at: factor.last_challenged_at ?? undefined,
  };
}

/**
 * The factor that the address names, if it belongs to this person; it stays locked until the transaction
 * ends, so that two requests do not check one code at once.
 *
 * @throws AuthError validation_failed or mfa_factor_not_found
 */
export async function ownFactor(
  context: Context<Env>,
  query: Query,
  userId: string,
  parameter = 'id',
): Promise<FactorRow> {
  const id = context.req.param(parameter);
  if (!isUuid(id)) throw new AuthError('validation_failed', 'factor_id must be an UUID', { status: 404 });
  const { rows } = await query<FactorRow>(
    'select * from auth.mfa_factors where id = $1 and user_id = $2 for update',
    [id, userId],
  );
  const [factor] = rows;
  if (!factor) throw new AuthError('mfa_factor_not_found', 'Factor not found');
  return factor;
}
