import { createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { signXml } from '@node-saml/node-saml/lib/xml.js';

/** The contents of an assertion; those a test leaves out are true. */
export interface AssertionOverrides {
  issuer?: string;
  audience?: string;
  recipient?: string;
  requestId?: string | undefined;
  nameId?: string;
  nameIdFormat?: string;
  attributes?: Record<string, string>;
  /** Seconds from now. */
  notBefore?: number;
  notOnOrAfter?: number;
  sessionEnds?: number;
  id?: string;
}

export interface SamlIdentityProvider {
  entityId: string;
  metadata: string;
  /** A response that holds one assertion, unsigned. */
  assertion(overrides: AssertionOverrides): string;
  /** Signed as the name says, and in the form a browser carries it in. */
  signAssertion(xml: string): string;
  signResponse(xml: string): string;
}

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const NAMESPACES =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';

/** A private key in PEM, and a certificate of its public half in base64. */
export function keyWithCertificate(): { pem: string; certificate: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: selfSigned(publicKey, privateKey).toString('base64'),
  };
}

/** A company's identity provider that answers for a site at this address. */
export function createIdentityProvider(
  site: string,
  entityId = `https://idp.example.org/${randomUUID()}`,
): SamlIdentityProvider {
  const { pem, certificate } = keyWithCertificate();
  const sso = `${site}/auth/v1/sso/saml`;
  const signed = (xml: string, element: 'Assertion' | 'Response') =>
    signXml(
      xml,
      `//*[local-name(.)='${element}']`,
      { reference: `//*[local-name(.)='${element}']/*[local-name(.)='Issuer']`, action: 'after' },
      { privateKey: pem, signatureAlgorithm: 'sha256' },
    );

  return {
    entityId,
    metadata: `<?xml version="1.0"?>
      <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
        <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
          <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
            <ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
          <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
            Location="https://idp.example.org/sign-in"/>
        </md:IDPSSODescriptor>
      </md:EntityDescriptor>`,
    assertion(overrides) {
      const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
      const answers = overrides.requestId ? ` InResponseTo="${overrides.requestId}"` : '';
      const until = at(overrides.notOnOrAfter ?? 300);
      const issuer = `<saml:Issuer>${overrides.issuer ?? entityId}</saml:Issuer>`;
      const ends = overrides.sessionEnds ? ` SessionNotOnOrAfter="${at(overrides.sessionEnds)}"` : '';
      const attributes = Object.entries(overrides.attributes ?? {}).map(
        ([name, value]) =>
          `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
      );
      return `<samlp:Response ${NAMESPACES} ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}"${answers}>${issuer}<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="${overrides.id ?? `_${randomUUID()}`}" Version="2.0" IssueInstant="${at(0)}">${issuer}<saml:Subject><saml:NameID Format="${overrides.nameIdFormat ?? PERSISTENT}">${overrides.nameId ?? randomUUID()}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${overrides.recipient ?? `${sso}/acs`}" NotOnOrAfter="${until}"${answers}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(overrides.notBefore ?? -5)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${overrides.audience ?? `${sso}/metadata`}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"${ends}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`;
    },
    signAssertion: (xml) => signed(xml, 'Assertion'),
    signResponse: (xml) => signed(xml, 'Response'),
  };
}

/** A self-signed certificate, as identity providers use it; Node can read them but not make them. */
function selfSigned(publicKey: KeyObject, privateKey: KeyObject): Buffer {
  const RSA_SHA256 = tagged(0x30, Buffer.from('06092a864886f70d01010b0500', 'hex'));
  const name = tagged(
    0x30,
    tagged(0x31, tagged(0x30, Buffer.from('0603550403', 'hex'), tagged(0x0c, Buffer.from('idp')))),
  );
  const year = (offset: number) =>
    tagged(0x17, Buffer.from(`${String(new Date().getUTCFullYear() + offset).slice(2)}0101000000Z`));
  const body = tagged(
    0x30,
    tagged(0x02, Buffer.from([1])),
    RSA_SHA256,
    name,
    tagged(0x30, year(-1), year(2)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  return tagged(0x30, body, RSA_SHA256, tagged(0x03, Buffer.from([0]), signature));
}

/** ASN.1: kind, length, content. */
function tagged(kind: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([kind, ...length]), content]);
}
