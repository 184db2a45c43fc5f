// @module-tag whole

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { shareSolution } from '../solution.ts';
import { openSite } from './site.ts';

const site = openSite();
const HOSTILE = 'A <script>alert(1)</script> & "bow" ]]> \u0007 hold 🎻';
const DESCRIPTION = `${'Measured on the bench & in the concert hall. '.repeat(40)}`;
let page: Page;
let solution: string;
let waiting: string;
let topic: string;

beforeAll(async () => {
  const { id: user_id } = await site.member('Grace');
  const share = (changes: Record<string, unknown>) => shareSolution(site.service(), { user_id, ...changes });
  solution = await share({
    title: HOSTILE,
    description: DESCRIPTION,
    status: 'approved',
    amputation_level: 'Transradial (Below Elbow)',
  });
  await share({
    title: 'A pylon for swimming',
    status: 'approved',
    amputation_level: 'Transtibial (Below Knee)',
  });
  waiting = await share({ title: 'A secret hold that waits', status: 'pending' });
  topic = await site.insert('forum_topics', [
    { title: 'Liners <b>& heat', description: '**Which** liner?', category: 'technical', user_id },
    { title: 'A success', category: 'success-stories', user_id },
  ]);
  await site.insert('forum_posts', { topic_id: topic, content: 'A gel one.', user_id });
  page = await site.person();
  await page.goto('/about');
});

/** A feed as the browser's XML parser reads it. */
const readFeed = async (path: string) => {
  const response = await fetch(site.url() + path);
  const text = await response.text();
  const parsed = await page.evaluate((source) => {
    const xml = new DOMParser().parseFromString(source, 'application/xml');
    const texts = (parent: Element | Document, name: string) =>
      [...parent.getElementsByTagNameNS('http://www.w3.org/2005/Atom', name)].map(
        (one) => one.textContent ?? '',
      );
    const [root] = xml.getElementsByTagNameNS('http://www.w3.org/2005/Atom', 'feed');
    return {
      error: xml.querySelector('parsererror')?.textContent,
      self: root?.querySelector('link[rel=self]')?.getAttribute('href'),
      links: [...xml.querySelectorAll('link')].map((link) => link.getAttribute('href')),
      id: root && texts(root, 'id')[0],
      updated: root && texts(root, 'updated'),
      entries: [...xml.querySelectorAll('entry')].map((entry) => ({
        id: texts(entry, 'id')[0],
        title: texts(entry, 'title')[0],
        author: texts(entry, 'name')[0],
        summary: texts(entry, 'summary')[0] ?? '',
      })),
    };
  }, text);
  return { response, text, ...parsed };
};

describe('a feed', () => {
  it('of new solutions is valid Atom with titles and texts of what is public, and no pictures', async () => {
    const feed = await readFeed('/browse.atom');
    expect(feed.error).toBeUndefined();
    expect(feed.response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(feed).toMatchObject({ id: `${site.url()}/browse.atom`, self: `${site.url()}/browse.atom` });
    expect(feed.entries).toHaveLength(2);
    expect(feed.entries.find(({ id }) => id === `urn:uuid:${solution}`)).toMatchObject({
      title: HOSTILE.replace('\u0007', ''),
      author: 'Grace Test',
    });
    expect(feed.entries[0]?.summary.length).toBeLessThanOrEqual(1000);
    for (const time of feed.updated ?? []) expect(time).toBe(new Date(time).toISOString());
    expect(feed.text).not.toMatch(/<img|\/storage\/|secret hold/);
    expect(feed.text).not.toContain(waiting);
  });

  it('of a search has its results under the same parameters; unknown ones change nothing', async () => {
    const [match, other] = ['Transtibial (Below Knee)', 'nonsense&<'];
    const search = `?${new URLSearchParams([
      ['q', 'swimming'],
      ['filter', match],
      ['filter', other],
    ])}`;
    const feed = await readFeed(`/browse.atom${search}`);
    expect(feed.entries.map(({ title }) => title)).toEqual(['A pylon for swimming']);
    expect(feed.self).toBe(
      `${site.url()}/browse.atom?${new URLSearchParams({ q: 'swimming', filter: match })}`,
    );
    const nothing = await readFeed(`/browse.atom?q=${encodeURIComponent('"<zzz>&'.repeat(100))}`);
    expect(nothing).toMatchObject({ error: undefined, entries: [] });
    await page.goto(`/browse${search}`);
    expect(await page.locator('link[type="application/atom+xml"]').getAttribute('href')).toBe(
      feed.self?.replace(site.url(), ''),
    );
  });

  it('of the forum has its topics, or those of a category', async () => {
    expect((await readFeed('/forum.atom')).entries.map(({ title }) => title).toSorted()).toEqual([
      'A success',
      'Liners <b>& heat',
    ]);
    const technical = await readFeed('/forum.atom?category=technical');
    expect(technical).toMatchObject({ error: undefined, entries: [{ summary: 'Which liner?' }] });
    expect(technical.links).toContain(`${site.url()}/forum/${topic}`);
  });

  it('is answered with 304 until something new is in it', async () => {
    const etag = (await fetch(`${site.url()}/forum.atom`)).headers.get('etag') ?? '';
    const again = () => fetch(`${site.url()}/forum.atom`, { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    await site.insert('forum_topics', { title: 'Another topic', category: 'general' });
    await expect.poll(async () => (await again()).status).toBe(200);
  });
});

describe('a solution’s page', () => {
  it('leads programs to what to cite, and to its record', async () => {
    const response = await fetch(`${site.url()}/solutions/${solution}`, { method: 'HEAD' });
    const links = response.headers.get('link') ?? '';
    const address = `${site.url()}/solutions/${solution}/versions/1`;
    expect(links).toContain(`<${address}>; rel="cite-as"`);
    const [, record = ''] = /<([^>]+)>; rel="describedby"/.exec(links) ?? [];
    const answer = await fetch(record);
    expect(answer.headers.get('content-type')).toBe('application/vnd.datacite.datacite+json; charset=utf-8');
    expect(await answer.json()).toMatchObject({
      titles: [{ title: HOSTILE.replace(' \u0007', '') }],
      descriptions: [{ description: DESCRIPTION }],
      version: '1',
      alternateIdentifiers: [{ alternateIdentifier: address, alternateIdentifierType: 'URL' }],
    });
    const [, zip = ''] = /<([^>]+)>; rel="item"; type="application\/zip"/.exec(links) ?? [];
    expect((await fetch(zip)).headers.get('content-type')).toBe('application/zip');
    const ofVersion = (await fetch(address)).headers.get('link');
    expect(ofVersion).toContain(`<${address}>; rel="cite-as"`);
    expect(ofVersion).toContain(`<${zip}>; rel="item"`);
    await page.goto(`/solutions/${solution}`);
    const cited = page.locator('meta[name="citation_title"]');
    expect(await cited.getAttribute('content')).toBe(HOSTILE.replace(' \u0007', ''));
    const article = JSON.parse(
      (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
    );
    expect(article).toMatchObject({ '@id': address, version: '1', author: { name: 'Grace Test' } });
    await page.goto(address);
    const version = page.locator('script[type="application/ld+json"]');
    expect(JSON.parse((await version.textContent()) ?? '')).toMatchObject({ '@id': address, version: '1' });
  });

  it('leads nowhere where it cannot be read, and has no record', async () => {
    for (const id of [waiting, '0a1b2c3d-0000-4000-8000-000000000000', 'x']) {
      const response = await fetch(`${site.url()}/solutions/${id}`);
      expect([response.status, response.headers.get('link')]).toEqual([404, null]);
      expect((await fetch(`${site.url()}/solutions/${id}/versions/1/datacite.json`)).status).toBe(404);
    }
    expect((await fetch(`${site.url()}/solutions/${solution}/versions/2/datacite.json`)).status).toBe(404);
  });
});

it('the page of reported outcomes describes its downloads as a dataset', async () => {
  await page.goto('/evidence');
  const dataset = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
  expect(dataset).toMatchObject({ '@type': 'Dataset', license: expect.stringMatching(/^https:/) });
  for (const { contentUrl } of dataset.distribution) expect((await fetch(contentUrl)).status).toBe(200);
});

/** As the page shows it. */
const publicKey = async () => {
  const shown = await page.getByRole('region', { name: 'The public key' }).textContent();
  return /^KEY='([^']+)'$/.exec(shown ?? '')?.[1] ?? '';
};

describe('the read API', () => {
  it('answers each example of its page as a visitor, with the columns that it asks for', async () => {
    await page.goto('/developers');
    const key = await publicKey();
    const commands = await page.locator('pre', { hasText: 'curl ' }).allTextContents();
    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands) {
      expect(command).toContain('-H "apikey: $KEY"');
      const address = /^curl (?:-G )?'([^']+)'/.exec(command)?.[1] ?? '';
      expect(address).toMatch(new RegExp(`^${site.url()}/rest/v1/`));
      const query = [...command.matchAll(/--data-urlencode '(\w+)=([^']*)'/g)].map(
        ([, name = '', value = '']) => [
          name,
          value.replace('{solution}', solution).replace('{topic}', topic),
        ],
      );
      const body = / -d '([^']+)'/.exec(command)?.[1];
      const response = await fetch(`${address}?${new URLSearchParams(query)}`, {
        headers: { apikey: key, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body }),
      });
      expect(response.status, command).toBe(200);
      const answer = await response.json();
      expect(JSON.stringify(answer), command).not.toContain('secret hold');
      if (body) expect(answer, command).toMatchObject({ items: expect.any(Array) });
      const columns = query
        .find(([name]) => name === 'select')?.[1]
        ?.replace(/:[^,]*\(.*\)/, '')
        .split(',');
      if (columns && answer.length > 0) expect(Object.keys(answer[0]), command).toEqual(columns);
    }
  });

  it('refuses with the same key what a visitor may not read', async () => {
    const key = await publicKey();
    for (const path of [
      'member_registrations',
      'messages',
      'profiles?select=bio',
      'solutions?select=search_text',
    ]) {
      const response = await fetch(`${site.url()}/rest/v1/${path}`, { headers: { apikey: key } });
      expect([401, 403], path).toContain(response.status);
    }
  });
});
