// @module-tag whole

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PSEUDO_LANGUAGE } from '../../../texts/language.ts';
import { pseudoText } from '../../../texts/pseudo.ts';
import { copySources } from '../../operation/site.ts';
import { openSite, signIn } from '../site.ts';
import { cutOff, expectAccessible } from './page-checks.ts';

const DEMO_PASSWORD = 'limb-commons-demo';

/** A folder with the sources, where the site builds itself in the language that no one speaks. */
const folder = mkdtempSync(join(tmpdir(), 'limb-commons-languages-'));
copySources(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const site = openSite({ demo: true, settings: { INTERFACE_LANGUAGE: PSEUDO_LANGUAGE }, folder });

/** All texts of members and of the catalogue of measures, which are in no language of the interface. */
async function textsOfMembers(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'audit_log'`,
  );
  const found = await client.query<{ text: string }>(
    rows
      .map(
        ({ name }) =>
          `select jsonb_path_query(to_jsonb(r), '$.** ? (@.type() == "string")') #>> '{}' as text from ${name} r`,
      )
      .join(' union '),
  );
  await client.end();
  return found.rows.map(({ text }) => text.replace(/\s+/g, ' '));
}

/**
 * What a page says to readers by text or by attribute, each once; apart from what says that it is in another language, and names.
 *
 * @param served a page as the server sends it, in place of the one that is open
 */
const saidOn = (page: Page, served?: string): Promise<string[]> =>
  page.evaluate((html) => {
    const { body } = html === undefined ? document : new DOMParser().parseFromString(html, 'text/html');
    const isOurs = (element: Element | null) =>
      !element?.closest('script, style, noscript, svg, code, pre, bdi, input, [lang]:not(html)');
    const said: string[] = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (isOurs(node.parentElement)) said.push(node.textContent?.trim() ?? '');
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const element of body.querySelectorAll(`[${name}]`))
        if (isOurs(element)) said.push(element.getAttribute(name) ?? '');
    return [...new Set(said)];
  }, served);

/** What neither a translation nor the database has: units, addresses. */
const WITHOUT_LANGUAGE =
  /\d (bytes|[kMG]B|s|m)\b|\S+@\S+|\S+:\/\/\S+|^(www\.)?[\w-]+(\.[\w-]+)+$|^\p{Lu}{2}$/gu;

/** The parts of texts that are in plain letters, as a translation into an accented language never is. */
const plainParts = (texts: string[]) =>
  texts.flatMap((text) =>
    text
      .replace(WITHOUT_LANGUAGE, '·')
      .split(/[^\x20-\x7e’é]|[,;:·()“”×]/)
      .map((part) => part.replace(/^[^A-Za-z]+|[^A-Za-z]+$/g, ''))
      .filter((part) => /[A-Za-z]{2}/.test(part)),
  );

/** The pages with the most of the interface on them, each with whether axe looks at it as well, in a narrow and a wide view. */
const PAGES = [
  ['visitor', '/', true],
  ['visitor', '/browse', true],
  ['visitor', '/solutions/{solution}', true],
  ['visitor', '/evidence?measure=TUG', false],
  ['visitor', '/forum/{topic}', true],
  ['visitor', '/auth', false],
  ['member', '/upload', true],
  ['member', '/profile', false],
  ['member', '/settings', false],
  ['member', '/messages', false],
  ['moderator', '/admin?tab=queue', true],
  ['admin', '/admin?tab=settings', false],
] as const;

type Reader = (typeof PAGES)[number][0];
/** Their browsers, with a phone's width. */
const readers = {} as Record<Reader, Page>;
const ids: Record<string, string> = {};
let textsThere: string[] = [];

beforeAll(async () => {
  for (const who of ['visitor', 'member', 'moderator', 'admin'] as const) {
    readers[who] = await site.person({ width: 360 });
    if (who !== 'visitor') await signIn(readers[who], `${who}@example.org`, DEMO_PASSWORD);
  }
  const [measured] = await site.rows('solution_outcomes', 'solution_id,solutions!inner(status)', {
    'solutions.status': 'approved',
  });
  ids.solution = measured.solution_id;
  ids.withdrawn = (await site.rows('withdrawn_solutions', 'id'))[0].id;
  ids.topic = (await site.rows('forum_topics', 'id'))[0].id;
  textsThere = await textsOfMembers(site.instance().databaseUrl);
});

const pathOf = (address: string) => address.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? '');

async function read(who: Reader, address: string): Promise<Page> {
  await readers[who].goto(pathOf(address));
  await readers[who].waitForLoadState('networkidle');
  return readers[who];
}

/** Whether a member has written it: as a whole, in a list, or three words of it and more one after another. */
const isOfMember = (part: string) =>
  part.split(' ').length < 3
    ? textsThere.some((text) => text === part || plainParts([text]).includes(part))
    : textsThere.some((text) => text.includes(part));

const inEnglish = (texts: string[]) => plainParts(texts).filter((part) => !isOfMember(part));

it.each(PAGES)(
  'a %s reads %s from right to left on a phone: nothing in English, nothing cut off',
  async (who, address, isForAxe) => {
    const page = await read(who, address);
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
      PSEUDO_LANGUAGE,
      'rtl',
    ]);
    expect(inEnglish(await saidOn(page))).toEqual([]);
    await expect.poll(() => cutOff(page)).toEqual([]);
    if (!isForAxe) return;
    await expectAccessible(page, address);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectAccessible(page, `${address} at 1440 px`);
    await page.setViewportSize({ width: 360, height: 900 });
  },
);

it.each([
  '/browse?view=list',
  '/take-with-you',
  '/solutions/{solution}/workshop-sheet',
  '/solutions/{solution}/removal-request',
  '/solutions/{withdrawn}',
  '/forum',
  '/resources',
  '/about',
  '/contact',
  '/terms-of-service',
  '/status',
  '/offline',
  '/no-such-page',
])('the server sends %s with nothing in English', async (address) => {
  const served = await (await fetch(site.url() + pathOf(address))).text();
  expect(served).toContain(`<html lang="${PSEUDO_LANGUAGE}" dir="rtl"`);
  expect(inEnglish(await saidOn(readers.visitor, served))).toEqual([]);
});

it('a value is said in the language, and looked for by what it is', async () => {
  const page = await read('visitor', '/browse');
  await page.setViewportSize({ width: 1440, height: 900 });
  const filters = page.locator('#filters');
  await filters.getByRole('checkbox', { name: pseudoText('Myoelectric') }).check();
  await expect.poll(() => page.url()).toContain('Myoelectric');
  await filters.getByRole('link', { name: pseudoText('Clear all') }).waitFor();
});

it('what moves sideways moves the other way: the images of a solution, and the switches', async () => {
  const page = await read('visitor', '/solutions/{solution}');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: pseudoText('Next'), exact: true }).click();
  await page.getByText(/^2 \/ \d$/).waitFor();
  const settings = await read('member', '/settings');
  const inside = (knob: HTMLElement) => {
    const [inner, outer] = [knob, knob.parentElement as HTMLElement].map((one) =>
      one.getBoundingClientRect(),
    );
    return inner && outer && inner.left >= outer.left && inner.right <= outer.right;
  };
  for (const knob of await settings.getByRole('switch').locator('span').all())
    await expect.poll(() => knob.evaluate(inside)).toBe(true);
});
