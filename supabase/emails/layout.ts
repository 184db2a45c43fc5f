import { html, raw } from 'hono/html';
import { siteName, siteSettings } from '../../app/site.ts';
import { themesIn } from '../../app/ui/accent.ts';
import { dark, light } from '../../app/ui/tokens.ts';

/** HTML whose parts are escaped unless they are HTML themselves. */
type Html = ReturnType<typeof html>;
type Text = string | Html;

/** The tokens that the accent colour of the site changes. */
const accent = (theme: 'light' | 'dark', token: 'accent' | 'on-accent' | 'accent-soft' | 'accent-ink') =>
  raw(themesIn(siteSettings().accent_colour)[theme][token]);

const body = 'font-size: 16px; line-height: 24px;';

/**
 * An email for mail programs, which support only inline styles; most of them support dark colours.
 *
 * @param said the heading as the email shows it, with the languages of its parts
 */
export function emailHtml(heading: string, parts: Html[], name = siteName(), said: Text = heading): string {
  return String(html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<style>
  @media (prefers-color-scheme: dark) {
    .ground { background: ${raw(dark.bg)} !important; }
    .sheet { background: ${raw(dark.surface)} !important; border-color: ${raw(dark.line)} !important; }
    .ink { color: ${raw(dark.ink)} !important; }
    .quiet { color: ${raw(dark['ink-2'])} !important; }
    .line { border-color: ${raw(dark.line)} !important; }
    .go { background: ${accent('dark', 'accent')} !important; color: ${accent('dark', 'on-accent')} !important; }
    .code { background: ${accent('dark', 'accent-soft')} !important; color: ${accent('dark', 'accent-ink')} !important; }
    .link { color: ${accent('dark', 'accent')} !important; }
  }
</style>
</head>
<body class="ground" style="margin: 0; padding: 0; background: ${raw(light.bg)};">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background: ${raw(light.bg)};">
<tr>
<td align="center" style="padding: 32px 16px;">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" style="max-width: 520px; background: ${raw(light.surface)}; border: 1px solid ${raw(light.line)}; border-radius: 8px; font-family: 'Atkinson Hyperlegible Next', 'Atkinson Hyperlegible', Verdana, Arial, sans-serif; text-align: left;">
<tr>
<td style="padding: 28px 32px 32px;">
<p class="link" style="margin: 0 0 24px; ${raw(body)} font-weight: 600; color: ${accent('light', 'accent')};">${name}</p>
<h1 class="ink" style="margin: 0 0 12px; font-size: 26px; line-height: 31px; font-weight: 600; color: ${raw(light.ink)};">${said}</h1>
${parts.map((part) => html`${part}\n`)}</td>
</tr>
</table>
</td>
</tr>
</table>
</body>
</html>
`);
}

/** A paragraph in the site’s own words. */
export const paragraph = (text: Text): Html =>
  html`<p class="quiet" style="margin: 0 0 20px; ${raw(body)} color: ${raw(light['ink-2'])};">${text}</p>`;

/** Another person's text, with its line breaks. */
export const quote = (text: string): Html =>
  html`<p class="ink line" style="margin: 0 0 20px; padding-left: 16px; border-left: 4px solid ${raw(light.line)}; ${raw(body)} color: ${raw(light.ink)}; white-space: pre-line;">${text}</p>`;

/** One of several lines with a rule above each. */
export const row = (text: Text): Html =>
  html`<p class="ink line" style="margin: 0; padding: 12px 0; border-top: 1px solid ${raw(light.line)}; ${raw(body)} color: ${raw(light.ink)};">${text}</p>`;

/** The title of several lines, with a rule above. */
export const group = (text: Text): Html =>
  html`<p class="ink line" style="margin: 16px 0 0; padding: 16px 0 4px; border-top: 1px solid ${raw(light.line)}; ${raw(body)} color: ${raw(light.ink)};">${text}</p>`;
/** A further line under the title that `group` makes. */
export const line = (text: Text): Html =>
  html`<p class="ink" style="margin: 0; padding: 4px 0; ${raw(body)} color: ${raw(light.ink)};">${text}</p>`;

/** The one thing to do, as a link that looks like a button. */
export const button = (label: string, href: string): Html =>
  html`<p style="margin: 0 0 24px;"><a class="go" href="${href}" style="display: inline-block; padding: 10px 16px; border-radius: 8px; background: ${accent('light', 'accent')}; color: ${accent('light', 'on-accent')}; ${raw(body)} font-weight: 600; text-decoration: none;">${label}</a></p>`;

/** A code to be typed elsewhere. */
export const code = (text: string): Html =>
  html`<p class="code ink" style="margin: 0 0 24px; padding: 12px 16px; border-radius: 8px; background: ${accent('light', 'accent-soft')}; color: ${accent('light', 'accent-ink')}; font-size: 26px; line-height: 31px; font-weight: 600; letter-spacing: 4px;">${text}</p>`;

/** The last paragraph, for example the reason for sending the email. */
export const smallPrint = (text: Text): Html =>
  html`<p class="quiet" style="margin: 0; font-size: 14px; line-height: 20px; color: ${raw(light['ink-3'])};">${text}</p>`;

/** A link within a paragraph or a line. */
export const link = (label: Text, href: string): Html =>
  html`<a class="link" href="${href}" style="color: ${accent('light', 'accent')};">${label}</a>`;
