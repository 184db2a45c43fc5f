// @module-tag whole

import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startedOnce } from '../../operation/first-start.ts';
import { freePort, type Run, run, start } from '../../operation/site.ts';
import { seededRandom } from '../../seeded-random.ts';
import { shareSolution } from '../../solution.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS } from '../../timeouts.ts';
import { openBrowser } from '../browser.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { OUTCOME } from '../rows.ts';

/* A field pack as an operator makes it, and as its reader opens it from a disk in a browser without a network. */

const directory = temporaryFolder('pack');
const folder = join(directory, 'pack');
const TITLE = 'Quillwort cuff for a rowing hand';
/** Words of cases that not everyone may read, or may copy. */
const CANARIES = ['wolfsbane', 'larkspur', 'foxglove', 'hellebore', 'oleander', 'monkshood', 'digitalis'];
let settings: Record<string, string>;
let site: Run;
let service: SupabaseClient;
let author: string;
let rowing: string;
let browser: Browser;

beforeAll(async () => {
  settings = { DATA_DIR: join(directory, 'data'), PORT: await freePort(), FIELD_PACK_EVERY: '24' };
  await startedOnce(settings.DATA_DIR ?? '', true);
  site = await start(settings);
  const instance = JSON.parse(readFileSync(join(settings.DATA_DIR ?? '', 'instance.json'), 'utf8'));
  service = createClient(instance.apiUrl, instance.serviceRoleKey, { auth: { persistSession: false } });
  const { data } = await service.from('profiles').select('id').eq('username', 'amara.osei').single();
  author = data?.id ?? (await service.from('solutions').select('user_id').limit(1).single()).data?.user_id;
  const share = (changes: Record<string, unknown>) =>
    shareSolution(service, { user_id: author, licence: 'CC BY 4.0', ...changes });
  rowing = await share({ title: TITLE, status: 'approved', amputation_level: 'Transradial (Below Elbow)' });
  const { data: notice } = await service
    .from('safety_notices')
    .insert({
      solution_id: rowing,
      user_id: author,
      kind: 'caution',
      content: 'The cuff slips when it is wet.',
    })
    .select('id')
    .single()
    .throwOnError();
  const translate = async (version: number, language: string, texts: Record<string, string>) => {
    const { data } = await service
      .from('solution_translations')
      .insert({ solution_id: rowing, version, language, user_id: author, texts })
      .select('id')
      .single()
      .throwOnError();
    const { id } = data;
    await service.from('solution_translations').update({ status: 'approved' }).eq('id', id).throwOnError();
  };
  await translate(1, 'de', {
    [`notice/${notice.id}`]: 'Die Manschette rutscht, wenn sie nass ist.',
    title: 'Manschette für eine rudernde Hand',
    description: 'Ein Gurt hält die Manschette am Riemen.',
  });
  const revision = {
    status: 'pending',
    description: 'A second version, in which the cuff is lined with cork.',
  };
  await service.from('solutions').update(revision).eq('id', rowing).throwOnError();
  await service.from('solutions').update({ status: 'approved' }).eq('id', rowing).throwOnError();
  await translate(2, 'fr', {
    [`notice/${notice.id}`]: 'Le manchon glisse quand il est mouillé.',
    title: 'Manchon pour une main qui rame',
    description: 'Doublé de liège.',
  });
  const description = (canary: string) => `The ${canary} joint holds the strap in place and is laminated.`;
  await share({
    title: 'A clamp for members',
    description: description('wolfsbane'),
    status: 'approved',
    audience: 'members',
  });
  await share({
    title: 'A clamp for checked professionals',
    description: description('larkspur'),
    status: 'approved',
    audience: 'checked',
  });
  await share({ title: 'A clamp that waits', description: description('foxglove') });
  const rejected = await share({ title: 'A clamp that was rejected', description: description('hellebore') });
  await service
    .from('solutions')
    .update({ status: 'rejected', rejection_reason: 'A face can be seen.' })
    .eq('id', rejected)
    .throwOnError();
  const withdrawn = await share({
    title: 'A clamp that was withdrawn',
    description: description('oleander'),
    status: 'approved',
  });
  await service.from('solutions').delete().eq('id', withdrawn).throwOnError();
  await share({
    title: 'Seen and not copied',
    description: description('monkshood'),
    status: 'approved',
    licence: 'All rights reserved',
  });
  await share({
    title: 'A clamp of one never asked',
    description: description('digitalis'),
    status: 'approved',
    licence: null,
  });
  const measured = await share({ title: 'A clamp measured on one person' });
  await service
    .from('solution_outcomes')
    .insert({ solution_id: measured, ...OUTCOME, score_before: 98.7 })
    .throwOnError();
  await service
    .from('solution_consents')
    .update({ basis: 'no_identifiable_person' })
    .eq('solution_id', measured)
    .throwOnError();
  await service.from('solutions').update({ status: 'approved' }).eq('id', measured).throwOnError();
  browser = await openBrowser();
});
afterAll(async () => {
  site?.process.kill('SIGTERM');
  await site?.exited;
});

async function pack(...words: string[]): Promise<{ code: number | null; output: string }> {
  const command = run('pack', settings, words);
  const { code } = await command.exited;
  return { code, output: command.output() };
}

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(path, name)).isFile())
    .sort();
const contents = (path: string) =>
  Object.fromEntries(filesIn(path).map((name) => [name, readFileSync(join(path, name)).toString('base64')]));
const sizeOf = (path: string) =>
  filesIn(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
/** The text that a file of data carries. */
const textIn = (path: string): string =>
  JSON.parse(
    readFileSync(path, 'utf8')
      .replace(/^limbPack\(/, '')
      .replace(/\)\n$/, ''),
  );
/** All that can be read in a pack, also inside of texts that are written as texts. */
const readable = (path: string): string =>
  filesIn(path)
    .map(
      (name) =>
        // What an update has emptied has no text.
        `${readFileSync(join(path, name), 'latin1')} ${/\/|manifest/.test(name) && statSync(join(path, name)).size > 0 ? textIn(join(path, name)) : ''}`,
    )
    .join(' ')
    .toLowerCase();

/** Opened from the disk, by a browser without a network. */
async function open(
  path: string,
  view: { width?: number; dark?: boolean } = {},
): Promise<Page & { asked: string[] }> {
  const context = await browser.newContext({
    viewport: { width: view.width ?? 1280, height: 900 },
    colorScheme: view.dark ? 'dark' : 'light',
  });
  await context.setOffline(true);
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`file://${path}/index.html`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return Object.assign(page, { asked });
}

describe('a field pack', () => {
  it('is made of what everyone can see and may copy, and of no word else', async () => {
    const { code, output } = await pack(folder);
    expect([code, output]).toEqual([0, expect.stringContaining('is up to date')]);
    const words = readable(folder);
    expect(words).toContain('quillwort');
    expect(words).toContain('seen and not copied');
    expect(words).toContain('measured outcomes');
    // What Evidence would not show beside its author.
    expect(words).toContain('measured on one person');
    expect(words).not.toContain('98.7');
    expect(CANARIES.filter((canary) => words.includes(canary))).toEqual([]);
    expect((await pack(folder, '--check')).output).toContain('is whole and as it was signed');
  });

  it('opens from a disk in a browser without a network: notices first, search, filters, sheets, evidence', async () => {
    const page = await open(folder);
    await expect.poll(() => page.getByText(/^As of .*, today$/).count()).toBe(1);
    const notices = page.getByRole('region', { name: 'Safety notices' });
    await notices.getByText('The cuff slips when it is wet.').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('quillworts BE');
    // The abbreviation stands for the level of the case, and the plural for its word.
    await page.getByText('1 solution', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('quillworts BK');
    await page.getByText('No solution has all of this.').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('quilwort');
    await page.getByText('No results for “quilwort”. Showing results for “quillwort”: 1 solution').waitFor();
    // A part, written as no text of the pack has it.
    await page.getByRole('searchbox', { name: 'Search' }).fill('north fold bj10');
    await page.getByText('1 solution', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByText('Filters').click();
    await page.getByRole('checkbox', { name: 'Myoelectric' }).check();
    await expect.poll(() => page.getByRole('status').textContent()).toMatch(/^[1-9] solutions?$/);
    await expectAccessible(page, 'the list of a pack');
    await page.getByRole('checkbox', { name: 'Myoelectric' }).uncheck();
    await page.getByRole('checkbox', { name: 'Has build files' }).check();
    await expect.poll(() => page.getByRole('status').textContent()).toMatch(/^[1-9] solutions?$/);
    await page.getByRole('checkbox', { name: 'Has build files' }).uncheck();
    for (const name of ['Better by more than error', 'Checked author', 'Tried by others', 'Asked again'])
      expect(await page.getByRole('checkbox', { name }).count(), name).toBe(1);

    // A case of both ages is found by each.
    await page.getByRole('searchbox', { name: 'Search' }).fill('violin');
    for (const name of ['Children', 'Adults']) {
      await page.getByRole('checkbox', { name }).check();
      await page.locator('.card').getByRole('link', { name: 'Violin bow adapter' }).waitFor();
      await page.getByRole('checkbox', { name }).uncheck();
    }
    await page.getByRole('searchbox', { name: 'Search' }).fill('quillwort');
    await page.locator('.card').getByRole('link', { name: TITLE }).click();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    await expect.poll(() => page.locator('article > :first-child').textContent()).toContain('The cuff slips');
    await page.getByText(/^As of .*, today$/).waitFor();

    // It is found by the words and the language of its translation, which is read in its place.
    await page.getByRole('link', { name: 'Limb Commons', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('Manschette');
    await page.getByText('Filters').click();
    await page.getByRole('checkbox', { name: 'German' }).check();
    await page.locator('.card').getByRole('link', { name: TITLE }).click();
    await page.getByText('German (of version 1)', { exact: true }).waitFor();
    await page.getByText('French', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'German' }).click();
    const german = page.getByRole('heading', { level: 1, name: 'Manschette für eine rudernde Hand' });
    await german.waitFor();
    expect(await german.getAttribute('lang')).toBe('de');
    await page.getByText('Translated into German by').first().waitFor();
    await page.getByText('It is of version 1, and the original is at version 2.').waitFor();
    await expect.poll(() => page.locator('article > :first-child').textContent()).toContain('rutscht');
    await expectAccessible(page, 'a translation in a pack');
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    await page.getByRole('link', { name: 'Limb Commons', exact: true }).click();
    await page.getByText('Filters').click();
    await page.getByRole('checkbox', { name: 'German' }).uncheck();

    await page.getByRole('link', { name: 'Limb Commons', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('violin');
    await page.locator('.card').getByRole('link', { name: 'Violin bow adapter' }).click();
    const picture = page.locator('figure img').first();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(300);
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeLessThanOrEqual(400);
    await page.getByRole('link', { name: 'Workshop sheet' }).click();
    await page.getByRole('heading', { name: 'Steps' }).waitFor();
    await page.getByRole('heading', { name: 'Durability & Testing' }).waitFor({ state: 'hidden' });
    await expectAccessible(page, 'the workshop sheet of a pack');
    await page.getByRole('link', { name: 'Evidence' }).click();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await page.getByText(/^As of .*, today$/).waitFor();
    expect(page.asked.filter((url) => !/^(file|data):/.test(url))).toEqual([]);
    await page.context().close();
  });

  it('fits a phone in its dark theme, and is read by keyboard alone', async () => {
    const page = await open(folder, { width: 360, dark: true });
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expectAccessible(page, 'a solution of a pack on a phone');
    await page.getByRole('link', { name: 'About this pack' }).click();
    await page.getByText('Key of the site').waitFor();
    await expectAccessible(page, 'what a pack says of itself');
    await page.context().close();
  });

  it('with one flipped byte is refused by the command, which changes nothing, and by the browser', async () => {
    const random = seededRandom('flipped bytes');
    const changed = join(directory, 'changed');
    const flip = (name: string): void => {
      const bytes = readFileSync(join(changed, name));
      const at = random(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      writeFileSync(join(changed, name), bytes);
    };
    const names = filesIn(folder);
    const some = (start: string) => names.filter((name) => name.startsWith(start));
    const data = some('data/');
    const images = some('images/');
    for (const name of [
      'manifest.js',
      'viewer.js',
      'viewer.css',
      'index.html',
      data[random(data.length)],
      images[random(images.length)],
    ]) {
      rmSync(changed, { recursive: true, force: true });
      cpSync(folder, changed, { recursive: true });
      flip(String(name));
      const { code, output } = await pack(changed, '--check');
      expect([code, output], String(name)).toEqual([1, expect.stringMatching(/was changed or is damaged/)]);
      if (!/\/|manifest/.test(String(name))) continue;
      const before = contents(changed);
      expect((await pack(changed)).code, String(name)).toBe(1);
      expect(contents(changed), String(name)).toEqual(before);
    }
    for (let round = 0; round < 12; round += 1) {
      const name = String(round % 3 === 0 ? 'manifest.js' : data[random(data.length)]);
      rmSync(changed, { recursive: true, force: true });
      cpSync(folder, changed, { recursive: true });
      const text = textIn(join(changed, name));
      // One letter within the text, which stays a script that runs.
      const at = text.search(/[a-z]{3}/) + 1;
      writeFileSync(
        join(changed, name),
        `limbPack(${JSON.stringify(`${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`)})\n`,
      );
      const page = await open(changed);
      expect(await page.getByRole('heading', { level: 1 }).textContent(), name).toBe(
        'This pack cannot be opened',
      );
      await page
        .getByRole('alert')
        .getByText(/changed/)
        .waitFor();
      await page.context().close();
    }
  });

  it('with one changed letter is refused by the browser in texts and images, and by the command in the page itself', async () => {
    const changed = join(directory, 'changed');
    const groups = filesIn(folder).filter((name) => name.startsWith('data/'));
    const packed = groups
      .flatMap((name) => JSON.parse(textIn(join(folder, name))))
      .find(({ images, notices }) => images !== null && notices.length === 0);
    const picture = `images/${packed.images.sha256}.js`;
    /** The pack with another letter at the place that a pattern finds. */
    const change = (name: string, pattern: RegExp) => {
      rmSync(changed, { recursive: true, force: true });
      cpSync(folder, changed, { recursive: true });
      const text = readFileSync(join(folder, name), 'utf8');
      const at = text.search(pattern);
      expect(at, name).toBeGreaterThan(0);
      writeFileSync(
        join(changed, name),
        text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1),
      );
    };
    const show = async () => {
      const page = await open(changed);
      await page.goto(`file://${changed}/index.html#s/${packed.id}`);
      await page.getByRole('heading', { level: 1, name: packed.title }).waitFor();
      return page;
    };
    const isRefused = async () => (await pack(changed, '--check')).code === 1;

    // Within the Base64 of the image, which stays a script that runs.
    change(picture, /(?<=[A-Za-z\d+/]{200})[a-w]/);
    const withPicture = await show();
    await withPicture.getByText(`The file ${picture} was changed or is damaged.`).first().waitFor();
    expect(await withPicture.locator('article img[src]').count()).toBe(0);
    await withPicture.context().close();
    expect(await isRefused()).toBe(true);

    // What shows the pack is not compared in the browser: no browser checks the integrity of what a page loads from a disk.
    for (const [name, pattern] of [
      ['viewer.css', /(?<=\.card)[^{]*\{/],
      ['viewer.js', /(?<=Show )more/],
      ['index.html', /(?<=This page needs )JavaScript/],
    ] as const) {
      change(name, pattern);
      await (await show()).context().close();
      expect(await isRefused(), name).toBe(true);
    }
    cpSync(folder, changed, { recursive: true });
    expect(await isRefused()).toBe(false);
  });

  it('of another moment is brought up to date: little is written, and what was withdrawn goes', async () => {
    const older = join(directory, 'older');
    cpSync(folder, older, { recursive: true });
    expect(readable(folder)).toContain('quillwort');
    await service.from('solutions').delete().eq('id', rowing).throwOnError();
    const { data } = await service
      .from('solutions')
      .select('id')
      .ilike('title', 'Violin bow adapter%')
      .single();
    const { data: media } = await service
      .from('solution_media')
      .select('id')
      .eq('solution_id', data?.id)
      .throwOnError();
    await service
      .from('solution_media')
      .update({ hidden_at: new Date().toISOString() })
      .in(
        'id',
        (media ?? []).map(({ id }) => id),
      )
      .throwOnError();
    const { code, output } = await pack(folder);
    expect([code, output]).toEqual([0, expect.stringContaining('were written')]);
    const written = Number(/of which ([\d.]+) MB/.exec(output)?.[1]) * 1e6;
    expect(written).toBeLessThan(sizeOf(folder) / 4);
    expect(readable(folder)).not.toContain('quillwort');
    const gone = filesIn(older).filter(
      (name) => name.startsWith('images/') && !filesIn(folder).includes(name),
    );
    expect(gone).toHaveLength(1);

    // An older one is taken by no newer one, whose files stay; the other way it is.
    const before = contents(folder);
    const refused = await pack(folder, '--from', older);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('is older than')]);
    expect(contents(folder)).toEqual(before);
    expect((await pack(older, '--from', folder)).code).toBe(0);
    expect(contents(older)).toEqual(before);
  });

  it('that names a file outside of its folder is refused, whoever signed it', async () => {
    const evil = join(directory, 'evil');
    cpSync(folder, evil, { recursive: true });
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const manifest = JSON.parse(JSON.parse(textIn(join(folder, 'manifest.js'))).body);
    const signAs = (changes: Record<string, unknown>) => {
      const body = JSON.stringify({ ...manifest, key: publicKey.export({ format: 'jwk' }).x, ...changes });
      const signature = sign(null, Buffer.from(body), privateKey).toString('base64url');
      writeFileSync(
        join(evil, 'manifest.js'),
        `limbPack(${JSON.stringify(JSON.stringify({ body, signature }))})\n`,
      );
    };
    const outside = join(directory, 'outside');
    writeFileSync(outside, 'not of a pack');
    const hash = createHash('sha256').update('not of a pack').digest('hex');
    signAs({ page: { ...manifest.page, '../outside': hash } });
    const target = join(directory, 'new/target');
    const refused = await pack(target, '--from', evil);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('was changed or is damaged')]);
    signAs({});
    expect((await pack(target, '--from', evil)).code).toBe(0);
    expect(filesIn(target)).toEqual(filesIn(folder));
  });

  it('is not made over other files, nor over the pack of another site', async () => {
    const refused = await pack(directory);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('holds other files')]);
    const secrets = join(settings.DATA_DIR ?? '', 'secrets.json');
    const kept = readFileSync(secrets, 'utf8');
    expect(statSync(secrets).mode & 0o777).toBe(0o600);
    const { packKey, ...others } = JSON.parse(kept);
    expect(readable(folder)).not.toContain(packKey.d.toLowerCase());
    writeFileSync(secrets, JSON.stringify(others));
    const before = contents(folder);
    const other = await pack(folder);
    expect([other.code, other.output]).toEqual([1, expect.stringContaining('of another site')]);
    expect(contents(folder)).toEqual(before);
    writeFileSync(secrets, kept);
  });

  it('that is older than one opened before is said to be so', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const visit = (path: string) => page.goto(`file://${path}/index.html`);
    const earlier = join(directory, 'earlier');
    cpSync(folder, earlier, { recursive: true });
    await pack(folder);
    await visit(folder);
    await page.getByRole('heading', { name: 'Solutions' }).waitFor();
    await visit(earlier);
    await page.getByRole('alert').getByText('a newer one').waitFor();
    await page.getByRole('button', { name: 'Open the older pack' }).click();
    await page.getByRole('heading', { name: 'Solutions' }).waitFor();
    await context.close();
  });
});

describe('the field pack that the site offers', () => {
  const siteUrl = () => `http://localhost:${settings.PORT}`;
  const taken = join(directory, 'taken');
  const offered = async (page: Page, since = '') => {
    await page.goto(`${siteUrl()}/take-with-you${since}`);
    return page.getByRole('link', { name: /^Download field pack/ });
  };
  /** Downloads it and unpacks it over what is there, as a person would. */
  const take = async (page: Page, link: Locator) => {
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const zip = join(directory, download.suggestedFilename());
    await download.saveAs(zip);
    execFileSync('unzip', ['-q', '-o', zip, '-d', taken]);
    return statSync(zip).size;
  };
  const statusOf = async (path: string | null) =>
    (await fetch(siteUrl() + path, { redirect: 'manual' })).status;
  /** By the command, which waits for no round of the site, and is refused while the site makes one. A page is up to a second old. */
  const makeNow = async (page: Page) => {
    await expect.poll(async () => (await pack()).code, { timeout: BACKGROUND_TIMEOUT_MS }).toBe(0);
    await expect.poll(async () => statusOf(await (await offered(page)).getAttribute('href'))).toBe(200);
  };
  let madeAt = '';
  let wholeSize = 0;

  it('is made when the site has started, downloaded, and opened without a network', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await expect.poll(async () => (await offered(page)).count(), { timeout: BACKGROUND_TIMEOUT_MS }).toBe(1);
    await makeNow(page);
    await expectAccessible(page, 'Take with you');
    const key = await page.locator('code').textContent();
    wholeSize = await take(page, await offered(page));
    expect((await pack(join(taken, 'field-pack'), '--check')).output).toContain(key);
    const words = readable(join(taken, 'field-pack'));
    expect(words).toContain('violin bow');
    expect(CANARIES.filter((canary) => words.includes(canary))).toEqual([]);

    const inPack = await open(join(taken, 'field-pack'));
    await inPack.getByRole('link', { name: 'About this pack' }).click();
    await inPack.getByText(key ?? '').waitFor();
    const link = await inPack.getByRole('link', { name: 'Bring it up to date' }).getAttribute('href');
    madeAt = new URL(link ?? '').searchParams.get('since') ?? '';
    await inPack.context().close();
    await page.goto(link ?? '');
    await page.getByText('is up to date').waitFor();
    await context.close();
  });

  it('is continued where a download on a slow line broke off', async () => {
    const page = await browser.newPage();
    const href = await (await offered(page)).getAttribute('href');
    await page.close();
    const first = await fetch(siteUrl() + href, { headers: { range: 'bytes=0-999' } });
    const second = await fetch(siteUrl() + href, { headers: { range: 'bytes=1000-' } });
    expect([first.status, second.status]).toEqual([206, 206]);
    const parts = [await first.bytes(), await second.bytes()];
    expect(parts.map(({ length }) => length)).toEqual([1000, wholeSize - 1000]);
    const whole = await (await fetch(siteUrl() + href)).bytes();
    expect(Buffer.concat(parts).equals(whole)).toBe(true);
    const beyond = await fetch(siteUrl() + href, { headers: { range: `bytes=${wholeSize}-` } });
    expect(beyond.status).toBe(416);
    for (const path of ['../steps.json', '..%2fsteps.json', 'offer.json'])
      expect((await fetch(`${siteUrl()}/field-pack/${path}`)).status, path).toBe(404);
    expect(await statusOf('/field-pack/field-pack-..%2f..%2fsecrets.json%2f.zip')).toBe(303);
    // A making that was cut off leaves one that nothing withdraws.
    const left = 'field-pack-2026-11-30T101500Z.zip';
    writeFileSync(join(settings.DATA_DIR ?? '', 'field-pack/archives', left), 'with what was hidden since');
    expect(await statusOf(`/field-pack/${left}`)).toBe(303);
  });

  it('brings a pack up to date by a small archive, which also empties what was withdrawn', async () => {
    const published = await shareSolution(service, {
      user_id: author,
      licence: 'CC BY 4.0',
      title: 'Bogbean wedge for a low stirrup',
      status: 'approved',
    });
    const { data } = await service
      .from('solutions')
      .select('id, title')
      .eq('status', 'approved')
      .eq('audience', 'public')
      .not('licence', 'is', null)
      .neq('id', published)
      .limit(1)
      .single()
      .throwOnError();
    await service.from('solutions').update({ audience: 'members' }).eq('id', data.id).throwOnError();
    const page = await browser.newPage();
    await makeNow(page);

    await offered(page, `?since=${encodeURIComponent(madeAt)}`);
    await expectAccessible(page, 'an update of a pack');
    const size = await take(page, page.getByRole('link', { name: /^Download update/ }));
    expect(size).toBeLessThan(wholeSize / 2);
    expect((await pack(join(taken, 'field-pack'), '--check')).code).toBe(0);
    const words = readable(join(taken, 'field-pack'));
    expect(words).toContain('bogbean wedge');
    expect(words).not.toContain(data.title.toLowerCase());
    const inPack = await open(join(taken, 'field-pack'));
    await inPack.getByRole('searchbox', { name: 'Search' }).fill('bogbean');
    await inPack.getByText('1 solution', { exact: true }).waitFor();
    await inPack.context().close();

    await offered(page, '?since=2020-01-01T00:00:00.000Z');
    await page.getByText('There is no update for your pack.').waitFor();
    await page.close();
  });

  it('is not offered with what was hidden since: the next one is', async () => {
    const page = await browser.newPage();
    const before = await (await offered(page)).getAttribute('href');
    const { data } = await service
      .from('solution_media')
      .select('id, solutions!inner(audience, status)')
      .eq('solutions.status', 'approved')
      .eq('solutions.audience', 'public')
      .is('hidden_at', null)
      .limit(1)
      .single()
      .throwOnError();
    const now = new Date().toISOString();
    await service.from('solution_media').update({ hidden_at: now }).eq('id', data.id).throwOnError();
    await expect.poll(() => statusOf(before), { timeout: BACKGROUND_TIMEOUT_MS, interval: 1000 }).toBe(303);
    await expect.poll(async () => (await offered(page)).count(), { timeout: BACKGROUND_TIMEOUT_MS }).toBe(1);
    expect(await (await offered(page)).getAttribute('href')).not.toBe(before);
    // Who still has the page from before is led to the present one.
    await page.goto(siteUrl() + before);
    await page.getByRole('heading', { level: 1, name: 'Take with you' }).waitFor();
    await page.close();
  });
});
