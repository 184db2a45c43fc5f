import { cutText } from '../../../texts/cut-text.ts';
/** The entries that a feed has at most. */
export const MAX_ENTRIES = 50;
/** The characters of a text that a feed quotes. */
const MAX_SUMMARY = 1000;

interface FeedEntry {
  /** The row's id, which stays when the site's address changes. */
  id: string;
  title: string;
  language: string;
  /** On the site. */
  path: string;
  author: string;
  /** Times as the database writes them. */
  published: string;
  updated: string;
  text: string;
  categories: string[];
}

interface Feed {
  origin: string;
  siteName: string;
  title: string;
  /** The path and query of the feed itself, and of the page that shows the same. */
  self: string;
  page: string;
  entries: FeedEntry[];
}

/** Characters that XML 1.0 cannot contain, however they are written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string) =>
  text
    .toWellFormed()
    .replace(UNWRITABLE, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const element = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`;
const time = (name: string, timestamp: string) => element(name, new Date(timestamp).toISOString());

function shortened(text: string): string {
  return cutText(text, MAX_SUMMARY) === text ? text : `${cutText(text, MAX_SUMMARY - 1)}…`;
}

/**
 * An Atom feed (RFC 4287) of titles and texts, the newest entry first. It has no pictures: they stay where a removal
 * request reaches them.
 */
export function atomFeed({ origin, siteName, title, self, page, entries }: Feed): Response {
  const newest = entries.toSorted((a, b) => Date.parse(b.published) - Date.parse(a.published));
  const updated = Math.max(0, ...entries.map((entry) => Date.parse(entry.updated)));
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element('id', origin + self),
    element('title', title),
    time('updated', new Date(updated).toISOString()),
    `<author>${element('name', siteName)}</author>`,
    `<link rel="self" type="application/atom+xml" href="${escaped(origin + self)}"/>`,
    `<link rel="alternate" type="text/html" href="${escaped(origin + page)}"/>`,
    ...newest.flatMap((entry) => [
      `<entry xml:lang="${escaped(entry.language)}">`,
      element('id', `urn:uuid:${entry.id}`),
      element('title', entry.title),
      time('published', entry.published),
      time('updated', entry.updated),
      `<author>${element('name', entry.author)}</author>`,
      `<link rel="alternate" type="text/html" href="${escaped(origin + entry.path)}"/>`,
      ...entry.categories.map((category) => `<category term="${escaped(category)}"/>`),
      `<summary type="text">${escaped(shortened(entry.text))}</summary>`,
      '</entry>',
    ]),
    '</feed>',
    '',
  ].join('\n');
  return new Response(text, {
    headers: {
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': 'public, max-age=300',
    },
  });
}
