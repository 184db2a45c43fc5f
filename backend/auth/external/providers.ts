import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import type { Config } from '../../config.ts';
import { isLoopback } from '../../config-auth.ts';
import { AuthError } from '../errors.ts';
import { fetchOutside } from './outside.ts';

/** An OpenID Connect issuer that people may sign in with. */
export interface Provider {
  name: string;
  issuer: string;
  clientIds: [string, ...string[]];
  secret: string;
  redirectUri: string;
  skipNonceCheck: boolean;
  emailOptional: boolean;
}

export interface Providers {
  all: Provider[];
  byName(name: string): Provider | undefined;
  /** The issuer's discovery document. @throws AuthError unexpected_failure when it cannot be reached */
  connect(provider: Provider): Promise<oidc.Configuration>;
  /** The keys that sign its ID tokens. */
  keysOf(provider: Provider): Promise<JWTVerifyGetKey>;
}

const TEN_SECONDS = 10;
const HOUR = 3_600_000;

/**
 * The providers that are switched on. Each one's discovery document is fetched when it is first needed, and
 * again after an hour.
 */
export function createProviders(config: Config): Providers {
  const all = Object.entries(config.auth.external)
    .filter(([, settings]) => settings.enabled && settings.url)
    .map(([name, settings]): Provider => {
      const [first = '', ...others] = settings.client_id.split(',').map((id) => id.trim());
      return {
        name,
        issuer: settings.url,
        clientIds: [first, ...others.filter((id) => id !== '')],
        secret: settings.secret,
        redirectUri: settings.redirect_uri || `${config.siteUrl}/auth/v1/callback`,
        skipNonceCheck: settings.skip_nonce_check,
        emailOptional: settings.email_optional,
      };
    });
  const connections = new Map<string, { since: number; configuration: Promise<oidc.Configuration> }>();
  const keys = new Map<string, JWTVerifyGetKey>();

  const connect = async (provider: Provider) => {
    const cached = connections.get(provider.name);
    if (cached && cached.since > performance.now() - HOUR) return cached.configuration;
    const configuration = discover(provider);
    connections.set(provider.name, { since: performance.now(), configuration });
    try {
      return await configuration;
    } catch (cause) {
      connections.delete(provider.name);
      throw new AuthError('unexpected_failure', `Unable to reach the provider ${provider.name}`, { cause });
    }
  };

  return {
    all,
    byName: (name) => all.find((provider) => provider.name === name),
    connect,
    async keysOf(provider) {
      const { jwks_uri: address } = (await connect(provider)).serverMetadata();
      if (!address) throw new AuthError('unexpected_failure', `${provider.name} publishes no keys`);
      const found =
        keys.get(address) ?? createRemoteJWKSet(new URL(address), { [customFetch]: fetchOutside });
      keys.set(address, found);
      return found;
    },
  };
}

function discover(provider: Provider): Promise<oidc.Configuration> {
  const issuer = new URL(provider.issuer);
  // The signature is checked even though the token comes straight from the issuer: it costs one cached request.
  const execute = [oidc.enableNonRepudiationChecks];
  if (isLoopback(issuer)) execute.push(oidc.allowInsecureRequests);
  return oidc.discovery(issuer, provider.clientIds[0], {}, authentication(provider.secret), {
    execute,
    // The library's type of a body is wider than what it sends.
    [oidc.customFetch]: (address, options) => fetchOutside(address, options as RequestInit),
    timeout: TEN_SECONDS,
  });
}

/** The client's secret in the form that the issuer accepts. */
function authentication(secret: string): oidc.ClientAuth {
  if (!secret) return oidc.None();
  const [post, basic] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, ...request) =>
    server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
      ? post(server, ...request)
      : basic(server, ...request);
}
