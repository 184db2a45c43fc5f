import { field } from '../context.ts';

/** A person as an outside authority describes them. */
export interface ProviderProfile {
  provider: string;
  /** The authority's identifier of the person, which never changes. */
  subject: string;
  email: string | undefined;
  /** Whether the authority has verified that the address is theirs. */
  emailVerified: boolean;
  /** The claims that this service keeps in an identity. */
  claims: Record<string, unknown>;
}

// Only some of the claims that a provider may send: they travel in every access token, and a date of birth is
// not needed here.
const KEPT_CLAIMS = ['name', 'given_name', 'family_name', 'preferred_username', 'picture'];

/**
 * Reads the claims of an ID token, or of the issuer's userinfo answer.
 *
 * @throws TypeError when they do not identify the person
 */
export function readProfile(
  provider: string,
  issuer: string,
  given: Record<string, unknown>,
): ProviderProfile {
  const subject = keptClaims(given.sub, 255);
  if (!subject) throw new TypeError('the provider names no subject');
  const address = field.email.safeParse(keptClaims(given.email, 255));
  const email = address.success ? address.data : undefined;
  // Some issuers send the value as text.
  const emailVerified =
    email !== undefined && (given.email_verified === true || given.email_verified === 'true');
  const profile = Object.fromEntries(KEPT_CLAIMS.map((name) => [name, keptClaims(given[name], 1024)]));
  const claims = {
    iss: issuer,
    sub: subject,
    provider_id: subject,
    ...profile,
    full_name: profile.name,
    avatar_url: profile.picture,
    email,
    email_verified: emailVerified,
    phone_verified: false,
    ...(typeof given.hd === 'string' && { custom_claims: { hd: keptClaims(given.hd, 255) } }),
  };
  return {
    provider,
    subject,
    email,
    emailVerified,
    claims: Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined)),
  };
}

/** Text that is short enough and that the database can hold. */
export function keptClaims(value: unknown, longest: number): string | undefined {
  const fits =
    typeof value === 'string' &&
    value !== '' &&
    value.length <= longest &&
    value.isWellFormed() &&
    !value.includes('\0');
  return fits ? value : undefined;
}
