import type { SupabaseClient } from '@supabase/supabase-js';
import { createContext, type RouterContextProvider } from 'react-router';
import type { Database } from './database.types.ts';

export type Client = SupabaseClient<Database>;

/** Where to get a client when a read or write is really made; on a page the library may not be loaded before. */
export type ClientSource = () => Client | Promise<Client>;

export interface SupabaseConfig {
  /** Base URL of the API as the browser reaches it; blank when it is the site's own. */
  url: string;
  anonKey: string;
}

export const configContext = createContext<SupabaseConfig>();
export const clientContext = createContext<Client>();

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

/** Functions are served by the site itself, also where everything else is on another host. */
const functionsOfThisSite =
  (url: string): typeof fetch =>
  (input, init) =>
    fetch(
      typeof input === 'string' && input.startsWith(`${url}/functions/v1/`) ? input.slice(url.length) : input,
      init,
    );

let browser: Promise<Client> | undefined;

/** The browser's one client, with the session in local storage; loads the library at the first call. */
export function browserClient(): Promise<Client> {
  browser ??= import('@supabase/supabase-js').then(({ createClient }) => {
    const { url, anonKey } = browserConfig();
    return createClient<Database>(url || location.origin, anonKey, {
      auth: { flowType: 'implicit' },
      ...(url ? { global: { fetch: functionsOfThisSite(url) } } : {}),
    });
  });
  return browser;
}
