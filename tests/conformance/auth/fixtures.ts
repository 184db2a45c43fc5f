import { randomUUID } from 'node:crypto';
import type { Server } from 'node:net';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { expect } from 'vitest';
import type { TestBackend } from '../../backend.ts';
import { COMPLETE_PROFILES } from '../../completed-profiles.ts';

export const PASSWORD = 'a long walk by the sea';

/** Requests as of one browser: `fetch` that keeps each origin's cookies and does not follow redirects. */
export function openBrowser(): typeof fetch {
  const jar = new Map<string, Map<string, string>>();
  return async (input, init) => {
    const request = new Request(input, { redirect: 'manual', ...init });
    const { origin } = new URL(request.url);
    const cookies = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, cookies);
    request.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(request);
    for (const line of response.headers.getSetCookie()) {
      const [name = '', ...value] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value.join('='));
    }
    return response;
  };
}

const browsers = new WeakMap<SupabaseClient, typeof fetch>();

/** The browser in which a visitor's client runs. */
export const browserOf = (client: SupabaseClient) => browsers.get(client) ?? openBrowser();

/** A browser with one tab: the official client with nothing stored. */
export function visitor(
  backend: TestBackend,
  options: { flowType?: 'implicit' | 'pkce'; experimental?: { recoveryCodes?: boolean } } = {},
): SupabaseClient {
  const items = new Map<string, string>();
  const browser = openBrowser();
  const client = createClient(backend.url, backend.anonKey, {
    global: { fetch: browser },
    auth: {
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: (key) => items.get(key) ?? null,
        setItem: (key, value) => void items.set(key, value),
        removeItem: (key) => void items.delete(key),
      },
      ...options,
    },
  });
  browsers.set(client, browser);
  return client;
}

/** The official client with the service key. */
export function operator(backend: TestBackend): SupabaseClient {
  return createClient(backend.url, backend.serviceRoleKey, {
    auth: { autoRefreshToken: false, persistSession: false },
  });
}

export const freshAddress = () => `${randomUUID().slice(0, 8)}@example.org`;

export interface ReceivedMail {
  to: string;
  subject: string;
  html: string;
  text: string;
  /** The URL of its button. */
  link: string;
  code: string;
}

/** The emails to an address, newest first. */
export async function mailsTo(backend: TestBackend, address: string): Promise<ReceivedMail[]> {
  const response = await fetch(`${backend.url}/mail/messages.json`);
  const mails: Omit<ReceivedMail, 'link' | 'code'>[] = await response.json();
  return mails
    .filter((mail) => mail.to === address)
    .map((mail) => ({
      ...mail,
      link: /https?:\S+\/auth\/v1\/verify\?\S+/.exec(mail.text)?.[0] ?? '',
      code: /^\d{6}$/m.exec(mail.text)?.[0] ?? '',
    }));
}

export async function lastMailTo(backend: TestBackend, address: string): Promise<ReceivedMail> {
  const [mail] = await mailsTo(backend, address);
  if (!mail) throw new Error(`no mail to ${address}`);
  return mail;
}

/** Requests an emailed link as a browser does; returns the redirect's target without requesting it. */
export async function follow(link: string): Promise<URL> {
  const response = await fetch(link, { redirect: 'manual' });
  if (response.status !== 303)
    throw new Error(`the link answered ${response.status}: ${await response.text()}`);
  return new URL(response.headers.get('location') ?? '');
}

export const fragmentOf = (url: URL) => new URLSearchParams(url.hash.slice(1));

/** Signs a new person up, confirms by the emailed link and signs in. */
export async function member(
  backend: TestBackend,
  email = freshAddress(),
): Promise<{ email: string; client: SupabaseClient; id: string }> {
  const client = visitor(backend);
  const signedUp = await client.auth.signUp({ email, password: PASSWORD });
  if (signedUp.error) throw signedUp.error;
  await follow((await lastMailTo(backend, email)).link);
  const signedIn = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (signedIn.error) throw signedIn.error;
  return { email, client, id: signedIn.data.user.id };
}

export interface Person {
  id: string;
  client: SupabaseClient;
}

/** Someone signed in whose profile is complete, and who may have a role. */
export async function person(
  backend: TestBackend,
  database: pg.Client,
  role?: string,
): Promise<Person & { email: string }> {
  const email = freshAddress();
  const { admin } = operator(backend).auth;
  const { data } = await admin.createUser({ email, password: PASSWORD, email_confirm: true });
  const id = data.user?.id ?? '';
  await database.query('update public.profiles set username = $2 where id = $1', [id, `p${id.slice(0, 8)}`]);
  await database.query(COMPLETE_PROFILES);
  if (role) await database.query('insert into public.user_roles (user_id, role) values ($1, $2)', [id, role]);
  const client = visitor(backend);
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  return { id, email, client };
}

/**
 * A moment at which requests that concern an account wait for it.
 *
 * @param work begins them, each of which waits once `waiting` has been told of it, and changes the account as `owner` before they go on
 */
export async function held<Begun>(
  backend: TestBackend,
  userId: string,
  work: (owner: pg.Client, waiting: (requests: number) => Promise<void>) => Promise<Begun>,
): Promise<Begun> {
  const [owner, watcher] = [0, 1].map(() => new pg.Client({ connectionString: backend.databaseUrl })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([owner.connect(), watcher.connect()]);
  try {
    await owner.query('begin');
    await owner.query('select from auth.users where id = $1 for update', [userId]);
    const begun = await work(owner, (requests) =>
      expect
        .poll(async () => {
          const { rowCount } = await watcher.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          return rowCount;
        })
        .toBe(requests),
    );
    await owner.query('commit');
    return begun;
  } finally {
    await Promise.all([owner.end(), watcher.end()]);
  }
}

/** What may happen to an account while a request waits, as the database does it. */
const EVENTS = {
  nothing: 'select $1::uuid',
  'a new password': "update auth.users set encrypted_password = 'another' where id = $1",
  'a ban': "update auth.users set banned_until = now() + interval '1 day' where id = $1",
  'its disabling': 'select private.disable_account($1, true)',
  'the end of its sessions': 'delete from auth.sessions where user_id = $1',
  'its second step': `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
    values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
};

/** What comes of a request that waits while something else happens to the account. */
export const overtaken = async <Answer>(
  backend: TestBackend,
  userId: string,
  by: keyof typeof EVENTS,
  request: () => Promise<Answer>,
): Promise<Answer> => {
  const [answer] = await held(backend, userId, async (owner, waiting) => {
    const begun = request();
    await waiting(1);
    await owner.query(EVENTS[by], [userId]);
    return [begun];
  });
  return answer as Promise<Answer>;
};

/** Takes on the session that an address carries behind its hash sign. */
export const enter = (client: SupabaseClient, fragment: URLSearchParams) =>
  client.auth.setSession({
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  });

/** The address of a server of the test's own, once it listens. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** Signs in by password, as in a tab of its own. */
export const byPassword = (
  backend: TestBackend,
  name: { email: string } | { phone: string },
  password = PASSWORD,
) => visitor(backend).auth.signInWithPassword({ ...name, password });
