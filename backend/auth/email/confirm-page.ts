import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import { formPage } from '../form-page.ts';

const WORDS: Record<string, { title: string; button: string }> = {
  signup: { title: 'Confirm your email', button: 'Confirm email' },
  invite: { title: 'Accept your invitation', button: 'Accept invitation' },
  magiclink: { title: 'Sign in', button: 'Sign in' },
  recovery: { title: 'Set a new password', button: 'Continue' },
  email_change: { title: 'Confirm your new email', button: 'Confirm new email' },
  email: { title: 'Confirm your email', button: 'Confirm email' },
};

/** Asks a person to press a button, which a machine that only fetches links does not do. */
export function confirmPage(
  context: Context<Env>,
  { token, type, redirectTo }: { token: string; type: string; redirectTo: string },
): Promise<Response> {
  return formPage(context, {
    ...(WORDS[type] ?? { title: 'Continue', button: 'Continue' }),
    text: 'Select the button to continue. The link in your email works once.',
    action: 'verify',
    fields: { token, type, redirect_to: redirectTo },
    leadsTo: sourceOf(redirectTo),
  });
}

/** The form in which a content security policy names the target of an address. */
function sourceOf(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}
