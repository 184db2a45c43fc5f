import { queryOptions } from '@tanstack/react-query';
import { dataOf, messageOf, unwrap } from '#app/errors.ts';
import type { CaptchaProof } from '#app/frame/captcha/captcha.tsx';
import { lacksSecondStep } from '#app/session.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { deviceOf } from './device.ts';

/** Said by a browser that has none, in the client library's words. */
const UNSUPPORTED = /does not support WebAuthn/;

/**
 * A refusal in words for the member. What a browser says is meant for programs, and it does not tell whether its user gave up
 * or has no passkey.
 */
export const inWords = (error: unknown, fallback: string) =>
  UNSUPPORTED.test(messageOf(error, ''))
    ? 'This browser can’t use passkeys. Try another one, or update it.'
    : messageOf(error, fallback);

/** @returns whether the second factor is still required */
export async function signInWithPasskey(
  { auth }: Client,
  proof: CaptchaProof,
): Promise<{ needsCode: boolean }> {
  const { data, error } = await auth.signInWithPasskey({ options: proof });
  if (error?.code === 'captcha_failed') throw error;
  if (error?.code === 'webauthn_verification_failed')
    throw new Error(
      'This passkey no longer works here. Sign in another way, then add a new one in Settings.',
    );
  if (error) throw new Error(inWords(error, 'No passkey was used. Try again, or sign in another way.'));
  return { needsCode: data.session !== null && lacksSecondStep(data.session) };
}

/** The member's passkeys, the oldest first. */
export const passkeysQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'passkeys', userId],
    queryFn: async () => unwrap(await (await client()).auth.passkey.list()),
  });

/** Has this device make a passkey, which is named after the browser where the service knows no better. */
export async function addPasskey({ auth }: Client): Promise<void> {
  const { data, error } = await auth.registerPasskey();
  if (error) throw new Error(inWords(error, 'No passkey was added. Please try again.'));
  if (data.friendly_name && data.friendly_name !== 'Passkey') return;
  await auth.passkey.update({ passkeyId: data.id, friendlyName: deviceOf(navigator.userAgent).name });
}

/** Gives a passkey another name, by which its owner knows it. */
export async function renamePasskey(
  { auth }: Client,
  passkeyId: string,
  friendlyName: string,
): Promise<void> {
  dataOf(await auth.passkey.update({ passkeyId, friendlyName }));
}

/** Removes a passkey from the account; the device keeps its half, which is of no use then. */
export async function removePasskey({ auth }: Client, passkeyId: string): Promise<void> {
  dataOf(await auth.passkey.delete({ passkeyId }));
}
