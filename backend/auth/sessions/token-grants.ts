import type { AuthHandler } from '../context.ts';
import { signInWithPassword } from '../email/token-password.ts';
import { exchangeCode } from '../email/token-pkce.ts';
import { refreshSession } from '../email/token-refresh.ts';
import { AuthError } from '../errors.ts';
import { signInWithIdToken } from '../external/token-id-token.ts';
import { signInWithWallet } from '../web3/token.ts';

const GRANTS = new Map<string, AuthHandler>([
  ['password', signInWithPassword],
  ['refresh_token', refreshSession],
  ['pkce', exchangeCode],
  ['id_token', signInWithIdToken],
  ['web3', signInWithWallet],
]);

/** POST /token */
export const token: AuthHandler = async (context, auth) => {
  const type = context.req.query('grant_type') ?? '';
  const grant = GRANTS.get(type);
  if (grant) return grant(context, auth);
  throw new AuthError('invalid_credentials', 'unsupported_grant_type');
};
