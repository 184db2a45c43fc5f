import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { z } from 'zod';
import { isTrustworthy } from '../../config-auth.ts';
import type { Env } from '../../context.ts';
import { DatabaseError, type Query } from '../../database/database.ts';
import { isUuid } from '../../uuid.ts';
import { type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { fetchMetadata, type IdentityProvider, readMetadata } from './identity-provider.ts';
import { allSsoProviders, type SsoProvider, ssoProviderById } from './providers.ts';

const NAME_ID_FORMATS = [
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
] as const;

const mapping = z.object({
  keys: z
    .record(
      z.string().max(100),
      z.object({
        name: z.string().optional(),
        names: z.array(z.string()).optional(),
        default: z.unknown().optional(),
        array: z.boolean().optional(),
      }),
    )
    .optional(),
});

const body = z.object({
  type: field.text,
  metadata_url: field.text,
  metadata_xml: z.string().nullish(),
  domains: z
    .array(
      z
        .string()
        .toLowerCase()
        .regex(/^(?=.{1,253}$)[a-z\d-]+(?:\.[a-z\d-]+)+$/, 'must be a domain name'),
    )
    .max(100)
    .nullish(),
  attribute_mapping: mapping.nullish(),
  name_id_format: z.enum(NAME_ID_FORMATS).or(z.literal('')).nullish(),
  disabled: z.boolean().nullish(),
});

/** GET /admin/sso/providers */
export const listSsoProviders: AuthHandler = async (context, auth) => {
  const providers = await allSsoProviders(auth.authDatabase.query.bind(auth.authDatabase));
  return context.json({ items: providers.map((provider) => present({ ...provider, metadata_xml: '' })) });
};

/** POST /admin/sso/providers */
export const createSsoProvider: AuthHandler = async (context, auth) => {
  const given = await readBody(context, body);
  if (given.type !== 'saml')
    throw new AuthError('validation_failed', "Only 'saml' supported for SSO provider type");
  const metadata = await metadataFrom(given);
  if (!metadata) throw new AuthError('validation_failed', 'Either metadata_xml or metadata_url must be set');
  const provider = await orConflict(metadata.idp, () =>
    auth.authDatabase.transaction(async (query) => {
      const id = randomUUID();
      await query(
        'insert into auth.sso_providers (id, disabled, created_at, updated_at) values ($1, $2, now(), now())',
        [id, given.disabled ?? false],
      );
      await query(
        `insert into auth.saml_providers (id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping,
           name_id_format, created_at, updated_at)
         values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, now(), now())`,
        [
          id,
          metadata.idp.entityId,
          metadata.xml,
          given.metadata_url ?? null,
          given.attribute_mapping ?? {},
          given.name_id_format || null,
        ],
      );
      await setDomains(query, id, given.domains ?? []);
      return ssoProviderById(query, id);
    }),
  );
  return context.json(provider && present(provider), 201);
};

/** GET /admin/sso/providers/{id} */
export const getSsoProvider: AuthHandler = async (context, auth) =>
  context.json(present(await target(context, auth.authDatabase.query.bind(auth.authDatabase))));

/** PUT /admin/sso/providers/{id}: fields that the body omits stay unchanged. */
export const updateSsoProvider: AuthHandler = async (context, auth) => {
  const given = await readBody(context, body);
  const before = await target(context, auth.authDatabase.query.bind(auth.authDatabase));
  const metadata = await metadataFrom(given);
  if (metadata && metadata.idp.entityId !== before.entity_id) {
    throw new AuthError(
      'saml_entity_id_mismatch',
      `SAML Metadata can be updated only if the EntityID matches for the provider; expected '${before.entity_id}' but got '${metadata.idp.entityId}'`,
    );
  }
  const provider = await orConflict(metadata?.idp, () =>
    auth.authDatabase.transaction(async (query) => {
      await query(
        `with provider as (
           update auth.sso_providers set disabled = coalesce($2, disabled), updated_at = now() where id = $1
         )
         update auth.saml_providers set metadata_xml = coalesce($3, metadata_xml),
           metadata_url = case when $3 is null then metadata_url else $4 end,
           attribute_mapping = coalesce($5, attribute_mapping),
           name_id_format = case when $6 then $7 else name_id_format end, updated_at = now()
         where sso_provider_id = $1`,
        [
          before.id,
          given.disabled ?? null,
          metadata?.xml ?? null,
          given.metadata_url ?? null,
          given.attribute_mapping ?? null,
          typeof given.name_id_format === 'string',
          given.name_id_format || null,
        ],
      );
      if (given.domains) await setDomains(query, before.id, given.domains);
      return ssoProviderById(query, before.id);
    }),
  );
  return context.json(provider && present(provider));
};

/** DELETE /admin/sso/providers/{id} */
export const deleteSsoProvider: AuthHandler = async (context, auth) => {
  const provider = await auth.authDatabase.transaction(async (query) => {
    const found = await target(context, query);
    await query('delete from auth.sso_providers where id = $1', [found.id]);
    return found;
  });
  return context.json(present(provider));
};

async function target(context: Context<Env>, query: Query): Promise<SsoProvider> {
  const id = context.req.param('id');
  const provider = isUuid(id) ? await ssoProviderById(query, id) : undefined;
  if (!provider) throw new AuthError('sso_provider_not_found', 'SSO Identity Provider not found');
  return provider;
}

async function metadataFrom(
  given: z.output<typeof body>,
): Promise<{ xml: string; idp: IdentityProvider } | undefined> {
  const { metadata_url: address, metadata_xml: inline } = given;
  if (address && inline)
    throw new AuthError('validation_failed', 'Only one of metadata_xml or metadata_url needs to be set');
  if (address && !isTrustworthy(address))
    throw new AuthError('validation_failed', 'metadata_url is not a HTTPS URL');
  const xml = address ? await fetchMetadata(address) : inline;
  return xml ? { xml, idp: await readMetadata(xml) } : undefined;
}

async function setDomains(query: Query, id: string, domains: string[]): Promise<void> {
  await query('delete from auth.sso_domains where sso_provider_id = $1 and domain <> all($2)', [id, domains]);
  await query(
    `insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at)
     select gen_random_uuid(), $1, domain, now(), now() from unnest($2::text[]) as domain
     where domain not in (select domain from auth.sso_domains where sso_provider_id = $1)`,
    [id, [...new Set(domains)]],
  );
}

/** Names which of the two unique values another provider already uses. */
async function orConflict<T>(idp: IdentityProvider | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === '23505')) throw error;
    throw error.table === 'sso_domains'
      ? new AuthError(
          'sso_domain_already_exists',
          'An SSO Domain is already assigned to another SSO identity provider',
          { cause: error },
        )
      : new AuthError(
          'saml_idp_already_exists',
          `SAML Identity Provider with this EntityID (${idp?.entityId}) already exists`,
          { cause: error },
        );
  }
}

function present(provider: SsoProvider) {
  return {
    id: provider.id,
    resource_id: provider.resource_id ?? undefined,
    disabled: provider.disabled ?? false,
    saml: {
      entity_id: provider.entity_id,
      metadata_xml: provider.metadata_xml || undefined,
      metadata_url: provider.metadata_url ?? undefined,
      attribute_mapping: provider.attribute_mapping ?? {},
      name_id_format: provider.name_id_format ?? undefined,
    },
    domains: provider.domains,
    created_at: provider.created_at,
    updated_at: provider.updated_at,
  };
}
