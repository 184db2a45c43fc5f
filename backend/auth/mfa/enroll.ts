import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { factorsOf } from '../factors.ts';
import { requireSecondStep } from '../sessions/aal.ts';
import { requireSession } from '../sessions/require-session.ts';
import type { SessionRow } from '../sessions/sessions.ts';
import { lockUser } from '../users.ts';
import { requireWebauthnEnroll } from './webauthn.ts';

const name = field.text.refine(
  (value) => (value ?? '').length <= 200,
  'must not be longer than 200 characters',
);
const body = z.object({ factor_type: field.text, friendly_name: name, issuer: name, phone: field.text });

/** The minutes after which a factor that was never verified is deleted. */
const UNVERIFIED_LIFETIME_MINUTES = 10;

/**
 * POST /factors: begins to set up an authenticator app, or a key of a device; the factor counts once a first code or
 * answer has been verified.
 */
export const enrollFactor: AuthHandler = async (context, auth) => {
  const { user } = await auth.authDatabase.transaction((query) => requireSession(context, auth, query));
  const { factor_type: type, friendly_name: friendlyName = '', issuer } = await readBody(context, body);
  if (type === 'phone')
    throw new AuthError('mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone');
  if (type === 'webauthn') return enrollWebauthn(context, auth, friendlyName);
  if (type !== 'totp')
    throw new AuthError('validation_failed', 'factor_type needs to be totp, phone, or webauthn');
  if (!auth.config.auth.mfa.totp.enroll_enabled)
    throw new AuthError('mfa_totp_enroll_not_enabled', 'MFA enroll is disabled for TOTP');

  const totp = new TOTP({
    issuer: issuer ?? new URL(auth.config.siteUrl).host,
    label: user.email || user.phone || user.id,
    secret: new Secret({ size: 20 }),
  });
  const id = randomUUID();
  await auth.authDatabase.transaction(async (query) => {
    const { session } = await requireSession(context, auth, query, lockUser);
    await requireRoomFor(query, auth, session, friendlyName);
    await query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
       values ($1, $2, $3, 'totp', 'unverified', $4, now(), now())`,
      [id, user.id, friendlyName, auth.keys.encrypt(totp.secret.base32, id)],
    );
    await recordAuditEvent(query, auth, context, 'factor_in_progress', user);
  });
  const uri = totp.toString();
  return context.json({
    id,
    type: 'totp',
    friendly_name: friendlyName,
    totp: { qr_code: renderSVG(uri, { ecc: 'M', border: 4 }), secret: totp.secret.base32, uri },
  });
};

/** A factor without a key, which the browser makes in answer to the first challenge. */
async function enrollWebauthn(
  context: Context<Env>,
  auth: AuthContext,
  friendlyName: string,
): Promise<Response> {
  requireWebauthnEnroll(auth);
  const id = randomUUID();
  await auth.authDatabase.transaction(async (query) => {
    const { user, session } = await requireSession(context, auth, query, lockUser);
    await requireRoomFor(query, auth, session, friendlyName);
    await query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
       values ($1, $2, $3, 'webauthn', 'unverified', now(), now())`,
      [id, user.id, friendlyName],
    );
    await recordAuditEvent(query, auth, context, 'factor_in_progress', user);
  });
  return context.json({ id, type: 'webauthn', friendly_name: friendlyName });
}

/**
 * Checks whether a person may have one more factor, with this name.
 *
 * @param session that of a user who is locked, so that their requests run one after the other
 * @throws AuthError mfa_factor_name_conflict, too_many_enrolled_mfa_factors or insufficient_aal
 */
export async function requireRoomFor(
  query: Query,
  auth: AuthContext,
  session: SessionRow,
  friendlyName: string,
): Promise<void> {
  await requireSecondStep(query, session, 'required to enroll a new factor');
  await query(
    `delete from auth.mfa_factors f where user_id = $1 and status = 'unverified'
       and created_at < now() - make_interval(mins => $2)
       and not exists (select from auth.mfa_challenges c where c.factor_id = f.id and c.created_at > now() - make_interval(mins => $2))`,
    [session.user_id, UNVERIFIED_LIFETIME_MINUTES],
  );
  const factors = await factorsOf(query, session.user_id);
  if (factors.some((factor) => (factor.friendly_name ?? '') === friendlyName))
    throw new AuthError(
      'mfa_factor_name_conflict',
      `A factor with the friendly name ${JSON.stringify(friendlyName)} for this user already exists`,
    );
  if (factors.length >= auth.config.auth.mfa.max_enrolled_factors)
    throw new AuthError(
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    );
}
