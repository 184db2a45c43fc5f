import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Config } from '../../config.ts';
import { isLoopback } from '../../config-auth.ts';
import { AuthError, type ErrorCode } from '../errors.ts';
import type { UserRow } from '../users.ts';

/** The site as authenticators know it: a key answers for the domain it was made for, on these origins alone. */
interface RelyingParty {
  id: string;
  name: string;
  origins: string[];
}

/** A key of an authenticator, as far as an answer is checked against it. */
export interface KnownKey {
  id: string;
  publicKey: Uint8Array<ArrayBuffer>;
  signCount: number;
}

/** The seconds for which a challenge can be answered; as in Supabase's own service. */
export const CHALLENGE_LIFETIME_S = 300;

/** The kinds of key that are taken: EdDSA, ES256 and RS256, by their COSE numbers. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded on first use, which many sites never make. */
const load = () => import('@simplewebauthn/server');

/**
 * The site's own domain and origin, unless `[auth.webauthn]` names others; undefined where the site has no domain, since
 * a key is made for none but a domain. A site on this machine is reached by `localhost` for that.
 */
function relyingParty({ auth }: Config): RelyingParty | undefined {
  const { rp_id, rp_display_name, rp_origins } = auth.webauthn;
  const site = new URL(auth.site_url);
  if (isLoopback(site)) site.hostname = 'localhost';
  const id = rp_id || site.hostname;
  if (/^[\d.]+$|:/.test(id)) return undefined;
  return {
    id,
    name: rp_display_name || id,
    origins: rp_origins.length > 0 ? rp_origins : [site.origin],
  };
}

/** Whether people can sign in with passkeys. */
export const servesPasskeys = (config: Config): boolean =>
  config.auth.passkey.enabled && relyingParty(config) !== undefined;

/** @throws AuthError with the code, when the site has no domain */
export function requireRelyingParty(config: Config, code: ErrorCode, message: string): RelyingParty {
  const party = relyingParty(config);
  if (!party) throw new AuthError(code, message);
  return party;
}

/**
 * Options with which a browser has a new key made. Its user is always asked for a PIN, a finger or the like, so that a
 * device that was found opens nothing.
 *
 * @param known the keys of the user, of which an authenticator makes no second one
 * @param isDiscoverable whether the authenticator keeps the key for signing in without a name
 */
export async function creationOptions(
  party: RelyingParty,
  user: UserRow,
  known: string[],
  isDiscoverable: boolean,
) {
  const { generateRegistrationOptions } = await load();
  const name = user.email || user.phone || user.id;
  const { name: fullName } = user.raw_user_meta_data ?? {};
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: new TextEncoder().encode(user.id),
    userName: name,
    userDisplayName: typeof fullName === 'string' && fullName ? fullName : name,
    timeout: CHALLENGE_LIFETIME_S * 1000,
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: {
      residentKey: isDiscoverable ? 'required' : 'discouraged',
      userVerification: 'required',
    },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** @param known the keys of which one may answer; any that the browser knows of, when there are none */
export async function requestOptions(party: RelyingParty, known: string[]) {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: CHALLENGE_LIFETIME_S * 1000,
    userVerification: 'required',
    ...(known.length > 0 && { allowCredentials: known.map((id) => ({ id })) }),
  });
}

/** What is kept of a key that was made. */
export interface NewKey {
  id: string;
  publicKey: Uint8Array;
  aaguid: string;
  signCount: number;
  transports: string[];
  isBackupEligible: boolean;
  isBackedUp: boolean;
}

/** What an answer has to be about. */
const expected = (party: RelyingParty, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: party.origins,
  expectedRPID: party.id,
  requireUserVerification: true,
});

/** @returns undefined when the answer does not hold; what is wrong with it is of no use to an honest browser */
export async function verifyCreation(
  party: RelyingParty,
  challenge: string,
  answer: Record<string, unknown>,
): Promise<NewKey | undefined> {
  const { verifyRegistrationResponse } = await load();
  const result = await verifyRegistrationResponse({
    // The library checks the form, too.
    response: answer as unknown as RegistrationResponseJSON,
    ...expected(party, challenge),
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = result.registrationInfo;
  return {
    id: credential.id,
    publicKey: credential.publicKey,
    aaguid,
    signCount: credential.counter,
    // Only said by the browser, and of use to it alone.
    transports: (credential.transports ?? []).filter((name) => /^[a-z-]{1,20}$/.test(name)).slice(0, 10),
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  };
}

/** @returns the new count of signatures, and whether the key is backed up; undefined when the answer does not hold */
export async function verifyRequest(
  party: RelyingParty,
  challenge: string,
  key: KnownKey,
  answer: Record<string, unknown>,
): Promise<{ signCount: number; isBackedUp: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await load();
  const result = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    ...expected(party, challenge),
    credential: { id: key.id, publicKey: key.publicKey, counter: key.signCount },
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { newCounter, credentialBackedUp } = result.authenticationInfo;
  return { signCount: newCounter, isBackedUp: credentialBackedUp };
}
