import type { AuthHandler } from '../context.ts';
import { samlAcs } from './acs.ts';
import {
  createSsoProvider,
  deleteSsoProvider,
  getSsoProvider,
  listSsoProviders,
  updateSsoProvider,
} from './admin-providers.ts';
import { samlMetadata } from './service.ts';
import { signInWithSso } from './sso.ts';

/**
 * Sign-in by SAML, and the providers that an operator adds. The module that mounts these routes guards the
 * addresses below /admin.
 */
export function serveSaml(
  on: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, handler: AuthHandler) => void,
): void {
  on('POST', '/sso', signInWithSso);
  on('GET', '/sso/saml/metadata', samlMetadata);
  on('POST', '/sso/saml/acs', samlAcs);
  on('GET', '/admin/sso/providers', listSsoProviders);
  on('POST', '/admin/sso/providers', createSsoProvider);
  on('GET', '/admin/sso/providers/:id', getSsoProvider);
  on('PUT', '/admin/sso/providers/:id', updateSsoProvider);
  on('DELETE', '/admin/sso/providers/:id', deleteSsoProvider);
}
