import type { IncomingHttpHeaders } from 'node:http';
import { InvalidToken, type Keys } from './crypto/tokens.ts';
import type { Caller } from './database/database.ts';
import { addressParts } from './http/address-parts.ts';

/**
 * The service itself, for questions that no caller may ask: whether a bucket is public, which files a row
 * names.
 */
export const service: Caller = { role: 'service_role', claims: { role: 'service_role' } };

/** The service in the name of the person who authorised another's upload. */
export const serviceFor = (owner: string | undefined): Caller => ({
  ...service,
  claims: { ...service.claims, ...(owner && { sub: owner }) },
});

/**
 * The token of an Authorization header of the scheme Bearer, which any number of blanks may follow; undefined where there is
 * none. All services ask this, so that none takes for a visitor whom another takes for a member.
 */
export const bearerOf = (header: string | null | undefined): string | undefined =>
  header?.match(/^bearer +(\S.*)$/i)?.[1];

/** The Bearer token, else the API key; undefined when the request carries neither. */
export const tokenOf = ({ headers }: Request): string | undefined =>
  bearerOf(headers.get('authorization')) ?? (headers.get('apikey') || undefined);

/**
 * The identity under which the request acts. The `role` claim names the database role; a request without a
 * token is `anon`.
 *
 * @param sent the request's headers as Node has them, which spares making them again
 * @throws InvalidToken
 */
export async function callerOf(request: Request, keys: Keys, sent?: IncomingHttpHeaders): Promise<Caller> {
  const token = tokenOf(request);
  const claims = token ? await keys.verify(token) : { role: 'anon' };
  if (claims.role !== undefined && typeof claims.role !== 'string')
    throw new InvalidToken('claims', 'the role claim is not text');
  return {
    role: claims.role ?? 'anon',
    claims,
    headers: sent ?? Object.fromEntries(request.headers),
    method: request.method,
    path: addressParts(request.url).path,
  };
}
