import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copySources } from '../../operation/site.ts';
import { openSite, signIn } from '../site.ts';
import { expectAccessible } from './page-checks.ts';

const DEMO_PASSWORD = 'limb-commons-demo';
const directory = mkdtempSync(join(tmpdir(), 'limb-commons-languages-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A folder with the sources, where a site builds itself in another language. */
function sourcesFor(tag: string): string {
  const folder = join(directory, tag);
  copySources(folder);
  return folder;
}

const siteIn = (tag: string, folder: string) =>
  openSite({ demo: true, settings: { INTERFACE_LANGUAGE: tag }, folder });

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

/** What the page says to readers by text or by attribute, each once; apart from what says that it is in another language, and names. */
const saidOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isOurs = (element: Element | null) =>
      !element?.closest('script, style, noscript, svg, code, pre, bdi, input, [lang]:not(html)');
    const said: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (isOurs(node.parentElement)) said.push(node.textContent?.trim() ?? '');
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll(`[${name}]`))
        if (isOurs(element)) said.push(element.getAttribute(name) ?? '');
    return [...new Set(said)];
  });

/** The texts on the page that stand out of their box or are cut off by it, where nothing scrolls them or ends them with an ellipsis. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const cut = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (parent.closest('script, style, svg')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
      for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement) {
        const { left, right, top, bottom, width } = box.getBoundingClientRect();
        const style = getComputedStyle(box);
        const scrolls = [box, box.parentElement].some(
          (one) => one && /auto|scroll/.test(getComputedStyle(one).overflowX),
        );
        // One pixel wide is what only screen readers read.
        if (width <= 2 || scrolls || style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none')
          break;
        if (style.display === 'inline') continue;
        const isOut = lines.some((line) => line.right > right + 1 || line.left < left - 1);
        const isHidden =
          style.overflowY !== 'visible' &&
          lines.some((line) => line.bottom > bottom + 4 || line.top < top - 4);
        if (isOut || isHidden)
          cut.add(`${node.textContent?.trim().slice(0, 80)} in ${box.outerHTML.slice(0, 120)}`);
      }
    }
    return [...cut];
  });

/** What neither a translation nor the database has: numbers, units and times as the browser's own formats say them, addresses. */
const WITHOUT_LANGUAGE =
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|\b(minutes?|hours?|days?|months?|years?) ago\b|\d (bytes|[kMG]B|s|m)\b|\S+@\S+|\S+:\/\/\S+|^(www\.)?[\w-]+(\.[\w-]+)+$|^\p{Lu}{2}$/gu;

/** The parts of texts that are in plain letters, as a translation into an accented language never is. */
const plainParts = (texts: string[]) =>
  texts.flatMap((text) =>
    text
      .replace(WITHOUT_LANGUAGE, '·')
      .split(/[^\x20-\x7e’é]|[,;:·()“”×]/)
      .map((part) => part.replace(/^[^A-Za-z]+|[^A-Za-z]+$/g, ''))
      .filter((part) => /[A-Za-z]{2}/.test(part)),
  );

const PAGES = [
  ['visitor', '/'],
  ['visitor', '/browse'],
  ['visitor', '/browse?view=list'],
  ['visitor', '/evidence?measure=TUG'],
  ['visitor', '/take-with-you'],
  ['visitor', '/solutions/{solution}'],
  ['visitor', '/solutions/{solution}/workshop-sheet'],
  ['visitor', '/solutions/{solution}/removal-request'],
  ['visitor', '/solutions/{withdrawn}'],
  ['visitor', '/forum'],
  ['visitor', '/forum/{topic}'],
  ['visitor', '/resources'],
  ['visitor', '/about'],
  ['visitor', '/contact'],
  ['visitor', '/terms-of-service'],
  ['visitor', '/status'],
  ['visitor', '/auth'],
  ['visitor', '/no-such-page'],
  ['visitor', '/offline'],
  ['member', '/upload'],
  ['member', '/solutions/{solution}/tried'],
  ['member', '/profile'],
  ['member', '/settings'],
  ['member', '/saved'],
  ['member', '/following'],
  ['member', '/cpd'],
  ['member', '/messages'],
  ['member', '/notifications'],
  ['member', '/reports'],
  ['moderator', '/admin?tab=queue'],
  ['moderator', '/admin?tab=solutions'],
  ['admin', '/admin?tab=users'],
  ['admin', '/admin?tab=settings'],
] as const;

/** Those that are looked at with axe and on a wide screen from right to left as well. */
const LOOKED_AT_WHOLE = new Set<string>([
  '/',
  '/browse',
  '/solutions/{solution}',
  '/forum/{topic}',
  '/upload',
  '/admin?tab=queue',
]);

/** The people of the tests at a phone's width, and a way to a page of theirs. */
function readersOf(site: ReturnType<typeof openSite>) {
  const people = {} as Record<(typeof PAGES)[number][0], Page>;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    for (const who of ['visitor', 'member', 'moderator', 'admin'] as const) {
      people[who] = await site.person({ width: 360 });
      if (who !== 'visitor') await signIn(people[who], `${who}@example.org`, DEMO_PASSWORD);
    }
    const [measured] = await site.rows('solution_outcomes', 'solution_id,solutions!inner(status)', {
      'solutions.status': 'approved',
    });
    ids.solution = measured.solution_id;
    ids.withdrawn = (await site.rows('withdrawn_solutions', 'id'))[0].id;
    ids.topic = (await site.rows('forum_topics', 'id'))[0].id;
  });
  return async (who: (typeof PAGES)[number][0], address: string) => {
    const page = people[who];
    await page.goto(address.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? ''));
    await page.waitForLoadState('networkidle');
    return page;
  };
}

describe('in a language of longer words', () => {
  const site = siteIn('en-XA', sourcesFor('en-XA'));
  const read = readersOf(site);
  let texts: string[] = [];
  beforeAll(async () => {
    texts = await textsOfMembers(site.instance().databaseUrl);
  });
  /** Whether a member has written it: as a whole, in a list, or three words of it and more one after another. */
  const isOfMember = (part: string) =>
    part.split(' ').length < 3
      ? texts.some((text) => text === part || plainParts([text]).includes(part))
      : texts.some((text) => text.includes(part));

  it.each(PAGES)(
    'a %s reads %s in it on a phone: nothing in English, nothing cut off',
    async (who, address) => {
      const page = await read(who, address);
      expect(await page.locator('html').getAttribute('lang')).toBe('en-XA');
      expect(plainParts(await saidOn(page)).filter((part) => !isOfMember(part))).toEqual([]);
      await expect.poll(() => cutOff(page)).toEqual([]);
      await expectAccessible(page, address);
    },
  );
});

describe('in a language that is a file', () => {
  const folder = sourcesFor('ar');
  const catalogue = (name: string) => join(folder, 'texts/catalogues/ar', `${name}.po`);
  const writeCatalogues = () =>
    execFileSync(process.execPath, ['scripts/texts.ts', 'ar'], { cwd: folder, encoding: 'utf8' });
  /** Translates a message as its translator does: in the line below it. */
  function translate(name: string, english: string, arabic: string) {
    const text = readFileSync(catalogue(name), 'utf8');
    const [line, written] = [`msgid "${english}"\nmsgstr ""`, `msgid "${english}"\nmsgstr "${arabic}"`];
    expect(text).toContain(line);
    writeFileSync(catalogue(name), text.replace(line, written));
  }
  const missing = () => Number(/(\d+) of them not translated/.exec(writeCatalogues())?.[1]);
  const before = missing();
  translate('finding/browse', '{0} solutions found', 'وُجد {0} من الحلول');
  translate('finding/browse', 'Filters{0}<1>chosen</1>', '<1>مختارة</1>{0} المرشحات');
  translate('known', 'Myoelectric', 'كهربائي عضلي');
  const site = siteIn('ar', folder);
  const read = readersOf(site);

  it('its catalogues are written again with what is translated', () => {
    expect(missing()).toBe(before - 3);
    expect(readFileSync(catalogue('finding/browse'), 'utf8')).toContain('وُجد {0} من الحلول');
  });

  it('a page says what is translated, and the rest in English', async () => {
    const page = await read('visitor', '/browse');
    expect(await page.locator('html').getAttribute('lang')).toBe('ar');
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    await page.getByText('وُجد 22 من الحلول').waitFor();
    await page.getByRole('button', { name: /المرشحات/ }).click();
    const filters = page.locator('#filters');
    // A value is said in the language, and looked for by what it is.
    await filters.getByRole('checkbox', { name: 'كهربائي عضلي' }).check();
    await expect.poll(() => page.url()).toContain('Myoelectric');
    await filters.getByRole('link', { name: 'Clear all' }).waitFor();
  });

  it('what moves sideways moves the other way: the images of a solution, and the switches', async () => {
    const page = await read('visitor', '/solutions/{solution}');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Next', exact: true }).click();
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

  it.each(PAGES)('a %s reads %s from right to left on a phone: nothing cut off', async (who, address) => {
    const page = await read(who, address);
    await expect.poll(() => cutOff(page)).toEqual([]);
    if (!LOOKED_AT_WHOLE.has(address)) return;
    await expectAccessible(page, address);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectAccessible(page, `${address} at 1440 px`);
    await page.setViewportSize({ width: 360, height: 900 });
  });
});
