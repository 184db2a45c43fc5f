import type { SAML } from '@node-saml/node-saml';
import { z } from 'zod';
import { AuthError } from '../errors.ts';
import { readXml } from './identity-provider.ts';

/** The claims of an identity provider, checked, and read only from the part that it signed. */
export interface Assertion {
  /** The provider's permanent identifier of the person. */
  userId: string;
  /** By name and by friendly name. */
  attributes: Map<string, string[]>;
  email: string | undefined;
  /** The time at which the provider wants the session to end. */
  sessionEnds: Date | undefined;
}

export interface ExpectedAssertion {
  entityId: string;
  acs: string;
  /** The request of this site that it must answer. */
  requestId: string;
}

const text = z.union([z.string(), z.object({ _: z.string().optional() }).transform((node) => node._ ?? '')]);
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

const empty = z.literal('').transform(() => ({ Attribute: undefined }));
const attributeStatement = z.object({
  Attribute: z
    .array(
      z.object({
        $: z.object({ Name: z.string(), FriendlyName: z.string().optional() }),
        AttributeValue: z.array(text.catch('')).optional(),
      }),
    )
    .optional(),
});

// The assertion as the library returns it: every element a list, attributes under `$`, text under `_`.
const assertionSchema = z.object({
  Assertion: z.object({
    Issuer: z.tuple([text]),
    Subject: z.tuple([
      z.object({
        NameID: z
          .tuple([z.object({ _: z.string(), $: z.object({ Format: z.string().optional() }).optional() })])
          .optional(),
        SubjectConfirmation: z.array(
          z.object({
            $: z.object({ Method: z.string() }),
            SubjectConfirmationData: z
              .tuple([
                z.object({
                  $: z.object({
                    Recipient: z.string(),
                    NotOnOrAfter: time,
                    InResponseTo: z.string().optional(),
                  }),
                }),
              ])
              .optional()
              .catch(undefined),
          }),
        ),
      }),
    ]),
    AuthnStatement: z
      .array(z.object({ $: z.object({ SessionNotOnOrAfter: time.optional() }).optional() }))
      .min(1),
    AttributeStatement: z.array(z.union([empty, attributeStatement])).optional(),
  }),
});

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id';
const EMAIL_ATTRIBUTES = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'Mail',
  'email',
];
const CLOCK_SKEW = 60_000;

/** The elements, and the attributes, that may be in an answer; one that lists 150 groups of a person has half as many. */
const MOST_OF_ANSWER = 800;

/** What a company's form carries, which may be of anyone; undefined when it is no XML, or too much of it. */
export const readResponse = (response: string): Promise<unknown> =>
  readXml(Buffer.from(response, 'base64').toString(), MOST_OF_ANSWER);

/**
 * Checks signature, time and audience (by the library), and the issuer, the address and the request it
 * answers.
 *
 * @throws AuthError validation_failed, or saml_assertion_no_user_id
 */
export async function readAssertion(
  saml: SAML,
  response: string,
  expected: ExpectedAssertion,
): Promise<Assertion> {
  const { Assertion: assertion } = await signedPart(saml, response);
  const [subject] = assertion.Subject;
  if (assertion.Issuer[0] !== expected.entityId) throw invalid('it has another issuer');
  const confirmation = subject.SubjectConfirmation.flatMap(({ $, SubjectConfirmationData: data }) =>
    $.Method === BEARER && data ? data[0].$ : [],
  ).find(
    ({ Recipient, NotOnOrAfter, InResponseTo }) =>
      Recipient === expected.acs &&
      NotOnOrAfter.getTime() > Date.now() - CLOCK_SKEW &&
      InResponseTo === expected.requestId,
  );
  if (!confirmation) throw invalid('it was not made for this sign-in');

  const attributes = new Map<string, string[]>();
  for (const { $, AttributeValue: values = [] } of (assertion.AttributeStatement ?? []).flatMap(
    (statement) => statement.Attribute ?? [],
  )) {
    for (const name of new Set([$.Name, $.FriendlyName]))
      if (name) attributes.set(name, [...(attributes.get(name) ?? []), ...values.filter((value) => value)]);
  }
  const nameId = subject.NameID?.[0];
  const userId = attributes.get(SUBJECT_ID)?.[0] ?? persistentNameId(nameId?._, nameId?.$?.Format);
  if (!userId) {
    throw new AuthError(
      'saml_assertion_no_user_id',
      'SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user',
    );
  }
  const emailAttribute = EMAIL_ATTRIBUTES.flatMap((name) => attributes.get(name) ?? [])[0];
  return {
    userId,
    attributes,
    email: emailAttribute ?? (nameId?.$?.Format === EMAIL ? nameId._ : undefined),
    sessionEnds: assertion.AuthnStatement.find((statement) => statement.$?.SessionNotOnOrAfter)?.$
      ?.SessionNotOnOrAfter,
  };
}

async function signedPart(saml: SAML, response: string) {
  if ((await readResponse(response)) === undefined) throw invalid('it is no XML, or too much of it');
  let signed: unknown;
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response });
    signed = profile?.getAssertion?.();
  } catch (cause) {
    throw invalid('its signature, time or audience is wrong', cause);
  }
  const parsed = assertionSchema.safeParse(signed);
  if (!parsed.success) throw invalid('it is incomplete', parsed.error);
  return parsed.data;
}

/** The name identifier, unless the provider makes a new one each time. */
function persistentNameId(name: string | undefined, format: string | undefined): string | undefined {
  if (format === TRANSIENT) return undefined;
  return format === EMAIL ? name?.trim().toLowerCase() : name;
}

const invalid = (reason: string, cause?: unknown) =>
  new AuthError('validation_failed', `SAML Assertion is not valid: ${reason}`, { cause });
