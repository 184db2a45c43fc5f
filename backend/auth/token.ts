import { AuthError } from './errors.ts';
import type { Operation } from './operation.ts';
import { signInWithIdToken } from './token-id-token.ts';
import { signInWithPassword } from './token-password.ts';
import { exchangeCode } from './token-pkce.ts';
import { refreshSession } from './token-refresh.ts';

const GRANTS = new Map<string, Operation>([
  ['password', signInWithPassword],
  ['refresh_token', refreshSession],
  ['pkce', exchangeCode],
  ['id_token', signInWithIdToken],
]);

/** POST /token */
export const token: Operation = async (context, auth) => {
  const type = context.req.query('grant_type') ?? '';
  const grant = GRANTS.get(type);
  if (grant) return grant(context, auth);
  if (type === 'web3') throw new AuthError('web3_provider_disabled', 'Web3 provider is disabled');
  throw new AuthError('invalid_credentials', 'unsupported_grant_type');
};
