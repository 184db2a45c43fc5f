import type { SupabaseClient } from '@supabase/supabase-js';
import { createContext, type RouterContextProvider } from 'react-router';
import type { Database } from './database.types.ts';

export type Client = SupabaseClient<Database>;

/** Provides a client when a read or write is really made; on a page the library may not be loaded before. */
export type ClientSource = () => Client | Promise<Client>;

type QueryOf = (...given: never[]) => { queryFn?: (...context: never[]) => unknown };
/** What a query of a noun gives. */
export type QueryData<Query extends QueryOf> = Awaited<ReturnType<NonNullable<ReturnType<Query>['queryFn']>>>;

export interface SupabaseConfig {
  /** Base URL of the API as the browser reaches it; blank when it is the site's own. */
  url: string;
  anonKey: string;
}

export const configContext = createContext<SupabaseConfig>();
export const clientContext = createContext<Client>();
/** By what the client of a loader reaches the API, also for files that everyone sees. */
export const fetchContext = createContext<typeof fetch>();

/** The visitor's client of this request's server, for loaders. */
export function serverClient(context: Readonly<RouterContextProvider>): ClientSource {
  return () => context.get(clientContext);
}

/** The configuration as the document carries it. */
export function browserConfig(): SupabaseConfig {
  const read = (name: string) =>
    document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return { url: read('supabase-url'), anonKey: read('supabase-anon-key') };
}

/** Fired on the window when the database refuses a member who has not completed their profile. */
export const PROFILE_NEEDED_EVENT = 'profile-needed';

/** By what the database's refusal, and that of the functions for uploads, is known. */
const PROFILE_NEEDED_HINT = 'profile_incomplete';

async function readRefusal(response: Response): Promise<void> {
  const body: { hint?: unknown } | null = await response.json().catch(() => null);
  if (body?.hint === PROFILE_NEEDED_HINT) window.dispatchEvent(new Event(PROFILE_NEEDED_EVENT));
}

/** For how long a read waits until its answer begins, in ms: longer than any statement of the database may take. */
const MAX_READ_WAIT_MS = 12_000;

/** The functions of the database that change something, or record that something was read; the others only read. */
export const WRITING_FUNCTIONS = [
  'answer_use_question',
  'cancel_email_change',
  'claim_review',
  'count_download',
  'decide_held_post',
  'decide_images',
  'delete_account',
  'hide_reported_media',
  'increment_topic_views',
  'invite_member',
  'mark_answer',
  'read_reported_message',
  'remove_second_step',
  'request_removal',
  'resubmit_solution',
  'retry_media_jobs',
  'set_account_disabled',
  'show_orcid',
  'stop_sharing',
  'submit_solution',
  'submit_translation',
  'submit_trial',
  'summarise_topic',
  'unsubscribe_from_mail',
  'withdraw_invitation',
  'withdraw_solution',
];

function isRead(address: string, method: string): boolean {
  if (method !== 'POST') return method === 'GET' || method === 'HEAD';
  const called = /\/rest\/v1\/rpc\/(\w+)/.exec(address)?.[1];
  return called !== undefined && !WRITING_FUNCTIONS.includes(called);
}

/**
 * Fetches, and gives a read up whose answer does not begin: a page would else stay grey for as long as it is open.
 * A write waits on, as it may have been done, and so does the rest of an answer that has begun.
 */
const fetchInTime: typeof fetch = async (input, init) => {
  if (!isRead(String(input), init?.method ?? 'GET')) return fetch(input, init);
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, MAX_READ_WAIT_MS);
  // AbortSignal.any() would do this, and browsers of three years ago do not have it.
  if (init?.signal?.aborted) abort();
  else init?.signal?.addEventListener('abort', abort);
  try {
    return await fetch(input, { ...init, signal: limit.signal });
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Fetches for the client. Functions are served by the site itself, also where the API is on another host; and
 * a refusal makes it check the session, which may have been ended elsewhere, or lead the member to their profile.
 */
const fetchFor =
  (url: string): typeof fetch =>
  async (input, init) => {
    const address = typeof input === 'string' ? input : '';
    const ofThisSite = url && address.startsWith(`${url}/functions/v1/`);
    const response = await fetchInTime(ofThisSite ? address.slice(url.length) : input, init);
    if (response.status === 401 && !address.includes('/auth/v1/')) void checkSession();
    if (response.status === 403) void readRefusal(response.clone());
    return response;
  };

let sharedClient: Promise<Client> | undefined;

/** A client whose session belongs to the caller alone and ends with it. */
export async function oneOffClient(): Promise<Client> {
  const { createClient } = await import('@supabase/supabase-js');
  const { url, anonKey } = browserConfig();
  return createClient<Database>(url || location.origin, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false, storageKey: 'once' },
  });
}

/**
 * Checks whether the session is still valid; the client library drops one that is not, and notifies its
 * listeners.
 */
export async function checkSession(): Promise<void> {
  const { auth } = await browserClient();
  const { data } = await auth.getSession();
  if (data.session) await auth.getUser();
}

/** The browser's one client, with the session in local storage; loads the library at the first call. */
export function browserClient(): Promise<Client> {
  sharedClient ??= connect();
  // Without a connection the next call tries again.
  sharedClient.catch(() => {
    sharedClient = undefined;
  });
  return sharedClient;
}

async function connect(): Promise<Client> {
  const { createClient } = await import('@supabase/supabase-js');
  const { url, anonKey } = browserConfig();
  return createClient<Database>(url || location.origin, anonKey, {
    auth: { flowType: 'implicit', experimental: { recoveryCodes: true } },
    // Its three tries take seven seconds, in which a page without a connection stays grey; the query cache tries again.
    db: { retry: false },
    global: { fetch: fetchFor(url) },
  });
}
