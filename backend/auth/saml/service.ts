import type { SAML } from '@node-saml/node-saml';
import type { Config } from '../../config.ts';
import type { AuthHandler } from '../context.ts';
import { AuthError } from '../errors.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { SsoProvider } from './providers.ts';

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/**
 * Loaded on first use: these are a hundred files that most sites never need, and a tenth of the start's time.
 */
const loadSaml = () => import('@node-saml/node-saml');

/** The values by which identity providers know this site: its name, and the address for assertions. */
export function serviceOf(config: Config): { entityId: string; acs: string } {
  const base = `${config.siteUrl}/auth/v1/sso/saml`;
  return { entityId: `${base}/metadata`, acs: `${base}/acs` };
}

/** @throws AuthError saml_provider_disabled */
export function requireSaml(config: Config): void {
  if (!config.auth.saml.enabled) throw new AuthError('saml_provider_disabled', 'SAML 2.0 is disabled');
}

/**
 * The library, set up for one identity provider. A signature is required on the assertion or on the response
 * around it; this service checks which request is answered, in the signed part.
 *
 * @param requestId the id of the request that it will make
 */
export async function samlFor(
  config: Config,
  provider: SsoProvider,
  idp: IdentityProvider,
  requestId?: string,
): Promise<SAML> {
  const library = await loadSaml();
  const { entityId, acs } = serviceOf(config);
  const { private_key: privateKey, certificate: publicCert } = config.auth.saml;
  return new library.SAML({
    callbackUrl: acs,
    issuer: entityId,
    audience: entityId,
    entryPoint: idp.entryPoint,
    idpCert: idp.certificates,
    identifierFormat: provider.name_id_format ?? PERSISTENT,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    validateInResponseTo: library.ValidateInResponseTo.never,
    acceptedClockSkewMs: 60_000,
    signatureAlgorithm: 'sha256',
    ...(requestId && { generateUniqueId: () => requestId }),
    ...(privateKey && { privateKey, publicCert }),
  });
}

/** GET /sso/saml/metadata: the metadata with which an identity provider is configured. */
export const samlMetadata: AuthHandler = async (context, { config }) => {
  requireSaml(config);
  const { entityId, acs } = serviceOf(config);
  const { private_key: privateKey, certificate } = config.auth.saml;
  const { generateServiceProviderMetadata } = await loadSaml();
  const xml = generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acs,
    identifierFormat: PERSISTENT,
    wantAssertionsSigned: true,
    ...(privateKey && { privateKey, publicCerts: certificate }),
  });
  context.header('content-type', 'application/xml');
  context.header('cache-control', 'public, max-age=600');
  if (context.req.query('download') === 'true')
    context.header('content-disposition', 'attachment; filename="metadata.xml"');
  return context.body(xml);
};
