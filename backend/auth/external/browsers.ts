import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Env } from '../../context.ts';
import type { AuthContext } from '../context.ts';
import { formPage } from '../form-page.ts';

/** The seconds a person may spend at a provider. */
export const FLOW_LIFETIME_SECONDS = 600;

const NAME = 'sign-in';

/** By https no other host of the domain, and no unencrypted answer, can set a cookie of this prefix. */
const prefixOf = ({ config }: AuthContext) =>
  config.siteUrl.startsWith('https:') ? ({ prefix: 'host', secure: true } as const) : {};

const cookieOf = (context: Context<Env>, auth: AuthContext) =>
  getCookie(context, NAME, prefixOf(auth).prefix)?.match(/^[\w-]{43}$/)?.[0];

/**
 * The mark of the browser that begins a flow at a provider, which is stored with the flow: a provider's answer
 * counts in this browser alone. Otherwise whoever opens an address that someone else began would put their
 * identity on that person's account, or be signed in to it.
 */
export function markBrowser(context: Context<Env>, auth: AuthContext): string {
  const value = cookieOf(context, auth) ?? randomBytes(32).toString('base64url');
  setCookie(context, NAME, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: FLOW_LIFETIME_SECONDS,
    ...prefixOf(auth),
  });
  return markOf(auth, value);
}

/** The mark of the browser that brings an answer; of one without a cookie it fits no flow. */
export const browserOf = (context: Context<Env>, auth: AuthContext) =>
  markOf(auth, cookieOf(context, auth) ?? '');

/** What is stored does not let whoever reads the database answer in the browser's place. */
const markOf = (auth: AuthContext, value: string) => auth.keys.digest(`browser ${value}`);

/**
 * The page that sends an answer again which a form of the provider's own page has brought: browsers send the
 * cookie with the forms of this site alone. Undefined for all other answers.
 */
export function sendAgain(
  context: Context<Env>,
  auth: AuthContext,
  fields: URLSearchParams,
): Promise<Response> | undefined {
  const { req } = context;
  if (req.method !== 'POST' || !req.header('origin') || cookieOf(context, auth)) return undefined;
  if (req.query('again') !== undefined) return undefined;
  return formPage(context, {
    title: 'Signing in',
    text: 'If nothing happens, select the button to continue.',
    button: 'Continue',
    action: '?again',
    fields: Object.fromEntries(fields),
    sendsItself: true,
  });
}
