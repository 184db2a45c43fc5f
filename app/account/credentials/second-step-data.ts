import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { deviceOf } from './device.ts';
import { inWords } from './passkey-data.ts';

/** A hosted project may have recovery codes switched off, and an older one has no address for them. */
const isOff = ({ code, status }: { code?: string | undefined; status?: number | undefined }) =>
  code === 'mfa_recovery_codes_enroll_not_enabled' ||
  code === 'mfa_recovery_codes_verify_not_enabled' ||
  ((status === 404 || status === 405) && code !== 'mfa_factor_not_found');

export const NO_RECOVERY_CODES =
  'Recovery codes are not available on this site. Set up your authenticator app on a second device too.';

/**
 * The member's authenticator apps and keys of devices, and how many recovery codes are left: null when none were ever issued, "off" where
 * there are none to be had.
 */
export const secondStepQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'second-step', userId],
    queryFn: async () => {
      const { auth } = await client();
      const { totp: apps, webauthn: keys } = unwrap(await auth.mfa.listFactors());
      if (!hasFactor({ apps, keys })) return { apps, keys, codesLeft: null };
      const { data, error } = await auth.mfa.recoveryCodes.getStatus();
      if (error && isOff(error)) return { apps, keys, codesLeft: 'off' as const };
      if (error && error.code !== 'mfa_factor_not_found') throw error;
      return { apps, keys, codesLeft: data?.remaining ?? null };
    },
  });

/** Whether two-step sign-in is set up. */
export const hasFactor = ({ apps, keys }: { apps: unknown[]; keys: unknown[] }): boolean =>
  apps.length + keys.length > 0;

export type Enrolment = Awaited<ReturnType<typeof enrollAuthenticator>>;

/** Enrols a new app: returns the code to scan or type, which is then confirmed with a code of the app. */
export async function enrollAuthenticator({ auth }: Client, name: string) {
  await removeUnverified(auth);
  return unwrap(await auth.mfa.enroll({ factorType: 'totp', friendlyName: name }));
}

/** An app or key that was enrolled but never verified would block a new one. */
async function removeUnverified({ mfa }: Client['auth']): Promise<void> {
  for (const { id, status } of unwrap(await mfa.listFactors()).all)
    if (status === 'unverified') await mfa.unenroll({ factorId: id });
}

/** Makes a passkey of this device, or a security key that is plugged in, a second step. */
export async function enrollKey({ auth }: Client): Promise<void> {
  await removeUnverified(auth);
  const device = deviceOf(navigator.userAgent).name;
  const names = unwrap(await auth.mfa.listFactors()).all.map(({ friendly_name }) => friendly_name);
  let [friendlyName, number] = [device, 1];
  while (names.includes(friendlyName)) friendlyName = `${device} ${++number}`;
  const { error } = await auth.mfa.webauthn.register(
    { friendlyName },
    // The client library would ask for a key that is plugged in; a kind that browsers do not know lets them take any.
    { hints: [], authenticatorSelection: { authenticatorAttachment: 'any' as AuthenticatorAttachment } },
  );
  if (error) throw new Error(inWords(error, 'No passkey or security key was added. Please try again.'));
}

/** Verifies the second factor with whichever of the member's keys is at hand. */
export async function confirmByKey({ auth }: Client): Promise<void> {
  const [key] = unwrap(await auth.mfa.listFactors()).webauthn;
  if (!key) throw new Error('You have no passkey or security key to confirm with');
  const { error } = await auth.mfa.webauthn.authenticate({ factorId: key.id });
  if (!error) return;
  throw new Error(
    error.code === 'mfa_verification_failed'
      ? 'This passkey or security key isn’t one of yours. Use another one.'
      : inWords(error, 'No passkey or security key was used. Please try again.'),
  );
}

/** Verifies the second factor with a code of one of the apps. */
export async function confirmCode({ auth }: Client, code: string, factorId?: string): Promise<void> {
  const ids = factorId ? [factorId] : unwrap(await auth.mfa.listFactors()).totp.map(({ id }) => id);
  const digits = code.replaceAll(/\s/g, '');
  let refused: unknown = new Error('You have no authenticator app to confirm with');
  for (const id of ids) {
    const { error } = await auth.mfa.challengeAndVerify({ factorId: id, code: digits });
    if (!error) return;
    refused = error;
  }
  throw refused;
}

/** Verifies the second factor with a recovery code, for a member without their app; each code works once. */
export async function confirmRecoveryCode({ auth }: Client, code: string): Promise<void> {
  const { error } = await auth.mfa.recoveryCodes.verify({ code: code.trim() });
  if (error && isOff(error)) throw new Error(NO_RECOVERY_CODES);
  if (error?.code === 'mfa_verification_failed')
    throw new Error('This recovery code is incorrect or was already used.');
  if (error) throw error;
}

/**
 * Issues new recovery codes, shown only this once; the earlier codes become invalid.
 *
 * @returns undefined where there are none to be had
 */
export async function newRecoveryCodes({ auth }: Client): Promise<string[] | undefined> {
  const response = await auth.mfa.recoveryCodes.generate();
  if (response.error && isOff(response.error)) return undefined;
  if (response.error?.code === 'mfa_verified_factor_exists')
    return unwrap(await auth.mfa.recoveryCodes.regenerate()).codes;
  return unwrap(response).codes;
}

/** Removes an app or key, where another is left. */
export async function removeFactor({ auth }: Client, factorId: string): Promise<void> {
  unwrap(await auth.mfa.unenroll({ factorId }));
}

/** Ends two-step sign-in: the recovery codes first, which are useless alone. */
export async function removeSecondStep({ auth }: Client): Promise<void> {
  const { error } = await auth.mfa.recoveryCodes.unenroll();
  if (error && error.code !== 'mfa_factor_not_found' && !isOff(error)) throw error;
  const { totp, webauthn } = unwrap(await auth.mfa.listFactors());
  for (const { id } of [...totp, ...webauthn]) unwrap(await auth.mfa.unenroll({ factorId: id }));
  // The session must be refreshed so that it no longer requires a second factor.
  unwrap(await auth.refreshSession());
}
