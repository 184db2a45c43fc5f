import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Env, logFault, logOf } from '../context.ts';
import { DatabaseError, outageOf } from '../database/database.ts';
import { QueueFull } from '../http/fair-queue.ts';

/** Every code this service answers with, and its usual status. */
const STATUS = {
  anonymous_provider_disabled: 422,
  bad_code_verifier: 400,
  bad_json: 400,
  bad_jwt: 403,
  bad_oauth_callback: 400,
  bad_oauth_state: 400,
  captcha_failed: 400,
  email_address_invalid: 400,
  email_address_not_authorized: 400,
  email_conflict_identity_not_deletable: 422,
  email_exists: 422,
  email_not_confirmed: 400,
  email_provider_disabled: 400,
  feature_disabled: 404,
  flow_state_already_used: 400,
  flow_state_expired: 422,
  flow_state_not_found: 404,
  identity_already_exists: 422,
  identity_not_found: 422,
  insufficient_aal: 403,
  invalid_credentials: 400,
  manual_linking_disabled: 404,
  mfa_challenge_expired: 422,
  mfa_factor_name_conflict: 422,
  mfa_factor_not_found: 404,
  mfa_ip_address_mismatch: 422,
  mfa_phone_enroll_not_enabled: 422,
  mfa_recovery_codes_locked: 429,
  mfa_recovery_codes_sole_factor: 422,
  mfa_totp_enroll_not_enabled: 422,
  mfa_totp_verify_not_enabled: 422,
  mfa_verification_failed: 422,
  mfa_verified_factor_exists: 422,
  mfa_webauthn_enroll_not_enabled: 422,
  mfa_webauthn_verify_not_enabled: 422,
  no_authorization: 401,
  not_admin: 403,
  not_found: 404,
  otp_disabled: 422,
  otp_expired: 403,
  over_email_send_rate_limit: 429,
  over_request_rate_limit: 429,
  over_sms_send_rate_limit: 429,
  passkey_disabled: 404,
  phone_exists: 422,
  phone_not_confirmed: 400,
  phone_provider_disabled: 400,
  provider_disabled: 400,
  provider_email_needs_verification: 422,
  reauthentication_needed: 400,
  reauthentication_not_valid: 422,
  refresh_token_already_used: 400,
  refresh_token_not_found: 400,
  same_password: 422,
  saml_assertion_no_email: 400,
  saml_assertion_no_user_id: 400,
  saml_entity_id_mismatch: 400,
  saml_idp_already_exists: 422,
  saml_idp_not_found: 404,
  saml_metadata_fetch_failed: 400,
  saml_provider_disabled: 404,
  saml_relay_state_expired: 422,
  saml_relay_state_not_found: 404,
  session_expired: 400,
  session_not_found: 403,
  signup_disabled: 422,
  sms_send_failed: 422,
  too_many_enrolled_mfa_factors: 422,
  too_many_passkeys: 422,
  single_identity_not_deletable: 422,
  sso_domain_already_exists: 400,
  sso_provider_disabled: 404,
  sso_provider_not_found: 404,
  unexpected_failure: 500,
  user_already_exists: 422,
  user_banned: 403,
  user_not_found: 404,
  user_sso_managed: 422,
  validation_failed: 400,
  weak_password: 422,
  web3_provider_disabled: 422,
  web3_unsupported_chain: 400,
  webauthn_challenge_expired: 400,
  webauthn_challenge_not_found: 400,
  webauthn_credential_exists: 422,
  webauthn_verification_failed: 400,
} as const satisfies Record<string, ContentfulStatusCode>;

export type ErrorCode = keyof typeof STATUS;

interface ErrorDetails extends ErrorOptions {
  /** Where the protocol gives one code several statuses. */
  status?: ContentfulStatusCode;
  weakPassword?: { reasons: string[] };
  /** In seconds. */
  retryAfter?: number;
}

/** A refusal in the protocol's terms; any other error that is thrown is a fault. */
export class AuthError extends Error {
  readonly code: ErrorCode;
  readonly status: ContentfulStatusCode;
  readonly particulars: ErrorDetails;

  constructor(code: ErrorCode, message: string, particulars: ErrorDetails = {}) {
    super(message, particulars);
    this.code = code;
    this.status = particulars.status ?? STATUS[code];
    this.particulars = particulars;
  }
}

/** A refusal of the token endpoint in the form of RFC 6749, which the client library reads there. */
export class OAuthError extends Error {
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

const API_VERSION = '2024-01-01';

/** The one place where this service's errors become responses. */
export function renderError(error: Error, context: Context<Env>): Response {
  if (error instanceof OAuthError) {
    return context.json({ error: error.error, error_description: error.message }, 400);
  }
  const outage = outageOf(error);
  const authError = errorOf(error, outage);
  // One fault, however many requests run into it.
  if (outage) logOf(context).warn({ err: error, path: context.req.path }, 'an auth request failed');
  else if (authError.status >= 500) logFault(context, error, 'an auth request failed');
  const { weakPassword, retryAfter } = authError.particulars;
  context.header('x-sb-error-code', authError.code);
  if (retryAfter !== undefined) context.header('retry-after', String(retryAfter));
  const extra = {
    ...(weakPassword && { weak_password: weakPassword }),
    ...(authError.status >= 500 && { error_id: context.get('requestId') }),
  };
  if ((context.req.header('x-supabase-api-version') ?? '') >= API_VERSION) {
    context.header('x-supabase-api-version', API_VERSION);
    return context.json({ code: authError.code, message: authError.message, ...extra }, authError.status);
  }
  return context.json(
    { code: authError.status, error_code: authError.code, msg: authError.message, ...extra },
    authError.status,
  );
}

/** A refusal of the project's own triggers in the protocol's terms: one that names a code of this service in its hint. */
export const refusalOf = (error: unknown): unknown =>
  error instanceof DatabaseError && error.hint !== undefined && isErrorCode(error.hint)
    ? new AuthError(error.hint, error.message, { status: 422 })
    : error;

/** Whether this service answers with a code. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(STATUS, code);

function errorOf(thrown: Error, outage: string | undefined): AuthError {
  const error = refusalOf(thrown);
  if (error instanceof AuthError) return error;
  if (error instanceof QueueFull)
    return new AuthError('over_request_rate_limit', error.message, { retryAfter: 1 });
  if (outage) return new AuthError('unexpected_failure', outage, { status: 503, retryAfter: 10 });
  return new AuthError(
    'unexpected_failure',
    'Unexpected failure, please check server logs for more information',
  );
}
