import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
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
  /** What its button calls it; the name of its section, if there is none. */
  name: z.string().trim().min(1, 'must not be blank').max(40, 'must be at most 40 characters').optional(),
  /** An SVG or PNG file in the folder `supabase`, or beside the operator's own settings. */
  icon: z.string().optional(),
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

const webauthn = z
  .object({
    rp_display_name: z.string().default(''),
    rp_id: z
      .string()
      .regex(/^(?:(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)*[a-z\d-]+)?$/, 'must be a domain such as example.org')
      .default(''),
    rp_origins: z
      .array(
        z
          .string()
          .refine(
            (origin) => URL.parse(origin)?.origin === origin && isTrustworthy(origin),
            'must be an address such as https://example.org, without a path',
          ),
      )
      .max(5, 'must be at most five addresses')
      .default([]),
  })
  .refine(
    ({ rp_id, rp_origins }) =>
      !rp_id || rp_origins.every((origin) => `.${new URL(origin).hostname}`.endsWith(`.${rp_id}`)),
    'needs rp_origins of the domain rp_id',
  )
  .refine(
    ({ rp_id, rp_origins }) => !rp_id === (rp_origins.length === 0),
    'needs both rp_id and rp_origins, or neither',
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
  passkey: z.object({ enabled: z.boolean().default(false) }).default({ enabled: false }),
  webauthn: webauthn.default({ rp_display_name: '', rp_id: '', rp_origins: [] }),
  saml: saml.default({ enabled: false, private_key: '', certificate: '' }),
};

/** What the button of a provider says and shows. */
export interface ProviderButton {
  id: string;
  name: string;
  /** A data URL; null for a mark that all without one share. */
  icon: string | null;
}

const MAX_ICON_BYTES = 32 * 1024;

/**
 * The buttons of the providers that the settings enable, in their order.
 *
 * @param folders hold the icons; the first that has one of a name decides
 * @param refuse is called with the name of a setting that cannot be used, as a list of its parts, and its fault
 */
export function providerButtons(
  folders: string[],
  providers: Record<string, z.output<typeof provider>>,
  refuse: (setting: string[], fault: string) => never,
): ProviderButton[] {
  return Object.entries(providers).flatMap(([id, { enabled, name, icon }]) =>
    enabled
      ? {
          id,
          name: name ?? id.slice(id.indexOf(':') + 1).replace(/^./, (letter) => letter.toUpperCase()),
          icon: icon
            ? (iconIn(folders, icon) ??
              refuse(
                ['auth', 'external', id, 'icon'],
                `must be an SVG or PNG file in the folder supabase or beside settings.toml, of at most ${MAX_ICON_BYTES / 1024} KB`,
              ))
            : null,
        }
      : [],
  );
}

function iconIn(folders: string[], path: string): string | undefined {
  for (const folder of folders) {
    const url = iconUrl(folder, path);
    if (url) return url;
  }
  return undefined;
}

/** The image as a data URL, which runs no script where a page shows it; undefined when it is none. */
function iconUrl(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  if (relative(folder, file).startsWith('..')) return undefined;
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  if (bytes.length > MAX_ICON_BYTES) return undefined;
  const type = bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))
    ? 'image/png'
    : /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(bytes.toString())
      ? 'image/svg+xml'
      : undefined;
  return type && `data:${type};base64,${bytes.toString('base64')}`;
}

/** The variable of the environment that a setting names as `env(NAME)`. */
const variableOf = (value: unknown) =>
  typeof value === 'string' ? /^env\((\w+)\)$/.exec(value)?.[1] : undefined;

/**
 * The variables that a refused setting takes its value from and that are not set, or blank.
 *
 * @param value as the file has it; in a section those settings count that the refusal speaks of
 */
export function unsetIn(value: unknown, refusal: string, environment: NodeJS.ProcessEnv): string[] {
  const values =
    value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([name, item]) => (refusal.split(/\W+/).includes(name) ? [item] : []))
      : [value];
  return values.map(variableOf).filter((name) => name !== undefined && !environment[name]) as string[];
}

/** Substitutes `env(NAME)`, as the Supabase tools do; an unset variable is blank. */
export function withEnvironment(value: unknown, environment: NodeJS.ProcessEnv): unknown {
  if (typeof value === 'string') {
    const name = variableOf(value);
    return name ? (environment[name] ?? '') : value;
  }
  if (Array.isArray(value)) return value.map((item) => withEnvironment(item, environment));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withEnvironment(item, environment)]),
  );
}
