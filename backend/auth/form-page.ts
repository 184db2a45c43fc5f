import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { Env } from '../context.ts';

interface Form {
  title: string;
  text: string;
  button: string;
  action: string;
  fields: Record<string, string>;
  /** The origins to which the answer to the form may redirect, beside the site's own; undefined for any. */
  leadsTo?: string;
  /** Whether a script presses the button. */
  sendsItself?: boolean;
}

const SCRIPT = 'document.forms[0].submit()';
const SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`;

/**
 * A page with one button. The colours are those of the site, if its colour stylesheet exists.
 */
export async function formPage(context: Context<Env>, form: Form): Promise<Response> {
  context.header(
    'content-security-policy',
    [
      `default-src 'none'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'`,
      // Browsers hold the redirect that follows a form to this list too.
      ...(form.leadsTo === undefined ? [] : [`form-action 'self' ${form.leadsTo}`]),
      ...(form.sendsItself ? [`script-src ${SCRIPT_SOURCE}`] : []),
    ].join('; '),
  );
  context.header('referrer-policy', 'no-referrer');
  return context.html(html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${form.title}</title>
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
<h1>${form.title}</h1>
<p>${form.text}</p>
<form method="post" action="${form.action}">
${Object.entries(form.fields).map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
)}<button type="submit">${form.button}</button>
</form>
</main>
${form.sendsItself ? raw(`<script>${SCRIPT}</script>`) : ''}
</body>
</html>`);
}
