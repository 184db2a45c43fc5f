import type { Query } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import { AuthError } from '../errors.ts';
import { fetchMetadata, type IdentityProvider, readMetadata } from './identity-provider.ts';

/** The mapping from an assertion's attributes to claims. */
interface AttributeMapping {
  keys?: Record<string, { name?: string; names?: string[]; default?: unknown; array?: boolean }>;
}

export interface SsoProvider {
  id: string;
  disabled: boolean | null;
  resource_id: string | null;
  created_at: Date;
  updated_at: Date;
  entity_id: string;
  metadata_xml: string;
  metadata_url: string | null;
  attribute_mapping: AttributeMapping | null;
  name_id_format: string | null;
  domains: { domain: string }[];
  /** Whether the metadata at `metadata_url` may have changed since it was read. */
  stale: boolean;
}

const SELECT = `select p.id, p.disabled, p.resource_id, p.created_at, p.updated_at, s.entity_id, s.metadata_xml, s.metadata_url,
    s.attribute_mapping, s.name_id_format, s.metadata_url is not null and s.updated_at < now() - interval '1 day' as stale,
    coalesce((select jsonb_agg(jsonb_build_object('domain', d.domain) order by d.domain)
      from auth.sso_domains d where d.sso_provider_id = p.id), '[]') as domains
  from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id`;

/** Every company’s provider for the list of the administrators, the oldest first. */
export async function allSsoProviders(query: Query): Promise<SsoProvider[]> {
  return (await query<SsoProvider>(`${SELECT} order by p.created_at, p.id`)).rows;
}

/** The provider that a client, an administrator or a request of this site names by its id. */
export async function ssoProviderById(query: Query, id: string): Promise<SsoProvider | undefined> {
  return (await query<SsoProvider>(`${SELECT} where p.id = $1`, [id])).rows[0];
}

/** The provider of an email domain, whose case does not matter, for clients that know no more of a person. */
export async function ssoProviderByDomain(query: Query, domain: string): Promise<SsoProvider | undefined> {
  const { rows } = await query<SsoProvider>(
    `${SELECT} where p.id = (select sso_provider_id from auth.sso_domains where lower(domain) = lower($1))`,
    [domain],
  );
  return rows[0];
}

/** The provider that sent an answer which no request of this site preceded; SAML names it by an entity ID. */
export async function ssoProviderByEntity(query: Query, entityId: string): Promise<SsoProvider | undefined> {
  return (await query<SsoProvider>(`${SELECT} where s.entity_id = $1`, [entityId])).rows[0];
}

/** @throws AuthError sso_provider_disabled */
export function refuseDisabled(provider: SsoProvider): void {
  if (provider.disabled) {
    throw new AuthError(
      'sso_provider_disabled',
      'SSO Provider assigned for this domain is currently disabled',
    );
  }
}

/** The provider's metadata, fetched again once a day where it has an address, since certificates change. */
export async function identityProviderOf(
  auth: AuthContext,
  provider: SsoProvider,
): Promise<IdentityProvider> {
  if (provider.stale && provider.metadata_url) {
    try {
      const xml = await fetchMetadata(provider.metadata_url);
      const fresh = await readMetadata(xml);
      if (fresh.entityId === provider.entity_id) {
        await auth.authDatabase.query(
          'update auth.saml_providers set metadata_xml = $2, updated_at = now() where sso_provider_id = $1',
          [provider.id, xml],
        );
        return fresh;
      }
    } catch (error) {
      auth.log.warn({ err: error, provider: provider.id }, 'SAML metadata could not be read again');
    }
  }
  return readMetadata(provider.metadata_xml);
}
