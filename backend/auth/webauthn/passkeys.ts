import type { Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../context.ts';
import type { Query } from '../../database/database.ts';
import { isUuid } from '../../uuid.ts';
import { target } from '../admin/users.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { requireSecondStep } from '../sessions/aal.ts';
import { requireSession } from '../sessions/require-session.ts';
import { requireRelyingParty, servesPasskeys } from './relying-party.ts';

/** A row of auth.webauthn_credentials, as far as this service reads it. */
export interface PasskeyRow {
  id: string;
  user_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  sign_count: string;
  friendly_name: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** @throws AuthError passkey_disabled */
export function requirePasskeys({ config }: AuthContext) {
  const refusal = ['passkey_disabled', 'Passkeys are disabled'] as const;
  if (!servesPasskeys(config)) throw new AuthError(...refusal);
  return requireRelyingParty(config, ...refusal);
}

/** A person's passkeys, the oldest first. */
export async function passkeysOf(query: Query, userId: string): Promise<PasskeyRow[]> {
  const { rows } = await query<PasskeyRow>(
    'select * from auth.webauthn_credentials where user_id = $1 order by created_at, id',
    [userId],
  );
  return rows;
}

/** The passkey as the client library's `PasskeyListItem`. */
const passkeyJson = (passkey: PasskeyRow) => ({
  id: passkey.id,
  friendly_name: passkey.friendly_name || undefined,
  created_at: passkey.created_at,
  last_used_at: passkey.last_used_at ?? undefined,
});

/** GET /passkeys */
export const listPasskeys: AuthHandler = async (context, auth) => {
  requirePasskeys(auth);
  const passkeys = await auth.authDatabase.transaction(async (query) => {
    const { user, session } = await requireSession(context, auth, query);
    await requireSecondStep(query, session, 'required to list passkeys');
    return passkeysOf(query, user.id);
  });
  return context.json(passkeys.map(passkeyJson));
};

const body = z.object({ friendly_name: field.text });
const MAX_NAME_LENGTH = 120;

/** PATCH /passkeys/{id} */
export const renamePasskey: AuthHandler = async (context, auth) => {
  requirePasskeys(auth);
  const { friendly_name: name } = await readBody(context, body);
  const passkey = await auth.authDatabase.transaction(async (query) => {
    const { user, session } = await requireSession(context, auth, query);
    await requireSecondStep(query, session, 'required to rename a passkey');
    if (!name) throw new AuthError('validation_failed', 'friendly_name is required');
    if (name.length > MAX_NAME_LENGTH)
      throw new AuthError('validation_failed', `friendly_name must be ${MAX_NAME_LENGTH} characters or less`);
    const { rows } = await query<PasskeyRow>(
      `update auth.webauthn_credentials set friendly_name = $3, updated_at = now()
       where id = $1 and user_id = $2 returning *`,
      [idIn(context), user.id, name],
    );
    await recordAuditEvent(query, auth, context, 'passkey_updated', user);
    return found(rows);
  });
  return context.json(passkeyJson(passkey));
};

/** DELETE /passkeys/{id} */
export const deletePasskey: AuthHandler = async (context, auth) => {
  requirePasskeys(auth);
  const user = await auth.authDatabase.transaction(async (query) => {
    const { user, session } = await requireSession(context, auth, query);
    await requireSecondStep(query, session, 'required to remove a passkey');
    await remove(context, auth, query, user);
    return user;
  });
  await auth.emails.notify('identity_unlinked', user, { Provider: 'a passkey' });
  return context.body(null, 204);
};

/** GET /admin/users/{id}/passkeys */
export const adminListPasskeys: AuthHandler = async (context, auth) => {
  const passkeys = await auth.authDatabase.transaction(async (query) =>
    passkeysOf(query, (await target(context, query)).id),
  );
  return context.json(passkeys.map(passkeyJson));
};

/** DELETE /admin/users/{id}/passkeys/{passkey}: for a person whose device was stolen. */
export const adminDeletePasskey: AuthHandler = async (context, auth) => {
  const user = await auth.authDatabase.transaction(async (query) => {
    const owner = await target(context, query);
    await remove(context, auth, query, owner, 'passkey');
    return owner;
  });
  await auth.emails.notify('identity_unlinked', user, { Provider: 'a passkey' });
  return context.body(null, 204);
};

async function remove(
  context: Context<Env>,
  auth: AuthContext,
  query: Query,
  user: { id: string },
  parameter?: string,
): Promise<void> {
  const { rows } = await query<PasskeyRow>(
    'delete from auth.webauthn_credentials where id = $1 and user_id = $2 returning *',
    [idIn(context, parameter), user.id],
  );
  await recordAuditEvent(query, auth, context, 'passkey_deleted', user, { passkey_id: found(rows).id });
}

/** @throws AuthError validation_failed, by which the protocol says that there is none */
function idIn(context: Context<Env>, parameter = 'id'): string {
  const id = context.req.param(parameter);
  return isUuid(id) ? id : found<string>([]);
}

function found<Row>([row]: Row[]): Row {
  if (row === undefined) throw new AuthError('validation_failed', 'Passkey not found', { status: 404 });
  return row;
}
