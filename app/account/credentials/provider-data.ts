import type { Provider, UserIdentity } from '@supabase/supabase-js';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '#app/errors.ts';
import type { CaptchaProof } from '#app/frame/captcha/captcha.tsx';
import { browserConfig, type Client } from '#app/supabase.ts';
import { offeredProviders, type ProviderButton } from './providers.ts';

/** What the sign-in service says of itself, as far as pages use it. */
interface Settings {
  external?: Record<string, boolean>;
  saml_enabled?: boolean;
  /** Whether an organisation signs in here; a hosted project does not tell. */
  sso_providers?: boolean;
  passkeys_enabled?: boolean;
}

async function read<Answer>(address: string, headers: HeadersInit = {}): Promise<Answer> {
  const response = await fetch(address, { headers });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}

/** The ways to sign in beside email and password. */
export const signInWaysQuery = queryOptions({
  queryKey: ['account', 'sign-in-ways'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => {
    const { url, anonKey } = browserConfig();
    const [settings, configured] = await Promise.all([
      read<Settings>(`${url}/auth/v1/settings`, { apikey: anonKey }),
      read<ProviderButton[]>('/sign-in-providers.json'),
    ]);
    return {
      providers: offeredProviders(settings.external ?? {}, configured),
      byOrganisation: settings.saml_enabled === true && settings.sso_providers !== false,
      byPasskey: settings.passkeys_enabled === true,
    };
  },
});

/**
 * Set while a visitor is away at a provider, because every return from a provider arrives at the same page.
 */
export const FROM_PROVIDER_KEY = 'came-from-provider';

const homeFrom = (path: string) => new URL(path, location.origin).href;

/** The client library's type names Supabase's own providers only. */
const asProvider = (id: string) => id as Provider;

/** Redirects to a provider, unless the server answers first that it is not offered. */
export async function signInWith({ auth }: Client, { id, name }: ProviderButton): Promise<void> {
  const data = dataOf(
    await auth.signInWithOAuth({
      provider: asProvider(id),
      options: { redirectTo: homeFrom('/complete-profile'), skipBrowserRedirect: true },
    }),
  );
  // The provider's own pages cannot be read from here, and need not be.
  const answer = await fetch(data.url, { redirect: 'manual' }).catch(() => null);
  if (answer && answer.type !== 'opaqueredirect' && !answer.ok)
    throw new Error(`Signing in with ${name} isn’t possible at the moment. Please try again later.`);
  sessionStorage.setItem(FROM_PROVIDER_KEY, 'yes');
  location.assign(data.url);
}

/**
 * Redirects to the organisation to which an email address belongs.
 *
 * @throws with a sentence for the person where no organisation has this domain
 */
export async function signInByOrganisation(
  { auth }: Client,
  email: string,
  proof: CaptchaProof,
): Promise<void> {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const { data, error } = await auth.signInWithSSO({
    domain,
    options: { redirectTo: homeFrom('/complete-profile'), skipBrowserRedirect: true, ...proof },
  });
  const code = error?.code;
  if (code === 'sso_provider_not_found' || code === 'sso_provider_disabled')
    throw new NoOrganisation(
      `No organisation with ${domain} signs in here. Go back for the other ways to sign in.`,
    );
  if (error) throw error;
  sessionStorage.setItem(FROM_PROVIDER_KEY, 'yes');
  location.assign(data.url);
}

/** A refusal that concerns the address that was entered. */
export class NoOrganisation extends Error {}

/** Redirects to a provider to add it to the member's sign-in methods. */
export async function linkProvider({ auth }: Client, { id }: ProviderButton): Promise<void> {
  const data = dataOf(
    await auth.linkIdentity({
      provider: asProvider(id),
      options: { redirectTo: homeFrom('/settings'), skipBrowserRedirect: true },
    }),
  );
  location.assign(data.url);
}

/** Removes a sign-in method from the account; the server refuses to remove the last one. */
export async function unlinkIdentity({ auth }: Client, identity: UserIdentity): Promise<void> {
  dataOf(await auth.unlinkIdentity(identity));
}
