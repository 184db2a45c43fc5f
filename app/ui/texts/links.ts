/** The `rel` of a link that a member wrote. */
export const EXTERNAL_REL = 'nofollow ugc noopener noreferrer';

/** The embed shown below an ordinary link. */
export type Embed =
  | { kind: 'video'; id: string; start: number }
  | { kind: 'instagram'; what: 'post' | 'reel' };

const videoHosts = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'www.youtube-nocookie.com']);

/** A web address without any part that could pass one host for another. */
function webAddress(href: string): URL | undefined {
  // Browsers drop tabs and line breaks and take a backslash for a slash; no author types either in good
  // faith.
  if (!/^https?:\/\/[^/]/i.test(href) || /[\s\\\p{Cc}\p{Cf}]/u.test(href)) return undefined;
  const url = URL.parse(href);
  return url && !url.username && !url.password ? url : undefined;
}

/**
 * The allowed target of a link: the web, a page of this site or an email address. Undefined for any other
 * target.
 */
export function safeLink(href: string): string | undefined {
  if (/^\/(?![/\\])[^\s\\]*$/.test(href) || /^mailto:[^\s@?&]+@[^\s@?&]+$/i.test(href)) return href;
  return webAddress(href)?.href;
}

/** Seconds of "90", "90s" or "1h2m3s". */
function secondsOf(time: string | null): number {
  const [, hours, minutes, seconds] =
    /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,5})s?)?$/.exec(time ?? '') ?? [];
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}

function videoId(url: URL): string | undefined {
  const ids =
    url.hostname === 'youtu.be'
      ? [url.pathname.slice(1)]
      : !videoHosts.has(url.hostname)
        ? []
        : url.pathname === '/watch'
          ? url.searchParams.getAll('v')
          : [/^\/(?:embed|shorts)\/([^/]+)\/?$/.exec(url.pathname)?.[1]];
  const [id] = ids;
  // Playlists and channels use these in the place of an id.
  const isId = id !== undefined && /^[\w-]{11}$/.test(id) && id !== 'videoseries' && id !== 'live_stream';
  return ids.length === 1 && isId ? id : undefined;
}

/** The video, or the Instagram post or reel, a link leads to; undefined for ordinary links and look-alikes. */
export function embedOf(href: string): Embed | undefined {
  const url = webAddress(href);
  if (!url || url.port) return undefined;
  const id = videoId(url);
  if (id)
    return {
      kind: 'video',
      id,
      start: secondsOf(url.searchParams.get('t') ?? url.searchParams.get('start')),
    };
  if (!/^(www\.)?instagram\.com$/.test(url.hostname)) return undefined;
  const what = /^\/(?:[\w.]{1,30}\/)?(p|reel)\/[\w-]{5,40}\/?$/.exec(url.pathname)?.[1];
  return what ? { kind: 'instagram', what: what === 'p' ? 'post' : 'reel' } : undefined;
}

const withoutWww = (host: string) => host.toLowerCase().replace(/^www\./, '');

/** The first host a text names, if any: read word by word, so that a long text is read once. */
function hostNamedIn(text: string): string | undefined {
  for (const word of text.split(/[^\p{L}\p{N}_.-]+|\.{2,}/u)) {
    const host = /^\.?((?:[\p{L}\p{N}_-]+\.)+\p{L}{2,})/u.exec(word)?.[1];
    if (host) return host;
  }
  return undefined;
}

/** The host a link really leads to, when its text names another one or one that only looks the same. */
export function hiddenHost(label: string, href: string): string | undefined {
  const host = webAddress(href)?.hostname;
  const named = host && hostNamedIn(label);
  return named && withoutWww(named) !== withoutWww(host) ? host : undefined;
}
