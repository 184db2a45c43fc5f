// @module-tag whole

import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { OUTCOME } from '../rows.ts';
import { openSite, tickAll } from '../site.ts';
import { chooseMore, expectFocus, expectLoaded, follow, open, press } from '../steps.ts';
import { files, fill, jpeg, submit } from './form.ts';

const site = openSite();
const TITLE = 'Quillwort clamp for a paddle';
const OTHER = 'Bracken clamp for a paddle';

it('a case for members is submitted, reviewed, read by members alone, and narrowed to checked professionals', async () => {
  const author = await site.member('Vera');
  const page = await site.visit('/upload', { as: author.email, width: 360 });
  await fill(page, TITLE);
  await page.getByText('Who can see it: Everyone').click();
  await page.getByRole('combobox', { name: 'Show it to' }).selectOption('Members');
  await page.getByText('Licence of texts, images and videos: CC BY 4.0').click();
  await page
    .getByRole('combobox', { name: 'What others can do with them' })
    .selectOption({ value: 'CC BY-NC 4.0' });
  await expectAccessible(page, 'the choices of an audience and a licence');
  // The statement was for everyone.
  await submit(page);
  const consent = page.getByRole('radiogroup', { name: 'Consent' });
  await consent.getByText('Please choose a consent statement').waitFor();
  await expectFocus(consent);
  await page
    .getByLabel('A parent or guardian has consented in writing to members of this site seeing it')
    .check();
  await files(page).setInputFiles([await jpeg('paddle.jpg')]);
  await submit(page);
  await page.getByText('Solution Submitted!').waitFor();
  const made = await site.row('solutions', 'id,audience', { title: TITLE });
  const path = `/solutions/${made.id}`;
  expect(made.audience).toBe('members');

  const { page: moderator } = await site.joins('Mona', { role: 'moderator', at: path });
  const review = moderator.getByRole('region', { name: 'Review', exact: true });
  await review.getByText('Members', { exact: true }).waitFor();
  await review.getByText('in writing to members of this site seeing it').waitFor();
  await tickAll(moderator);
  await press(moderator, 'Approve', { toast: 'Solution Approved' });

  const visitor = await site.person();
  const answer = await visitor.goto(path);
  expect(answer?.status()).toBe(403);
  const html = (await answer?.text()) ?? '';
  expect(html).toContain('noindex');
  for (const secret of [TITLE, 'Quillwort', 'Vera', 'paddle', 'pending-media'])
    expect(html).not.toContain(secret);
  await visitor.getByRole('heading', { level: 1, name: 'For members' }).waitFor();
  await expectAccessible(visitor, 'a solution for members, to a visitor');
  for (const other of [
    '/browse?q=quillwort',
    '/sitemap.xml',
    '/sitemap/solutions-1.xml',
    '/browse.atom',
    '/',
  ]) {
    const text = await (await visitor.request.get(other)).text();
    expect(text).not.toContain(made.id);
    expect(text).not.toContain(TITLE);
  }
  expect((await visitor.request.get(`${path}/card.png`)).status()).toBe(404);
  const media = await site.row('solution_media', 'media_url', { solution_id: made.id });
  expect(media.media_url).toContain('/authenticated/pending-media/');
  for (const url of [
    media.media_url,
    media.media_url.replace('/authenticated/pending-media/', '/public/solution-media/'),
  ])
    expect((await visitor.request.get(url)).ok()).toBe(false);
  await press(visitor.getByRole('main'), 'Sign in', { url: '/auth' });

  const { page: colleague } = await site.joins('Carl', { at: '/browse?q=quillwort', width: 360 });
  await colleague.getByText('1 solutions found').waitFor();
  const card = colleague.getByRole('article').filter({ hasText: TITLE });
  await card.getByText('For Members', { exact: true }).waitFor();
  await expectLoaded(card.locator('img'));
  await follow(card, TITLE, { title: TITLE });
  await colleague.getByText('Who can see it: Members').waitFor();
  await expectLoaded(colleague.getByRole('main').locator('img[src*="/object/sign/"]').first());
  await expectAccessible(colleague, 'a solution for members');
  const [download] = await Promise.all([
    colleague.waitForEvent('download'),
    chooseMore(colleague, 'Download all'),
  ]);
  const taken = unzipSync(readFileSync(await download.path()));
  expect(Object.keys(taken)).toEqual(['read-me.html', 'citation.bib', 'okh.toml', 'images/1.webp']);
  const readMe = new TextDecoder().decode(taken['read-me.html']);
  expect(readMe).toContain('Members can see this solution. Keep it from others.');
  expect(readMe).toContain('CC BY-NC 4.0');
  await open(colleague, `${path}/versions/1`, { title: TITLE });

  await page.goto(path);
  await chooseMore(page, 'Who can see it: Members');
  const dialog = page.getByRole('dialog', { name: 'Who can see it' });
  await dialog.getByLabel('Checked professionals only').check();
  await press(dialog, 'Show to fewer people', { page: 'Who can see it: Checked professionals' });

  await open(colleague, path, { title: 'For checked professionals' });
  await follow(colleague, 'Have your registration checked', { url: /\/settings/ });
});

it('a case that becomes one for members loses its public page and files, and a member who signs out loses sight of it', async () => {
  const author = await site.member('Wilma');
  const id = await site.publish(author.id, OTHER);
  const visitor = await site.person();
  expect((await visitor.goto(`/solutions/${id}`))?.status()).toBe(200);
  await visitor.getByRole('heading', { level: 1, name: OTHER }).waitFor();

  const page = await site.visit(`/upload?solution=${id}`, { as: author.email });
  await page.getByText('Who can see it: Everyone').click();
  await page.getByRole('combobox', { name: 'Show it to' }).selectOption('Members');
  await page.getByLabel('No person is shown or recognisable').check();
  await submit(page);
  await page.getByText('Solution Submitted!').waitFor();
  await expect.poll(async () => (await visitor.goto(`/solutions/${id}`))?.status()).toBe(403);
  await visitor.getByRole('heading', { level: 1, name: 'For members' }).waitFor();

  const { page: colleague } = await site.joins('Conny', { at: `/solutions/${id}` });
  await colleague.getByRole('heading', { level: 1, name: OTHER }).waitFor();
  await colleague.evaluate(() => localStorage.clear());
  await open(colleague, `/solutions/${id}`, { title: 'For members' });
  expect(await colleague.content()).not.toContain(OTHER);
});

it.each([
  ['is narrowed', 'Woodruff', 403],
  ['is withdrawn after a removal request', 'Yarrow', 410],
])(
  'nothing that was kept of a case tells of it once it %s: no page, part of one, feed, list or download, and no "not modified"',
  async (how, name, status) => {
    const TITLE = `${name} clamp for a paddle`;
    const author = await site.member(name);
    const service = site.service();
    const id = await shareSolution(service, {
      user_id: author.id,
      status: 'approved',
      title: TITLE,
      custom_tags: [name.toLowerCase()],
    });
    await site.insert('solution_outcomes', { solution_id: id, ...OUTCOME });
    await site.insert('solution_fabrication', { solution_id: id, hours: 2 });
    const path = `/solutions/${id}`;
    const own = [path, `${path}.data`, `${path}/versions/1`, `${path}/workshop-sheet`, `${path}/card.png`];
    const others = [
      `/browse?q=${name}`,
      `/browse.atom?q=${name}`,
      '/browse.atom',
      '/',
      '/sitemap/solutions-1.xml',
      '/evidence/outcomes.csv',
      '/evidence/outcomes.json',
      '/evidence?measure=TUG',
      `/members/${name.toLowerCase()}`,
    ];
    const fetched = async (address: string, etag = '') => {
      const response = await fetch(site.url() + address, { headers: { 'if-none-match': etag } });
      return {
        status: response.status,
        text: await response.text(),
        etag: response.headers.get('etag') ?? '',
      };
    };
    const before = new Map<string, string>();
    for (const address of [...own, ...others]) {
      const { status: found, text, etag } = await fetched(address);
      expect([address, found]).toEqual([address, 200]);
      if (!address.endsWith('/card.png')) expect(text, address).toContain(id);
      before.set(address, etag);
    }

    const db = await site.client(author.email);
    if (how === 'is narrowed')
      await db.from('solutions').update({ audience: 'checked' }).eq('id', id).throwOnError();
    else await db.rpc('withdraw_solution', { solution: id, reason: 'removal_request' }).throwOnError();
    for (const address of [...own, ...others]) {
      const told = own.includes(address) ? TITLE : id;
      // A page is made current within a second of a write by someone else.
      await expect
        .poll(async () => (await fetched(address, before.get(address))).text.includes(told), {
          message: address,
        })
        .toBe(false);
      const answer = await fetched(address, before.get(address));
      expect(answer.text, address).not.toContain(TITLE);
      if (own.includes(address))
        expect([address, [status, 404].includes(answer.status)]).toEqual([address, true]);
      // The page of a map that lists nothing is none.
      else expect([address, answer.status < 300 || address.startsWith('/sitemap')]).toEqual([address, true]);
    }
  },
);

it('a comment for members stays with them when the case is shown to everyone, and says so', async () => {
  const { id: user_id } = await site.member('Wanda');
  const id = await site.publish(user_id, 'A hook for the loom');
  await site.change('solutions', { id }, { audience: 'members' });
  const { page: member } = await site.joins('Milo', { at: `/solutions/${id}`, width: 360 });
  const comment = 'My patient wears it at the loom.';
  await member.getByRole('textbox', { name: 'Comment' }).fill(comment);
  await press(member, 'Post comment', { toast: 'Comment posted successfully' });
  const beside = member.getByRole('listitem').filter({ hasText: comment });
  expect(await beside.getByText('Who can see it').count()).toBe(0);

  await site.change('solutions', { id }, { audience: 'public' });
  await open(member, `/solutions/${id}`, comment);
  await beside.getByText('Who can see it: Members').waitFor();
  const visitor = await site.visit(`/solutions/${id}`);
  await visitor.getByRole('heading', { name: 'A hook for the loom' }).waitFor();
  expect(await visitor.content()).not.toContain('at the loom.');
});
