import { randomUUID } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { TestBackend } from '../../backend.ts';

export const PASSWORD = 'a long walk by the sea';

/** A separate browser tab: the official client with nothing stored. */
export function visitor(
  backend: TestBackend,
  options: { flowType?: 'implicit' | 'pkce'; experimental?: { recoveryCodes?: boolean } } = {},
): SupabaseClient {
  const items = new Map<string, string>();
  return createClient(backend.url, backend.anonKey, {
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
): Promise<{ email: string; client: SupabaseClient; id: string }> {
  const email = freshAddress();
  const client = visitor(backend);
  const signedUp = await client.auth.signUp({ email, password: PASSWORD });
  if (signedUp.error) throw signedUp.error;
  await follow((await lastMailTo(backend, email)).link);
  const signedIn = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (signedIn.error) throw signedIn.error;
  return { email, client, id: signedIn.data.user.id };
}
