import { hash } from 'node:crypto';
import { type CaptchaSettings, captchaSources } from '#app/frame/captcha/settings.ts';
import type { SupabaseConfig } from '#app/supabase.ts';

/**
 * The headers by which a browser keeps a page from what it does not need.
 *
 * @param scripts the sources of the policy that let the page's inline scripts run; see `allowInlineScripts`
 */
export function setSecurityHeaders(
  headers: Headers,
  scripts: string,
  config: SupabaseConfig,
  captcha: CaptchaSettings | null,
) {
  // On every page, as readers can go from each to the sign-in page without loading another document.
  const check = captchaSources(captcha);
  const api = config.url ? new URL(config.url).origin : '';
  const policy = {
    'default-src': "'self'",
    'script-src': `'self' ${scripts} ${check}`,
    'style-src': "'self' 'unsafe-inline'",
    'img-src': `'self' data: blob: ${api}`,
    'media-src': `'self' blob: ${api}`,
    'connect-src': `'self' ${api} ${api.replace(/^http/, 'ws')} ${check}`,
    // Embedded videos in the forum, once a reader plays one.
    'frame-src': `https://www.youtube-nocookie.com ${check}`,
    'object-src': "'none'",
    'base-uri': "'self'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  };
  headers.set(
    'Content-Security-Policy',
    Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources.trim().replaceAll(/ +/g, ' ')}`)
      .join('; '),
  );
  headers.set('Content-Type', 'text/html; charset=utf-8');
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('X-Frame-Options', 'DENY');
}

/**
 * Lets the inline scripts that were rendered with the nonce run by the hashes of their texts (Content Security
 * Policy Level 3, 2.3.1), so that the same page has the same bytes for every visitor. A script that came into
 * the page in any other way does not have the nonce, which is random and leaves the page here, and gets no
 * hash.
 */
export function allowInlineScripts(html: string, nonce: string): { html: string; sources: string } {
  const attribute = ` nonce="${nonce}"`;
  const texts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].flatMap(([, attributes, text]) =>
    attributes?.includes(attribute) && text ? [text] : [],
  );
  const sources = new Set(texts.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`));
  return { html: html.replaceAll(attribute, ''), sources: [...sources].join(' ') };
}
