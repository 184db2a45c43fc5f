import type { Context } from 'hono';
import type { Config } from '../config.ts';
import type { Env } from '../context.ts';

/** The most characters of an address, which is kept until the person comes back. */
const MAX_LENGTH = 4096;
/** The most of them, without the query, that are compared with the operator's patterns. */
const MAX_COMPARED_LENGTH = 2048;

/**
 * The address to which a person is sent after a mailed link: the one that the request names, else the one it
 * came from, if it belongs to the site or to the operator's list; otherwise the site.
 */
export function redirectTarget(context: Context<Env>, config: Config, inBody?: string): string {
  const requested = context.req.query('redirect_to') || inBody;
  if (requested) return isAllowed(requested, config) ? requested : config.auth.site_url;
  const referer = context.req.header('referer');
  return referer && isAllowed(referer, config) ? referer : config.auth.site_url;
}

/** Whether an address is the site's own, or in the operator's list. */
export function isAllowed(target: string, config: Config): boolean {
  if (target.length > MAX_LENGTH) return false;
  const url = URL.parse(target);
  if (!url || url.username || url.password) return false;
  const own = [config.siteUrl, config.auth.site_url].map((address) => new URL(address).origin);
  // A script that goes to the path of such an address would leave the site.
  if (url.origin !== 'null' && own.includes(url.origin)) return !url.pathname.startsWith('//');
  const plain = `${url.protocol}//${url.host}${url.pathname}`;
  // The number of ways in which two wildcards of a pattern can share a path grows with its length.
  if (plain.length > MAX_COMPARED_LENGTH) return config.auth.additional_redirect_urls.includes(target);
  return config.auth.additional_redirect_urls.some(
    (pattern) => glob(pattern).test(plain) || pattern === target,
  );
}

/** `*` stays within a name between dots and slashes, `**` does not; `?` is one character of a name. */
function glob(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*|\*|\?|[.+^${}()|[\]\\]/g, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^./]*';
    if (part === '?') return '[^./]';
    return `\\${part}`;
  });
  return new RegExp(`^${source}/?$`);
}
