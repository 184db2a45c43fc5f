import { siteName } from '#app/site.ts';

interface SocialMeta {
  /** Origin of the site; previews need absolute URLs. */
  origin: string;
  path: string;
  title: string;
  text: string;
  type: 'website' | 'article';
  /** Path of a drawn title card of 1200 by 630; the site's own when left out. Never a photograph of a patient. */
  picture?: string;
}

/** The meta tags for previews of the page on other sites, and its canonical address. */
export function socialMeta({ origin, path, title, text, type, picture = '/preview.png' }: SocialMeta) {
  return [
    { tagName: 'link', rel: 'canonical', href: origin + path },
    { property: 'og:site_name', content: siteName() },
    { property: 'og:locale', content: 'en_GB' },
    { property: 'og:type', content: type },
    { property: 'og:url', content: origin + path },
    { property: 'og:title', content: title },
    { property: 'og:description', content: text },
    { property: 'og:image', content: origin + picture },
    { property: 'og:image:type', content: 'image/png' },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: title },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: text },
    { name: 'twitter:image', content: origin + picture },
    { name: 'twitter:image:alt', content: title },
  ];
}

/** The link by which browsers and readers of feeds find the feed of a page. */
export const feedLink = (title: string, href: string) => ({
  tagName: 'link',
  rel: 'alternate',
  type: 'application/atom+xml',
  title,
  href,
});
