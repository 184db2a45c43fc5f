import { z } from 'zod';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** True of an address on this machine, the only kind that may do without TLS. */
export const isLoopback = (url: URL) => LOOPBACK.test(url.hostname);

/** Whether a request to an address cannot be read or changed on the way. */
export function isTrustworthy(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
}

/** The providers that Supabase's own service knows by name, most of them with protocols of their own. */
export const SUPABASE_PROVIDERS = [
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'kakao',
  'keycloak',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'slack',
  'slack_oidc',
  'snapchat',
  'spotify',
  'twitch',
  'twitter',
  'workos',
  'x',
  'zoom',
];

/** Providers with a well-known issuer; any other needs `url`. */
const ISSUERS: Record<string, string> = { google: 'https://accounts.google.com' };

const provider = z.object({
  enabled: z.boolean().default(false),
  /** Several, separated by commas, where apps have separate client ids; the first one signs in here. */
  client_id: z.string().default(''),
  secret: z.string().default(''),
  url: z.string().default(''),
  redirect_uri: z.string().default(''),
  skip_nonce_check: z.boolean().default(false),
  email_optional: z.boolean().default(false),
});

const RESERVED = /^(?:email|phone|web3|anonymous_users|sso:.*)$/;

const external = z.record(z.string().regex(/^[a-z][\w:-]*$/), provider).transform((providers, context) => {
  for (const [name, { enabled, client_id, url }] of Object.entries(providers)) {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: [name], message });
    if (!enabled) continue;
    if (RESERVED.test(name)) refuse('is not a name that a provider can have');
    if (!client_id) refuse('needs client_id');
    // A provider of Supabase's list without an issuer is refused where someone wants to sign in with it.
    if (!url && !ISSUERS[name] && !SUPABASE_PROVIDERS.includes(name))
      refuse('needs url, the address of its OpenID Connect issuer');
    if (url && !isTrustworthy(url)) refuse('needs an https url');
  }
  return Object.fromEntries(
    Object.entries(providers).map(([name, settings]) => [
      name,
      { ...settings, url: settings.url || (ISSUERS[name] ?? '') },
    ]),
  );
});

const captcha = z
  .object({
    enabled: z.boolean().default(false),
    provider: z.enum(['turnstile', 'hcaptcha']).default('turnstile'),
    secret: z.string().default(''),
    /** For tests: a stand-in on this machine. */
    url: z
      .string()
      .refine((url) => URL.canParse(url) && isLoopback(new URL(url)), 'must be on this machine')
      .optional(),
  })
  .refine(({ enabled, secret }) => !enabled || secret !== '', 'needs secret');

const saml = z
  .object({
    enabled: z.boolean().default(false),
    /** PEM, both or neither: for identity providers that accept signed requests only. */
    private_key: z.string().default(''),
    certificate: z.string().default(''),
  })
  .refine(
    ({ private_key, certificate }) => !private_key === !certificate,
    'needs private_key and certificate',
  );

const requiresCaptcha = z.object({ enabled: z.boolean().default(false) }).default({ enabled: false });

/**
 * The settings in `[auth]` for sign-in methods that other parties vouch for; each is off unless it is
 * switched on there.
 */
export const authSettings = {
  enable_manual_linking: z.boolean().default(false),
  external: external.default({}),
  web3: z
    .object({ ethereum: requiresCaptcha, solana: requiresCaptcha })
    .default({ ethereum: { enabled: false }, solana: { enabled: false } }),
  captcha: captcha.default({ enabled: false, provider: 'turnstile', secret: '' }),
  saml: saml.default({ enabled: false, private_key: '', certificate: '' }),
};

/** Substitutes `env(NAME)`, as the Supabase tools do; an unset variable is blank. */
export function withEnvironment(value: unknown, environment: NodeJS.ProcessEnv): unknown {
  if (typeof value === 'string') {
    const name = /^env\((\w+)\)$/.exec(value)?.[1];
    return name ? (environment[name] ?? '') : value;
  }
  if (Array.isArray(value)) return value.map((item) => withEnvironment(item, environment));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withEnvironment(item, environment)]),
  );
}
