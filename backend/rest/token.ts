import type { IncomingHttpHeaders } from 'node:http';
import { errors } from 'jose';
import { callerOf, tokenOf } from '../caller.ts';
import { InvalidToken, type Keys } from '../crypto/tokens.ts';
import type { Caller } from '../database/database.ts';
import { RestError } from './errors.ts';

/** The seconds by which the clock of a token's issuer may be ahead. */
const MAX_SKEW_S = 30;

/**
 * The identity under which the request acts, with its path below the service's prefix.
 *
 * @throws RestError PGRST301 for a token that cannot be read, PGRST303 for one whose claims refuse it
 */
export async function authenticate(
  request: Request,
  keys: Keys,
  sent: IncomingHttpHeaders | undefined,
): Promise<Caller> {
  if (/^bearer\s*$/i.test(request.headers.get('authorization') ?? ''))
    throw refusal('PGRST301', 'Empty JWT is sent in Authorization header');
  try {
    const caller = await callerOf(request, keys, sent);
    const problem = problemOf(caller.claims);
    if (problem) throw refusal('PGRST303', problem);
    return {
      ...caller,
      // SQL finds the role also when the token names none.
      claims: 'role' in caller.claims ? caller.claims : { ...caller.claims, role: caller.role },
      path: caller.path?.replace(/^\/rest\/v1/, '') ?? '',
    };
  } catch (error) {
    if (error instanceof InvalidToken) throw fromToken(error, tokenOf(request) ?? '');
    throw error;
  }
}

/** The claims that other services do not look at, but PostgREST does. */
function problemOf({ aud, iat }: Record<string, unknown>): string | undefined {
  if (typeof iat === 'number' && iat > Date.now() / 1000 + MAX_SKEW_S) return 'JWT issued at future';
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud ?? ''];
  return audiences.every((audience) => typeof audience === 'string')
    ? undefined
    : "The JWT 'aud' claim must be a string or an array of strings";
}

function fromToken(error: InvalidToken, token: string): RestError {
  const { cause, reason } = error;
  const parts = token.split('.').length;
  if (reason === 'expired') return refusal('PGRST303', 'JWT expired', error);
  if (cause instanceof errors.JWTClaimValidationFailed)
    return refusal(
      'PGRST303',
      cause.reason === 'invalid' ? `The JWT '${cause.claim}' claim must be a number` : 'JWT not yet valid',
      error,
    );
  if (reason === 'claims') return refusal('PGRST303', `JWT claims are not valid: ${error.message}`, error);
  if (parts !== 3) return refusal('PGRST301', `Expected 3 parts in JWT; got ${parts}`, error);
  if (reason === 'malformed') return refusal('PGRST301', "JWT couldn't be decoded", error);
  return refusal(
    'PGRST301',
    'No suitable key or wrong key type',
    error,
    'None of the keys was able to decode the JWT',
  );
}

function refusal(code: string, message: string, cause?: InvalidToken, details?: string): RestError {
  return new RestError(401, code, message, {
    details,
    headers: {
      'www-authenticate': `Bearer error="invalid_token", error_description="${message.replaceAll(/[^\x20-\x7e]|["\\]/g, '')}"`,
    },
    cause,
  });
}
