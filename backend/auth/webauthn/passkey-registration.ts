import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import { DatabaseError, type Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { requireSecondStep } from '../sessions/aal.ts';
import { requireSession } from '../sessions/require-session.ts';
import { lockUser, refuseBanned } from '../users.ts';
import { answerBody, consumeChallenge, issueChallenge } from './passkey-challenges.ts';
import { passkeysOf, requirePasskeys } from './passkeys.ts';
import { creationOptions, verifyCreation } from './relying-party.ts';

const MAX_PASSKEYS = 10;

/** POST /passkeys/registration/options */
export const passkeyRegistrationOptions: AuthHandler = async (context, auth) => {
  const party = requirePasskeys(auth);
  const { user, session, known } = await auth.authDatabase.transaction((query) =>
    mayAdd(context, auth, query),
  );
  await auth.rateLimits.factorChallenge(user.id);
  const options = await creationOptions(party, user, known, true);
  const query = auth.authDatabase.query.bind(auth.authDatabase);
  return context.json(await issueChallenge(query, options, { user: user.id, session: session.id }));
};

/** POST /passkeys/registration/verify */
export const verifyPasskeyRegistration: AuthHandler = async (context, auth) => {
  const party = requirePasskeys(auth);
  const given = await readBody(context, answerBody);
  const { user, session } = await auth.authDatabase.transaction((query) => mayAdd(context, auth, query));
  const { challenge, credential } = await consumeChallenge(
    auth.authDatabase.query.bind(auth.authDatabase),
    given,
    { user: user.id, session: session.id },
  );
  const key = await verifyCreation(party, challenge, credential);
  if (!key) throw new AuthError('webauthn_verification_failed', 'Credential verification failed');
  const passkey = await auth.authDatabase.transaction(async (query) => {
    await mayAdd(context, auth, query);
    const { rows } = await query<{ id: string; friendly_name: string; created_at: Date }>(
      `insert into auth.webauthn_credentials (user_id, credential_id, public_key, attestation_type, aaguid, sign_count,
         transports, backup_eligible, backed_up, friendly_name)
       values ($1, $2, $3, 'none', $4, $5, $6::text::jsonb, $7, $8, 'Passkey') returning id, friendly_name, created_at`,
      [
        user.id,
        Buffer.from(key.id, 'base64url'),
        Buffer.from(key.publicKey),
        key.aaguid,
        key.signCount,
        JSON.stringify(key.transports),
        key.isBackupEligible,
        key.isBackedUp,
      ],
    ).catch((error: unknown) => {
      if (error instanceof DatabaseError && error.code === '23505')
        throw new AuthError('webauthn_credential_exists', 'This credential is already registered');
      throw error;
    });
    await recordAuditEvent(query, auth, context, 'passkey_created', user);
    return rows[0];
  });
  await auth.emails.notify('identity_linked', user, { Provider: 'a passkey' });
  return context.json(passkey);
};

/**
 * Two requests of one person come one after the other.
 *
 * @throws AuthError user_banned, validation_failed, insufficient_aal or too_many_passkeys
 */
async function mayAdd(context: Context<Env>, auth: AuthContext, query: Query) {
  const { user, session } = await requireSession(context, auth, query, lockUser);
  refuseBanned(user);
  if (user.is_sso_user)
    throw new AuthError('validation_failed', 'SSO users cannot register passkeys', { status: 422 });
  await requireSecondStep(query, session, 'required to add a passkey');
  const passkeys = await passkeysOf(query, user.id);
  if (passkeys.length >= MAX_PASSKEYS)
    throw new AuthError('too_many_passkeys', 'Maximum number of passkeys reached');
  return { user, session, known: passkeys.map(({ credential_id: id }) => id.toString('base64url')) };
}
