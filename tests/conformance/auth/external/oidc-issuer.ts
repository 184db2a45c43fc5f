import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import type { AuthSettings } from '../../../backend.ts';
import { listening, openBrowser } from '../fixtures.ts';

/** The issuer's users, by the `login_hint` that selects them; `whoever` is the one without a hint. */
export type People = Record<string, Record<string, unknown>>;

export interface Issuer {
  url: string;
  people: People;
  clientId: string;
  clientSecret: string;
  /** Signs an ID token as the issuer does; given claims override the defaults. */
  sign(claims: JWTPayload, lifetime?: string): Promise<string>;
  /** Registers a site as a client. */
  welcome(redirectUri: string): void;
  /** `[auth.external.keycloak]` for this issuer. */
  settings: AuthSettings['external'][string];
  close(): Promise<void>;
}

/**
 * A real OpenID provider on this machine, which signs in the user of `login_hint` at once, without a dialog.
 */
export async function startIssuer(): Promise<Issuer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' };
  let handle: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response));
  const url = `http://${await listening(server)}`;
  const people: People = {};
  const [clientId, clientSecret] = ['the-site', 'a secret of the site'];

  return {
    url,
    people,
    clientId,
    clientSecret,
    settings: {
      enabled: true,
      client_id: `${clientId}, the-app`,
      secret: clientSecret,
      url,
      redirect_uri: '',
      skip_nonce_check: false,
      email_optional: false,
    },
    sign: (claims, lifetime = '5m') =>
      new SignJWT({ iss: url, aud: clientId, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'first' })
        .setIssuedAt()
        .setExpirationTime(lifetime)
        .sign(privateKey),
    welcome(redirectUri) {
      const provider = new Provider(url, {
        jwks: { keys: [jwk] },
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        cookies: { keys: ['only for tests'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
        features: { devInteractions: { enabled: false } },
        pkce: { required: () => true },
        ttl: { Grant: 600, Session: 600, Interaction: 600, AccessToken: 600, IdToken: 600 },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: () => ({ ...people[id], sub: id }),
        }),
        interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      });
      const serve = provider.callback();
      handle = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) {
          serve(request, response);
          return;
        }
        agree(provider, request, response).catch((error) => response.writeHead(500).end(String(error)));
      };
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function agree(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  const { params, session, prompt } = await provider.interactionDetails(request, response);
  const who = String(params.login_hint ?? 'whoever');
  if (who === 'nobody') {
    await provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'They would rather not',
    });
    return;
  }
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: who } });
    return;
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? who,
    clientId: String(params.client_id),
  });
  grant.addOIDCScope(String(params.scope));
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

/** A browser's part between leaving a site and coming back: follows redirects. */
export async function follow(
  start: string,
  homeIs: (url: URL) => boolean,
  browser = openBrowser(),
): Promise<URL> {
  let url = new URL(start);
  for (let hops = 0; hops < 20; hops++) {
    if (homeIs(url)) return url;
    const response = await browser(url);
    const location = response.headers.get('location');
    if (!location) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
  }
  throw new Error('the redirects never ended');
}
