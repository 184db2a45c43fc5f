import { z } from 'zod';
import { isTrustworthy } from '../../config-auth.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError, OAuthError } from '../errors.ts';
import { signInWithIdentity } from '../external/accounts.ts';
import { isAllowed } from '../redirects.ts';
import { openSession } from '../sessions/sessions.ts';
import { type Chain, readSignInMessage, type SignInMessage } from './message.ts';
import { consumeOnce } from './replay-guard.ts';

const body = z.object({
  chain: field.text,
  message: z
    .string()
    .max(20 * 1024, 'must not exceed 20KB')
    .nullish(),
  signature: field.text,
});

const TEN_MINUTES = 600_000;
const NAMES: Record<Chain, string> = { ethereum: 'Ethereum', solana: 'Solana' };

/** POST /token?grant_type=web3: a message signed by a wallet, accepted once. */
export const signInWithWallet: AuthHandler = async (context, auth) => {
  await auth.rateLimits.signIn(context);
  const doors = auth.config.auth.web3;
  if (!doors.ethereum.enabled && !doors.solana.enabled)
    throw new AuthError('web3_provider_disabled', 'Web3 provider is disabled');
  const { chain, message: text, signature } = await readBody(context, body);
  if (chain !== 'ethereum' && chain !== 'solana')
    throw new AuthError('web3_unsupported_chain', 'Unsupported chain');
  if (!doors[chain].enabled)
    throw new AuthError('web3_provider_disabled', `${NAMES[chain]} Web3 provider is disabled`);
  if (!text || text.length < 64) throw new AuthError('validation_failed', 'message is too short');

  const message = readSignInMessage(text, chain);
  // Curves are needed here alone, and make up a large part of the code.
  const { signedBy } = await import('./signature.ts');
  if (!signedBy(chain, message.address, text, signature ?? ''))
    throw new OAuthError('invalid_grant', 'Signature does not match address in message');
  requireForHere(auth, chain, message);
  requireForNow(chain, message);

  const subject = `web3:${chain}:${message.address}`;
  const session = await auth.authDatabase.transaction(async (query) => {
    const until = new Date(message.issuedAt.getTime() + TEN_MINUTES);
    if (!(await consumeOnce(query, auth, text, until)))
      throw new OAuthError('invalid_grant', `Signed ${NAMES[chain]} message has already been used`);
    const { domain, address, statement, chainId } = message;
    const custom = { address, chain, domain, network: chainId, statement };
    const person = {
      provider: 'web3',
      subject,
      email: undefined,
      emailVerified: false,
      claims: { sub: subject, email_verified: false, phone_verified: false, custom_claims: custom },
    };
    const { user } = await signInWithIdentity(query, auth, context, person, true);
    return openSession(query, auth, context, user, 'web3');
  });
  return context.json(session);
};

/** A message that was signed for another site must not be accepted here. */
function requireForHere(auth: AuthContext, chain: Chain, { uri, domain }: SignInMessage): void {
  const refuse = (reason: string) =>
    new OAuthError('invalid_grant', `Signed ${NAMES[chain]} message is using ${reason}`);
  if (!isTrustworthy(uri.href)) throw refuse('URI which does not use HTTPS');
  if (!isAllowed(uri.href, auth.config))
    throw refuse('URI which is not allowed on this server, message was signed for another app');
  if (uri.host !== domain) throw refuse('a Domain that does not match the one in URI');
}

function requireForNow(chain: Chain, { issuedAt, notBefore, expirationTime }: SignInMessage): void {
  const now = Date.now();
  const signed = `Signed ${NAMES[chain]} message`;
  if (notBefore && now < notBefore.getTime())
    throw new OAuthError('invalid_grant', `${signed} becomes valid in the future`);
  if (expirationTime && now > expirationTime.getTime())
    throw new OAuthError('invalid_grant', `${signed} is expired`);
  if (now > issuedAt.getTime() + TEN_MINUTES)
    throw new OAuthError('invalid_grant', `${NAMES[chain]} message was issued too long ago`);
  // A wallet's clock may be slightly fast.
  if (now < issuedAt.getTime() - 60_000)
    throw new OAuthError('invalid_grant', `${NAMES[chain]} message was issued too far in the future`);
}
