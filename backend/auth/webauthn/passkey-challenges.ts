import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Query } from '../../database/database.ts';
import { isUuid } from '../../uuid.ts';
import { field } from '../context.ts';
import { AuthError } from '../errors.ts';
import { CHALLENGE_LIFETIME_S } from './relying-party.ts';

/** The session that a new passkey is made in; a sign-in has none before. */
type Owner = { user: string; session: string } | undefined;

const kindOf = (owner: Owner) => (owner ? 'registration' : 'authentication');

/** What a browser sends back. */
const answer = z.object({
  challenge_id: field.text,
  credential: z.record(z.string(), z.unknown()).nullish(),
});

/** @throws AuthError validation_failed or bad_json */
export const answerBody = answer;

/** Keeps the challenge of these options, and answers as the protocol does. */
export async function issueChallenge<Options extends { challenge: string }>(
  query: Query,
  options: Options,
  owner?: Owner,
) {
  const id = randomUUID();
  const expires = Math.floor(Date.now() / 1000) + CHALLENGE_LIFETIME_S;
  await query(
    `insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, expires_at)
     values ($1, $2, $3, $4, to_timestamp($5))`,
    [
      id,
      owner?.user ?? null,
      kindOf(owner),
      { challenge: options.challenge, session_id: owner?.session },
      expires,
    ],
  );
  return { challenge_id: id, options, expires_at: expires };
}

/**
 * The challenge that is answered, which cannot be answered again, whatever comes of this. It is taken in a statement of
 * its own for that.
 *
 * @throws AuthError validation_failed, webauthn_challenge_not_found or webauthn_challenge_expired
 */
export async function consumeChallenge(
  query: Query,
  given: z.output<typeof answer>,
  owner?: Owner,
): Promise<{ challenge: string; credential: Record<string, unknown> }> {
  const { challenge_id: id, credential } = given;
  if (!id) throw new AuthError('validation_failed', 'challenge_id is required');
  if (!credential) throw new AuthError('validation_failed', 'credential is required');
  if (!isUuid(id)) throw new AuthError('validation_failed', 'challenge_id must be a valid UUID');
  const { rows } = await query<{ challenge: string; expired: boolean }>(
    `delete from auth.webauthn_challenges where id = $1 and challenge_type = $2
       and user_id is not distinct from $3 and session_data ->> 'session_id' is not distinct from $4
     returning session_data ->> 'challenge' as challenge, expires_at < now() as expired`,
    [id, kindOf(owner), owner?.user ?? null, owner?.session ?? null],
  );
  const [row] = rows;
  if (!row) throw new AuthError('webauthn_challenge_not_found', 'Challenge not found or already used');
  if (row.expired) throw new AuthError('webauthn_challenge_expired', 'Challenge has expired');
  return { challenge: row.challenge, credential };
}
