import { z } from 'zod';
import { cutText } from '../../../texts/cut-text.ts';
import { isTrustworthy } from '../../config-auth.ts';
import { AuthError } from '../errors.ts';
import { fetchOutside } from '../external/outside.ts';

/** The SAML metadata of a company's identity provider. */
export interface IdentityProvider {
  entityId: string;
  /** The address to which people are sent to sign in. */
  entryPoint: string;
  /** In PEM; any of the certificates may have signed an assertion. */
  certificates: string[];
}

const certificate = z.object({
  X509Data: z.array(z.object({ X509Certificate: z.array(z.object({ _: z.string() })) })),
});
const descriptor = z.object({
  KeyDescriptor: z.array(
    z.object({ $: z.object({ use: z.string().optional() }).optional(), KeyInfo: z.array(certificate) }),
  ),
  SingleSignOnService: z.array(z.object({ $: z.object({ Binding: z.string(), Location: z.string() }) })),
});
const metadata = z.object({
  EntityDescriptor: z.object({
    $: z.object({ entityID: z.string().min(1).max(1024) }),
    IDPSSODescriptor: z.array(descriptor).optional(),
  }),
});

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const MOST_OF_METADATA = 10_000;

/**
 * The XML as nested objects; undefined when it is not well-formed, or has more marks of elements or of
 * attributes than may be. Read before any other library sees it, in time that grows with its length: what
 * finds and signs parts of XML takes the square of their number, and writes a line about each fault.
 */
export async function readXml(xml: string, most: number): Promise<unknown> {
  for (const mark of ['<', '=']) if (xml.split(mark).length > most) return undefined;
  const { parseXml2JsFromString } = await import('@node-saml/node-saml/lib/xml.js');
  return parseXml2JsFromString(xml).catch(() => undefined);
}

/** @throws AuthError validation_failed */
export async function readMetadata(xml: string): Promise<IdentityProvider> {
  const refuse = (message: string) => new AuthError('validation_failed', message);
  const parsed = metadata.safeParse(await readXml(xml, MOST_OF_METADATA));
  if (!parsed.success) throw refuse('SAML Metadata is not valid: it describes no identity provider');
  const { $, IDPSSODescriptor: found = [] } = parsed.data.EntityDescriptor;
  const [only] = found;
  if (!only) throw refuse('SAML Metadata does not contain any IDPSSODescriptor');
  if (found.length > 1) throw refuse('SAML Metadata contains multiple IDPSSODescriptors');
  const entryPoint = only.SingleSignOnService.find((service) => service.$.Binding === REDIRECT)?.$.Location;
  if (!entryPoint || !isTrustworthy(entryPoint))
    throw refuse('SAML Metadata has no SingleSignOnService with HTTP-Redirect binding at an https address');
  const certificates = only.KeyDescriptor.filter((key) => key.$?.use !== 'encryption').flatMap((key) =>
    key.KeyInfo.flatMap((info) =>
      info.X509Data.flatMap((data) => data.X509Certificate.map((each) => pem(each._))),
    ),
  );
  if (certificates.length === 0) throw refuse('SAML Metadata has no certificate to check signatures with');
  return { entityId: $.entityID, entryPoint, certificates };
}

const pem = (base64: string) =>
  `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/\s/g, '').replaceAll(/.{64}/g, '$&\n').trim()}\n-----END CERTIFICATE-----`;

/** @throws AuthError saml_metadata_fetch_failed */
export async function fetchMetadata(address: string): Promise<string> {
  try {
    const response = await fetchOutside(address, {
      headers: { accept: 'application/samlmetadata+xml, application/xml' },
      redirect: 'error',
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return await response.text();
  } catch (cause) {
    throw new AuthError(
      'saml_metadata_fetch_failed',
      `Error fetching SAML Metadata from URL '${cutText(address, 200)}'`,
      { cause },
    );
  }
}
