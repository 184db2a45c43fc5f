import type { AuthHandler } from '../context.ts';
import { passkeyAuthenticationOptions, verifyPasskeyAuthentication } from './passkey-authentication.ts';
import { passkeyRegistrationOptions, verifyPasskeyRegistration } from './passkey-registration.ts';
import {
  adminDeletePasskey,
  adminListPasskeys,
  deletePasskey,
  listPasskeys,
  renamePasskey,
} from './passkeys.ts';

/** Passkeys, by which people sign in without a password. */
export function servePasskeys(
  on: (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, operation: AuthHandler) => void,
): void {
  on('POST', '/passkeys/authentication/options', passkeyAuthenticationOptions);
  on('POST', '/passkeys/authentication/verify', verifyPasskeyAuthentication);
  on('POST', '/passkeys/registration/options', passkeyRegistrationOptions);
  on('POST', '/passkeys/registration/verify', verifyPasskeyRegistration);
  on('GET', '/passkeys', listPasskeys);
  on('PATCH', '/passkeys/:id', renamePasskey);
  on('DELETE', '/passkeys/:id', deletePasskey);
  // The guard of these addresses is set up before.
  on('GET', '/admin/users/:id/passkeys', adminListPasskeys);
  on('DELETE', '/admin/users/:id/passkeys/:passkey', adminDeletePasskey);
}
