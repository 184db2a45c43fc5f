import { siteName } from '#app/site.ts';

interface SocialMeta {
  /** Origin of the site; previews need absolute URLs. */
  origin: string;
  path: string;
  title: string;
  text: string;
  type: 'website' | 'article';
  /** The language of a member's text; the site's own when left out. */
  language?: string;
  /** Path of a drawn title card of 1200 by 630; the site's own when left out. Never a photograph of a patient. */
  picture?: string;
}

/** The meta tags for previews of the page on other sites, and its canonical address. */
export function socialMeta({
  origin,
  path,
  title,
  text,
  type,
  language = 'en-GB',
  picture = '/preview.png',
}: SocialMeta) {
  return [
    { tagName: 'link', rel: 'canonical', href: origin + path },
    { property: 'og:site_name', content: siteName() },
    { property: 'og:locale', content: localeOf(language) },
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

/** A language as Open Graph names it: with the region in which most people write it, where none is said. */
function localeOf(tag: string): string {
  const { language, region } = new Intl.Locale(tag === 'en' ? 'en-Latn-GB' : tag).maximize();
  return [language, region].filter(Boolean).join('_');
}

/** The link by which browsers and readers of feeds find the feed of a page. */
export const feedLink = (title: string, href: string) => ({
  tagName: 'link',
  rel: 'alternate',
  type: 'application/atom+xml',
  title,
  href,
});
