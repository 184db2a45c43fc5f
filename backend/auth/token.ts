import { AuthError } from './errors.ts';
import type { Operation } from './operation.ts';
import { signInWithIdToken } from './token-id-token.ts';
import { signInWithPassword } from './token-password.ts';
import { exchangeCode } from './token-pkce.ts';
import { refreshSession } from './token-refresh.ts';
import { signInWithWallet } from './token-web3.ts';

const GRANTS = new Map<string, Operation>([
  ['password', signInWithPassword],
  ['refresh_token', refreshSession],
  ['pkce', exchangeCode],
  ['id_token', signInWithIdToken],
  ['web3', signInWithWallet],
]);

/** POST /token */
export const token: Operation = async (context, auth) => {
  const type = context.req.query('grant_type') ?? '';
  const grant = GRANTS.get(type);
  if (grant) return grant(context, auth);
  throw new AuthError('invalid_credentials', 'unsupported_grant_type');
};
