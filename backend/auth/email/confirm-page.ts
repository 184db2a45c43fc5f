import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Env } from '../../context.ts';

const WORDS: Record<string, { title: string; button: string }> = {
  signup: { title: 'Confirm your email', button: 'Confirm email' },
  invite: { title: 'Accept your invitation', button: 'Accept invitation' },
  magiclink: { title: 'Sign in', button: 'Sign in' },
  recovery: { title: 'Set a new password', button: 'Continue' },
  email_change: { title: 'Confirm your new email', button: 'Confirm new email' },
  email: { title: 'Confirm your email', button: 'Confirm email' },
};

/**
 * Asks a person to press a button, which a machine that only fetches links does not do. The colours are those
 * of the site, if its colour stylesheet exists.
 */
export async function confirmPage(
  context: Context<Env>,
  link: { token: string; type: string; redirectTo: string },
): Promise<Response> {
  const words = WORDS[link.type] ?? { title: 'Continue', button: 'Continue' };
  // Browsers hold the redirect that follows a form to this list too.
  const policy = `default-src 'none'; style-src 'self' 'unsafe-inline'; form-action 'self' ${sourceOf(link.redirectTo)}; frame-ancestors 'none'; base-uri 'none'`;
  context.header('content-security-policy', policy);
  context.header('referrer-policy', 'no-referrer');
  return context.html(html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title}</title>
<link rel="stylesheet" href="/theme.css">
<style>
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--bg); color: var(--ink); font: 16px/24px 'Atkinson Hyperlegible Next', system-ui, sans-serif; }
main { width: min(440px, 100% - 32px); box-sizing: border-box; padding: 32px; background: var(--surface); border: 1px solid var(--line, GrayText); border-radius: 8px; }
h1 { margin: 0 0 8px; font-size: 26px; line-height: 31px; font-weight: 640; letter-spacing: -.018em; text-wrap: balance; }
p { margin: 0 0 24px; color: var(--ink-2); }
button { min-height: 44px; padding: 0 16px; border: 0; border-radius: 8px; background: var(--accent, ButtonFace); color: var(--on-accent, ButtonText); font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
</style>
</head>
<body>
<main>
<h1>${words.title}</h1>
<p>Select the button to continue. The link in your email works once.</p>
<form method="post" action="verify">
<input type="hidden" name="token" value="${link.token}">
<input type="hidden" name="type" value="${link.type}">
<input type="hidden" name="redirect_to" value="${link.redirectTo}">
<button type="submit">${words.button}</button>
</form>
</main>
</body>
</html>`);
}

/** The form in which a content security policy names the target of an address. */
function sourceOf(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}
