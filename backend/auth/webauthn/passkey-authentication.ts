import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { openSession } from '../sessions/sessions.ts';
import { lockOwner, type UserRow, userById } from '../users.ts';
import { answerBody, consumeChallenge, issueChallenge } from './passkey-challenges.ts';
import { type PasskeyRow, requirePasskeys } from './passkeys.ts';
import { requestOptions, verifyRequest } from './relying-party.ts';

/** POST /passkeys/authentication/options */
export const passkeyAuthenticationOptions: AuthHandler = async (context, auth) => {
  const party = requirePasskeys(auth);
  await auth.rateLimits.signIn(context);
  const query = auth.authDatabase.query.bind(auth.authDatabase);
  return context.json(await issueChallenge(query, await requestOptions(party, [])));
};

/**
 * POST /passkeys/authentication/verify: opens a session of aal1, as in Supabase's own service, so that a person who has
 * set up a second step takes it after this as well; unless that is a key, which no one is asked for twice.
 */
export const verifyPasskeyAuthentication: AuthHandler = async (context, auth) => {
  const party = requirePasskeys(auth);
  await auth.rateLimits.verification(context);
  const given = await readBody(context, answerBody);
  const { challenge, credential } = await consumeChallenge(
    auth.authDatabase.query.bind(auth.authDatabase),
    given,
  );
  const session = await auth.authDatabase.transaction(async (query) => {
    const passkey = await passkeyIn(query, credential);
    const verified =
      passkey &&
      (await verifyRequest(
        party,
        challenge,
        {
          id: passkey.credential_id.toString('base64url'),
          publicKey: new Uint8Array(passkey.public_key),
          signCount: Number(passkey.sign_count),
        },
        credential,
      ));
    const user = verified && (await userById(query, passkey.user_id));
    if (!user) throw new AuthError('webauthn_verification_failed', 'Credential verification failed');
    refuseUnconfirmed(user);
    await query(
      `update auth.webauthn_credentials set sign_count = $2, backed_up = $3, last_used_at = now(), updated_at = now()
       where id = $1`,
      [passkey.id, verified.signCount, verified.isBackedUp],
    );
    return open(query, auth, context, user);
  });
  return context.json(session);
};

async function open(query: Query, auth: AuthContext, context: Context<Env>, user: UserRow) {
  const session = await openSession(query, auth, context, user, 'passkey');
  await recordAuditEvent(query, auth, context, 'login', user);
  return session;
}

/**
 * The passkey that answers, if it is of the person whom the authenticator names. It stays locked until the transaction
 * ends, so that two answers do not bring the same count of signatures; its owner is locked before it, as by `lockUser`.
 */
async function passkeyIn(query: Query, credential: Record<string, unknown>): Promise<PasskeyRow | undefined> {
  const { id, response } = credential;
  if (typeof id !== 'string' || typeof response !== 'object' || response === null) return undefined;
  const handle: unknown = Reflect.get(response, 'userHandle');
  const credentialId = Buffer.from(id, 'base64url');
  await lockOwner(
    query,
    'select user_id from auth.webauthn_credentials where credential_id = $1',
    credentialId,
  );
  const { rows } = await query<PasskeyRow>(
    'select * from auth.webauthn_credentials where credential_id = $1 for update',
    [credentialId],
  );
  const [passkey] = rows;
  const isTheirs =
    typeof handle === 'string' && Buffer.from(handle, 'base64url').toString() === passkey?.user_id;
  return isTheirs ? passkey : undefined;
}

/** @throws AuthError email_not_confirmed or phone_not_confirmed */
function refuseUnconfirmed(user: UserRow): void {
  if (user.email && !user.email_confirmed_at)
    throw new AuthError('email_not_confirmed', 'Email not confirmed', { status: 403 });
  if (user.phone && !user.phone_confirmed_at)
    throw new AuthError('phone_not_confirmed', 'Phone not confirmed', { status: 403 });
}
