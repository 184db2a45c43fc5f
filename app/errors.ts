import type { ZodMiniType } from 'zod/mini';
import { knownText } from '#app/ui/languages/known-text.ts';

/** Said wherever something needs a session that is over. */
export const SESSION_ENDED = 'Your session has ended. Please sign in again.';

const UNREACHABLE = 'The site can’t be reached. Check your connection and try again.';
const BUSY = 'The site is busy or being updated. Please try again in a minute.';
const HAS_PASSKEY = 'This device already has a passkey for your account.';
const FORBIDDEN = 'You don’t have permission to do this.';

/**
 * The sentences for refusals of the sign-in service, by its codes; its own texts are written for programs.
 * https://supabase.com/docs/guides/auth/debugging/error-codes
 */
const SIGN_IN_MESSAGES: Record<string, string> = {
  bad_jwt: SESSION_ENDED,
  email_address_invalid: 'Enter an email address, such as name@example.org.',
  email_exists: 'Another account already uses this email.',
  email_not_confirmed: 'Please confirm your email first. We’ve sent you a link.',
  flow_state_expired: 'This took too long. Please start again.',
  flow_state_not_found: 'This link was already used or has expired. Please start again.',
  identity_already_exists: 'This sign-in already belongs to another account.',
  insufficient_aal: 'Please confirm your second step first.',
  invalid_credentials: 'The email or password is incorrect.',
  mfa_challenge_expired: 'This took too long. Please enter a new code.',
  mfa_recovery_codes_locked: 'Too many wrong codes. Please wait a while before you try again.',
  mfa_webauthn_enroll_not_enabled: 'Passkeys can’t be used for two-step sign-in on this site.',
  mfa_verification_failed: 'This code is incorrect. Enter the one that your app shows now.',
  no_authorization: SESSION_ENDED,
  otp_expired: 'This code is incorrect or has expired. Check it, or ask for a new email.',
  over_request_rate_limit: 'Too many attempts. Please wait a few minutes and try again.',
  passkey_disabled: 'Passkeys aren’t available on this site.',
  phone_exists: 'Another account already uses this phone number.',
  provider_disabled: 'This way to sign in isn’t available.',
  refresh_token_already_used: SESSION_ENDED,
  refresh_token_not_found: SESSION_ENDED,
  same_password: 'Choose a password that differs from your current one.',
  session_expired: SESSION_ENDED,
  session_not_found: SESSION_ENDED,
  signup_disabled: 'New accounts can’t be created at the moment.',
  single_identity_not_deletable: 'This is your only way to sign in, so it can’t be removed.',
  too_many_passkeys: 'Your account has as many passkeys as it can. Remove one first.',
  user_already_exists: 'Another account already uses this email.',
  user_banned: 'This account can’t sign in.',
  user_not_found: SESSION_ENDED,
  user_sso_managed: 'Your organisation manages this. Ask its IT team to change it.',
  webauthn_challenge_expired: 'This took too long. Please try again.',
  webauthn_challenge_not_found: 'This took too long. Please try again.',
  webauthn_credential_exists: HAS_PASSKEY,
  // The client library's code for a browser that says the same.
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: HAS_PASSKEY,
};
/** Codes of the sign-in service whose own text is a sentence with a detail, such as the seconds to wait. */
const SIGN_IN_DETAILS = new Set([
  'email_address_not_authorized',
  'over_email_send_rate_limit',
  'over_sms_send_rate_limit',
  'weak_password',
]);

/** What a browser, a client library or a proxy says when no answer of the site arrived. */
const LOST = /failed to fetch|fetch failed|load failed|networkerror|network request failed|err_network/i;

/** Names of errors of the browser and of the schema library, which have no sentence for a reader. */
const NATIVE =
  /^(\$Zod|Type|Reference|Range|Syntax|Abort|QuotaExceeded|NotAllowed|Security|InvalidState)Error$/;

const textOf = (error: object, key: string): string => {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : '';
};

/**
 * An error's message for its reader; technical texts of the browser, the database, the sign-in service, a
 * client library or a proxy become a sentence that says what to do, or `fallback`, with the request's id when
 * the operator can find more under it.
 */
export const messageOf = (error: unknown, fallback: string): string =>
  knownText(englishMessageOf(error, fallback));

/** The same, with what the database says in its own words, by which a form finds the field. */
export function englishMessageOf(error: unknown, fallback: string): string {
  if (!error || typeof error !== 'object') return fallback;
  const message = textOf(error, 'message');
  const code = textOf(error, 'code');
  if (LOST.test(message) || textOf(error, 'name') === 'FunctionsFetchError') return UNREACHABLE;
  const status = Number(Reflect.get(error, 'status'));
  if (message.trimStart().startsWith('<') || [502, 503, 504].includes(status)) return BUSY;
  if (/\bjwt\b/i.test(message) || textOf(error, 'name') === 'AuthSessionMissingError') return SESSION_ENDED;
  const known = databaseMessage(code, message) ?? SIGN_IN_MESSAGES[code];
  if (known !== undefined) return known;
  const requestId = textOf(error, 'request_id');
  if (requestId) return `${fallback} If you contact us, quote ${requestId}.`.trimStart();
  if (/^[a-z_]+$/.test(code) && !SIGN_IN_DETAILS.has(code)) return fallback;
  // Other codes of the table API and the database, and the errors of a browser.
  if (/^(PGRST|[0-9A-Z]{5}$)/.test(code) || NATIVE.test(textOf(error, 'name'))) return fallback;
  return message || fallback;
}

/**
 * The sentence in a refusal of the database or the table API, if it has one: a constraint's name is a
 * sentence, and so is what a trigger raises, which begins with a capital, as PostgreSQL's own messages never
 * do.
 */
function databaseMessage(code: string, message: string): string | undefined {
  const rule = /violates (?:check|foreign key) constraint "([A-Z][^"]* [^"]*)"/.exec(message)?.[1];
  if (rule) return rule;
  if (/^PT\d{3}$/.test(code)) return message;
  if (/^PGRST00\d$/.test(code) || /^(57P0|53|08)/.test(code)) return BUSY;
  if (code === '57014') return 'This took too long. Please try again.';
  if (/^(23|42501|22023)/.test(code) && /^[A-Z]/.test(message)) return message;
  return code === '42501' || message.startsWith('new row violates row-level security')
    ? FORBIDDEN
    : undefined;
}

/** Whether no answer of the site arrived, or only one that it cannot be used at the moment. */
export const isUnreachable = (error: unknown): boolean => [UNREACHABLE, BUSY].includes(messageOf(error, ''));

/** Whether the session has ended, so that signing in again helps. */
export const isSessionEnded = (error: unknown): boolean => messageOf(error, '') === SESSION_ENDED;

/** The database explains a temporary refusal in a message written for the reader. */
export const isLimit = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'PT429';

type AnyResponse = { data: unknown; error: object | null };
/** What a response holds when it has no error. */
type DataOf<Given extends AnyResponse> = ([Extract<Given, { error: null }>] extends [never]
  ? Given
  : Extract<Given, { error: null }>)['data'];

/** The data of a response that may have none; its error is thrown. */
export function dataOf<Given extends AnyResponse>(response: Given): DataOf<Given> {
  if (response.error) throw response.error;
  return response.data;
}

/** The error of a response is thrown, unless it says that the row is there already. */
export function throwUnlessThere({ error }: { error: { code: string } | null }): void {
  if (error && error.code !== '23505') throw error;
}

/** The data of a response; its error is thrown. */
export function unwrap<Data>(response: { data: Data; error: { message: string } | null }): NonNullable<Data> {
  const data: Data = dataOf(response);
  if (data === null || data === undefined) throw new TypeError('The server answered without data');
  return data;
}

/** The schema builders. */
export type Schemas = typeof import('./answers.ts').z;
/** What the answers are that a schema accepts. */
export type AnswerOf<Schema extends (z: Schemas) => unknown> =
  ReturnType<Schema> extends ZodMiniType<infer Data> ? Data : never;

/**
 * The data of a response to `rpc`, whose type the client does not know, if it has the form that the page
 * expects.
 *
 * @param schema builds the schema; a function, since the library is loaded only with the first response to
 * check
 */
export async function readAnswer<Data>(
  call: PromiseLike<{ data: unknown; error: { message: string } | null }>,
  schema: (z: Schemas) => ZodMiniType<Data>,
): Promise<Data> {
  // The server is as new as its database; a page may have been open since before an update.
  if (import.meta.env.SSR) return dataOf(await call) as Data;
  const [response, { z }] = await Promise.all([call, import('./answers.ts')]);
  const checked = z.safeParse(schema(z), dataOf(response));
  if (!checked.success)
    throw new Error('This page is older than the site. Please reload it.', { cause: checked.error });
  return checked.data;
}

/** The error message of a server function: it is in the response's body, which the client leaves unread. */
export async function functionMessage(error: unknown, fallback: string): Promise<string> {
  if (error && typeof error === 'object' && 'context' in error && error.context instanceof Response) {
    const body: unknown = await error.context.json().catch(() => ({ status: 502 }));
    return messageOf(body, fallback);
  }
  return messageOf(error, fallback);
}
