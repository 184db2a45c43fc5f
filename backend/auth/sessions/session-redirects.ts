import type { Context } from 'hono';
import { type Env, logFault, logOf } from '#backend/context.ts';
import { AuthError, OAuthError, refusalOf } from '../errors.ts';
import type { TokenResponse } from './sessions.ts';

/**
 * The place where the page finds its session after a sign-in elsewhere: the fragment, which is not sent to
 * any server.
 */
export function withTokens(
  target: string,
  session: TokenResponse,
  more: Record<string, string> = {},
): string {
  const url = new URL(target);
  url.hash = new URLSearchParams({
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    ...more,
    refresh_token: session.refresh_token,
    sb: '',
    token_type: session.token_type,
  }).toString();
  return url.href;
}

/** The same in the PKCE flow: a code that only the page that began the flow can exchange. */
export function withCode(target: string, code: string): string {
  const url = new URL(target);
  url.searchParams.set('code', code);
  return url.href;
}

/** The message that the page gets instead of a session; in the PKCE flow it reads the query. */
export function withMessage(
  target: string,
  message: Record<string, string>,
  urlPart: 'fragment' | 'query' | 'both',
): string {
  const url = new URL(target);
  if (urlPart !== 'query') url.hash = new URLSearchParams({ ...message, sb: '' }).toString();
  if (urlPart !== 'fragment')
    for (const [name, value] of Object.entries(message)) url.searchParams.set(name, value);
  return url.href;
}

const DENIED = [
  'signup_disabled',
  'email_address_not_authorized',
  'user_banned',
  'provider_email_needs_verification',
];
const BY_STATUS: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  503: 'temporarily_unavailable',
};

/**
 * Redirects a browser with an error. The cause of the error is only written to the log.
 *
 * @param fragment whether the page finds it in the fragment too, not only in the query
 */
export function redirectWithError(
  context: Context<Env>,
  target: string,
  thrown: unknown,
  fragment: boolean,
): Response {
  const error = refusalOf(thrown);
  const parameters = errorParameters(error);
  const fault = !(error instanceof OAuthError || (error instanceof AuthError && error.status < 500));
  if (fault) logFault(context, error, 'a sign-in elsewhere failed');
  else if (error.cause)
    logOf(context).warn({ err: error, path: context.req.path }, 'a sign-in elsewhere failed');
  return context.redirect(withMessage(target, parameters, fragment ? 'both' : 'query'), fragment ? 302 : 303);
}

function errorParameters(error: unknown): Record<string, string> {
  if (error instanceof OAuthError) return { error: error.error, error_description: error.message };
  if (!(error instanceof AuthError)) {
    return {
      error: 'server_error',
      error_code: 'unexpected_failure',
      error_description: 'Unexpected failure',
    };
  }
  return {
    error: DENIED.includes(error.code) ? 'access_denied' : (BY_STATUS[error.status] ?? 'server_error'),
    error_code: error.code,
    error_description: error.message,
  };
}
