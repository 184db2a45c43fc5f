import { type Context, Hono } from 'hono';
import { html, raw } from 'hono/html';
import { secureHeaders } from 'hono/secure-headers';
import { PRODUCT_NAME } from '#app/site.ts';
import type { Config } from '#backend/config.ts';
import type { Env } from '#backend/context.ts';
import { fromThisMachine } from '#backend/http/client-address.ts';
import { type CapturedMail, readCaptured } from '#backend/mail/mail.ts';

/** Whether messages are captured for these pages instead of being sent. */
const capturesMail = (config: Config) =>
  !config.production && (!config.smtpUrl || (config.auth.sms.enabled && !config.smsGateway));

/** Whether a request is for the captured messages rather than for a page. */
export const isMailboxPath = (path: string) => /^\/mail(?:\/|$)/.test(path);

/**
 * /mail: the messages that would have been sent. They are shown only on this machine, since they hold links
 * that sign people in.
 *
 * @param settled resolves when the messages of earlier requests have been written
 * @returns undefined where messages are really sent
 */
export function createMailbox(config: Config, settled: () => Promise<void>): Hono<Env> | undefined {
  if (!capturesMail(config)) return undefined;
  const app = new Hono<Env>().basePath('/mail');
  // The server answers and logs an unforeseen error.
  app.onError((error) => {
    throw error;
  });
  app.use(async (context, next) => {
    if (!fromThisMachine(context) || isForeign(context)) return context.notFound();
    context.header('cache-control', 'no-store');
    await settled();
    return next();
  });
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ['data:'],
        frameSrc: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
      referrerPolicy: 'no-referrer',
    }),
  );
  app.get('/messages.json', async (context) => context.json(await readCaptured(config)));
  app.get('/', async (context) => context.html(list(await readCaptured(config))));
  app.get('/:id', async (context) => {
    const mail = (await readCaptured(config)).find((one) => one.id === context.req.param('id'));
    return mail ? context.html(message(mail)) : context.notFound();
  });
  return app;
}

/**
 * Whether another site's page makes the request, by the browser's fetch metadata
 * (https://www.w3.org/TR/fetch-metadata/). Such a page may link here, but neither read nor embed these pages.
 */
function isForeign({ req }: Context<Env>): boolean {
  const origin = req.header('origin');
  if (origin !== undefined && origin !== new URL(req.url).origin) return true;
  const site = req.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return req.header('sec-fetch-mode') !== 'navigate' || req.header('sec-fetch-dest') !== 'document';
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

function list(mails: CapturedMail[]) {
  return page(
    'Mailbox',
    html`<h1>Mailbox</h1>
<p class="quiet">No server is set for them, so messages are kept here instead of being sent.</p>
${
  mails.length === 0
    ? html`<p class="empty">No messages yet. Sign up with any address, and the confirmation will be here.</p>`
    : html`<ul>${mails.map(
        (mail) =>
          html`<li><a href="/mail/${mail.id}"><span class="subject">${mail.subject}</span><span class="quiet">To ${mail.to}</span><time datetime="${mail.date}">${time.format(new Date(mail.date))}</time></a></li>`,
      )}</ul>`
}`,
  );
}

function message(mail: CapturedMail) {
  // Links open in the whole window, so that they do what they do in a mail program; scripts never run.
  const framed = mail.html.replace(/<head>/i, '<head><base target="_top">');
  return page(
    mail.subject,
    html`<p><a class="back" href="/mail">Mailbox</a></p>
<h1>${mail.subject}</h1>
<dl><div><dt>To</dt><dd>${mail.to}</dd></div><div><dt>From</dt><dd>${mail.from}</dd></div><div><dt>Sent</dt><dd><time datetime="${mail.date}">${time.format(new Date(mail.date))}</time></dd></div></dl>
${
  mail.html &&
  html`<iframe title="Message" sandbox="allow-top-navigation-by-user-activation allow-popups" srcdoc="${framed}"></iframe>
<h2>As plain text</h2>`
}
<pre tabindex="0">${mail.text}</pre>`,
  );
}

const STYLE = `
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/24px 'Atkinson Hyperlegible Next', system-ui, sans-serif; }
main { width: min(760px, 100% - 32px); margin: 0 auto; padding: 40px 0 72px; }
h1 { margin: 0 0 8px; font-size: 32px; line-height: 38px; font-weight: 640; letter-spacing: -.018em; text-wrap: balance; }
h2 { margin: 32px 0 12px; font-size: 21px; line-height: 28px; font-weight: 640; }
a { color: var(--accent); text-underline-offset: 3px; }
a:focus-visible, pre:focus-visible, iframe:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 8px; }
.quiet, dt, time { color: var(--ink-2); }
.empty { padding: 48px 24px; text-align: center; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
ul { list-style: none; margin: 24px 0 0; padding: 0; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; overflow: clip; }
li + li { border-top: 1px solid var(--line); }
li a { display: grid; grid-template-columns: 1fr auto; gap: 0 16px; padding: 12px 20px; min-height: 44px; text-decoration: none; color: inherit; }
li a:hover .subject { text-decoration: underline; }
li .subject { font-weight: 620; }
li time { grid-area: 1 / 2; font-size: 14px; }
li .quiet { grid-column: 1 / -1; overflow-wrap: anywhere; }
dl { margin: 16px 0 24px; }
dl div { display: flex; gap: 12px; }
dt { width: 48px; flex: none; }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { display: block; width: 100%; height: 640px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
pre { margin: 0; padding: 16px 20px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/20px ui-monospace, monospace; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
`;

function page(title: string, body: unknown) {
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${PRODUCT_NAME} mail</title>
<link rel="stylesheet" href="/theme.css">
<style>${raw(STYLE)}</style>
</head>
<body><main>${body}</main></body>
</html>`;
}
