import { z } from 'zod';
import type { Query } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import { AuthError } from '../errors.ts';
import { type FactorRow, factorsOf, isVerified } from '../factors.ts';
import type { UserRow } from '../users.ts';
import {
  creationOptions,
  type KnownKey,
  requestOptions,
  requireRelyingParty,
  verifyCreation,
  verifyRequest,
} from '../webauthn/relying-party.ts';

/** The key of a factor, in the form in which Supabase's own service keeps it, so that factors can be moved here. */
const storedKey = z.object({
  id: z.string(),
  publicKey: z.string(),
  authenticator: z.object({ signCount: z.number() }),
});

/** What the client library sends to verify a factor. */
export const webauthnAnswer = z.object({
  type: z.enum(['create', 'request']),
  credential_response: z.record(z.string(), z.unknown()),
});

/** @throws AuthError mfa_webauthn_enroll_not_enabled */
export function requireWebauthnEnroll({ config }: AuthContext): void {
  const refusal = ['mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn'] as const;
  if (!config.auth.mfa.web_authn.enroll_enabled) throw new AuthError(...refusal);
  requireRelyingParty(config, ...refusal);
}

/** @throws AuthError mfa_webauthn_verify_not_enabled */
export function requireWebauthnVerify({ config }: AuthContext) {
  const refusal = ['mfa_webauthn_verify_not_enabled', 'MFA verification is disabled for WebAuthn'] as const;
  if (!config.auth.mfa.web_authn.verify_enabled) throw new AuthError(...refusal);
  return requireRelyingParty(config, ...refusal);
}

function keyOf(factor: FactorRow): KnownKey | undefined {
  const { data } = storedKey.safeParse(factor.web_authn_credential);
  return (
    data && {
      id: Buffer.from(data.id, 'base64').toString('base64url'),
      publicKey: new Uint8Array(Buffer.from(data.publicKey, 'base64')),
      signCount: data.authenticator.signCount,
    }
  );
}

/** What the browser is asked: to make the key of a factor that has none yet, or to sign with the one it has. */
export async function webauthnChallenge(query: Query, auth: AuthContext, user: UserRow, factor: FactorRow) {
  const party = requireWebauthnVerify(auth);
  // Any of a person's keys may answer, as in Supabase's own service: which one is at hand only the browser finds out.
  const keys = (await factorsOf(query, user.id)).flatMap((each) => keyOf(each)?.id ?? []);
  if (!isVerified(factor)) {
    const publicKey = await creationOptions(party, user, keys, false);
    return { type: 'create' as const, credential_options: { publicKey } };
  }
  // Without hints of ours the client library would have the browser ask for a key that is plugged in.
  const publicKey = { ...(await requestOptions(party, keys)), hints: [] };
  return { type: 'request' as const, credential_options: { publicKey } };
}

/**
 * Checks the browser's answer, and keeps the key that was made or its count of signatures.
 *
 * @returns the factor whose key answered
 * @throws AuthError mfa_verification_failed
 */
export async function checkWebauthn(
  query: Query,
  auth: AuthContext,
  factor: FactorRow,
  challengeId: string,
  answer: z.output<typeof webauthnAnswer>,
): Promise<string> {
  const party = requireWebauthnVerify(auth);
  const { rows } = await query<{ challenge: string | null }>(
    `select web_authn_session_data ->> 'challenge' as challenge from auth.mfa_challenges where id = $1`,
    [challengeId],
  );
  const challenge = rows[0]?.challenge;
  const kept =
    challenge && answer.type === (isVerified(factor) ? 'request' : 'create')
      ? answer.type === 'create'
        ? await newKey(party, challenge, factor, answer.credential_response)
        : await usedKey(query, party, challenge, factor.user_id, answer.credential_response)
      : undefined;
  if (!kept) throw new AuthError('mfa_verification_failed', 'Invalid WebAuthn response');
  await query(
    'update auth.mfa_factors set web_authn_credential = $2, web_authn_aaguid = coalesce($3, web_authn_aaguid) where id = $1',
    [kept.factorId, kept.credential, kept.aaguid ?? null],
  );
  return kept.factorId;
}

type Party = ReturnType<typeof requireWebauthnVerify>;

async function newKey(
  party: Party,
  challenge: string,
  { id: factorId }: FactorRow,
  response: Record<string, unknown>,
) {
  const key = await verifyCreation(party, challenge, response);
  return (
    key && {
      factorId,
      aaguid: key.aaguid,
      credential: {
        id: Buffer.from(key.id, 'base64url').toString('base64'),
        publicKey: Buffer.from(key.publicKey).toString('base64'),
        attestationType: 'none',
        transport: key.transports,
        flags: { backupEligible: key.isBackupEligible, backupState: key.isBackedUp },
        authenticator: { signCount: key.signCount },
      },
    }
  );
}

async function usedKey(
  query: Query,
  party: Party,
  challenge: string,
  userId: string,
  response: Record<string, unknown>,
) {
  const factor = (await factorsOf(query, userId)).find(
    (each) => isVerified(each) && keyOf(each)?.id === response.id,
  );
  const key = factor && keyOf(factor);
  const used = key && (await verifyRequest(party, challenge, key, response));
  if (!used) return undefined;
  const { authenticator, ...stored } = z
    .looseObject({ authenticator: z.looseObject({}) })
    .parse(factor.web_authn_credential);
  return {
    factorId: factor.id,
    aaguid: undefined,
    credential: { ...stored, authenticator: { ...authenticator, signCount: used.signCount } },
  };
}
