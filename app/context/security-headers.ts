import { type CaptchaSettings, captchaSources } from '#app/captcha/settings.ts';
import type { SupabaseConfig } from '#app/supabase.ts';

/** The headers by which a browser keeps a page from what it does not need. */
export function setSecurityHeaders(
  headers: Headers,
  nonce: string,
  config: SupabaseConfig,
  captcha: CaptchaSettings | null,
) {
  // On every page, as readers can go from each to the sign-in page without loading another document.
  const check = captchaSources(captcha);
  const api = config.url ? new URL(config.url).origin : '';
  const policy = {
    'default-src': "'self'",
    'script-src': `'self' 'nonce-${nonce}' ${check}`,
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
