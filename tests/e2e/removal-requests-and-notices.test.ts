// @module-tag whole

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './every-page/page-checks.ts';
import { imageIn } from './rows.ts';
import { blockRealtime, openSite, refuse } from './site.ts';
import { chooseMore, expectFocus, fillAndPress, open, press, reload, says, toast } from './steps.ts';

const site = openSite();
type Person = { id: string; email: string };
let people: Record<'amara' | 'ben' | 'cleo', Person>;
let amara: Page;
let ben: Page;
let cleo: Page;

/**
 * A public solution with two pictures where approval would have put them; returns its id and the first file.
 */
async function pictured(title: string) {
  const id = await site.publish(people.amara.id, title);
  const files: string[] = [];
  for (const [position, background] of ['#336699', '#993366'].entries()) {
    const folder = `${people.amara.id}/${randomUUID()}`;
    const picture = await sharp({ create: { width: 640, height: 400, channels: 3, background } })
      .webp()
      .toBuffer();
    for (const name of ['full', 'card', 'thumb']) {
      const { storage } = site.service();
      const stored = await storage
        .from('solution-media')
        .upload(`${folder}/${name}.webp`, picture, { contentType: 'image/webp' });
      expect(stored.error).toBeNull();
    }
    const image = { ...imageIn(folder), position, description: `The socket from side ${position + 1}` };
    await site.insert('solution_media', { solution_id: id, ...image });
    files.push(image.media_url);
  }
  return { id, file: files[0] ?? '' };
}
const statusOf = async (path: string) => (await fetch(site.url() + path)).status;

beforeAll(async () => {
  const [amaras, bens, cleos] = [
    await site.joins('Amara'),
    await site.joins('Ben', { width: 360 }),
    await site.joins('Cleo', { role: 'moderator' }),
  ];
  people = { amara: amaras, ben: bens, cleo: cleos };
  [amara, ben, cleo] = [amaras.page, bens.page, cleos.page];
});

describe('a patient who recognises themselves', () => {
  it('has the picture hidden with one click from the alert, and follows the request to its outcome', async () => {
    const { id, file } = await pictured('A socket for long days on trails');
    const patient = await site.visit(`/solutions/${id}`, { width: 360 });
    await chooseMore(patient, 'Request removal of an image');
    await patient.getByRole('heading', { name: 'Request removal of an image' }).waitFor();
    await expectAccessible(patient, 'the form');

    // Every missing field is reported at once, and a refusal or a lost connection keeps the typed text.
    const send = patient.getByRole('button', { name: 'Send request' });
    await send.click();
    const problem = patient.getByRole('alert');
    await says(problem, 'Choose at least one image', 'Please say who you are');
    await expect
      .poll(() => patient.evaluate(() => document.activeElement?.getAttribute('role')))
      .toBe('alert');
    await expectAccessible(patient, 'the form with problems');
    await patient.getByLabel('Image 1', { exact: true }).check();
    await patient.getByLabel('I’m in the image').check();
    await patient.getByLabel('Is there anything we should know?').fill('My tattoo can be seen.');
    await patient.getByLabel('Email for our answer').fill('pat at home');
    await send.click();
    await problem.getByText('Enter an email address, such as name@example.org').waitFor();
    await patient.getByLabel('Email for our answer').fill('pat@example.org');
    const restore = await refuse(patient, '/rpc/request_removal', 'POST');
    await send.click();
    await problem.getByText('Your request couldn’t be sent. Please try again.').waitFor();
    restore();
    expect(await patient.getByLabel('Is there anything').inputValue()).toBe('My tattoo can be seen.');
    await send.click();
    await patient.getByRole('heading', { name: 'Your request' }).waitFor();
    await patient.getByText('A moderator will look at your request within 24 hours.').waitFor();
    await expectAccessible(patient, 'the request');
    await press(patient, 'Copy link', 'Link copied');
    await patient.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await press(patient, 'Copy link', 'The link is selected, so you can copy it yourself.');
    expect(await patient.evaluate(() => getSelection()?.toString())).toBe(patient.url());

    await cleo.goto('/notifications');
    await cleo.getByRole('link', { name: /^Open the request/ }).click();
    await says(cleo, 'Visible to everyone', 'My tattoo can be seen.', 'pat@example.org');
    await expectAccessible(cleo, 'the request in the dashboard');
    // One bar decides, as on every other kind.
    expect(await cleo.locator('[data-decision]').count()).toBe(1);
    const hide = cleo.getByRole('button', { name: 'Hide the image now' });
    const repair = await refuse(cleo, '/rest/v1/removal_requests', 'PATCH');
    await hide.click();
    await toast(cleo, 'Failed to hide the images');
    await repair();
    expect(await statusOf(file)).toBe(200);
    await hide.click();
    await toast(cleo, 'Images hidden');
    // A second press of the same key removes nothing.
    await cleo.getByText('Hidden until decided').waitFor();
    await expectFocus(cleo.getByRole('heading', { level: 2, name: 'A socket for long days on trails' }));

    await expect.poll(() => statusOf(file)).toBe(400);
    const reader = await site.visit(`/solutions/${id}`);
    await reader.getByText('An image or video is not shown, to protect someone shown in it.').waitFor();
    expect(await reader.getByAltText('The socket from side 1').count()).toBe(0);
    await reader.getByAltText('The socket from side 2', { exact: true }).waitFor();
    await expectAccessible(reader, 'the solution with a picture withheld');
    await open(amara, '/notifications', 'Images of your solution are hidden for now');
    // By itself, while the page is open.
    await patient.getByText('Readers no longer see the images.').waitFor();

    await press(cleo, 'Decline');
    const dialog = cleo.getByRole('dialog');
    await press(dialog, 'Decline', 'Please say why the images can stay');
    await dialog.getByLabel('Why can they stay?').fill('It shows the device alone.');
    await expectAccessible(cleo, 'the answer');
    await press(dialog, 'Decline', { toast: 'Request closed' });
    await reload(patient, 'It shows the device alone.');
    // At another address: no earlier link works again.
    const picture = reader.getByAltText('The socket from side 1', { exact: true }).first();
    await expect
      .poll(async () => {
        await reader.reload();
        await reader.getByAltText('The socket from side 2', { exact: true }).waitFor();
        const address = (await picture.count()) > 0 ? await picture.getAttribute('src') : null;
        return address && statusOf(new URL(address, site.url()).pathname);
      })
      .toBe(200);
    expect(await statusOf(file)).toBe(400);
    await expect
      .poll(async () => (await site.mailTo('pat@example.org')).subject)
      .toBe('We have decided on your request');
    expect(site.log()).not.toContain('pat@example.org');
  });

  it('needs no scripts, and a second moderator is told that it was decided', async () => {
    const { id, file } = await pictured('A liner that stays dry in summer');
    const patient = await site.visit(`/solutions/${id}/removal-request`, {
      width: 360,
      javaScriptEnabled: false,
    });
    await patient.getByLabel('All of them').check();
    await fillAndPress(patient, { 'Is there anything': 'It is my son.' }, 'Send request');
    await patient.getByRole('alert').getByText('Please say who you are').waitFor();
    expect(await patient.getByLabel('Is there anything').inputValue()).toBe('It is my son.');
    expect(await patient.getByLabel('All of them').isChecked()).toBe(true);
    await patient.getByLabel('I’m the parent or guardian').check();
    await press(patient, 'Send request', 'About 2 images of');

    // Without a live connection, the queue goes on after a decision as well.
    await blockRealtime(cleo);
    await cleo.goto('/admin?tab=queue');
    await says(cleo, 'It is my son.', '1 removal request: 23 hours left.');
    await chooseMore(cleo, 'Remove permanently');
    // It names what is lost.
    const removal = cleo.getByRole('dialog', { name: 'Remove permanently' });
    await says(removal, /The 2 images below of “A liner that stays dry in summer”/, 'The socket from side 2');
    await expectAccessible(cleo, 'the removal of images');
    await press(removal, 'Remove permanently', { toast: 'Images removed' });
    await cleo.getByText('Nothing to review here').waitFor();
    await expect.poll(() => statusOf(file)).toBe(400);
    await reload(patient, 'The images have been removed in every size.');
    expect((await patient.goto(`/solutions/${id}/removal-request`))?.status()).toBe(404);
    await patient.getByText('There are no images here').waitFor();
    expect((await patient.goto(`/removal-request/${randomUUID()}`))?.status()).toBe(404);
    await patient.getByText('Request not found').waitFor();

    // The list is as old as its last read; the first decision holds.
    const other = await pictured('A hook for fishing lines');
    const tracking = randomUUID();
    const removalRequest = { tracking, solution: other.id, asker: 'patient', reason: 'Seen from the side.' };
    expect((await site.service().rpc('request_removal', removalRequest)).error).toBeNull();
    await cleo.goto('/admin?tab=queue');
    await says(cleo, 'Seen from the side.');
    // The list is live; this moderator's line is not.
    await cleo.route(/\/rest\/v1\/removal_requests/, (route) =>
      route.request().method() === 'GET' ? undefined : route.fallback(),
    );
    const decision = { status: 'kept', answer: 'It is a drawing.' };
    await site.change('removal_requests', { tracking_id: tracking }, decision);
    await press(cleo, 'Hide the images now');
    await cleo.getByText('Another moderator has already handled this request').waitFor();
  });
});

/** Walks the places that name a recalled solution: each begins with the warning, and Home does not feature it. */
async function warnsEverywhere(id: string, title: string) {
  const { id: user_id } = people.ben;
  const collection = await site.insert('collections', { user_id, title: 'Straps' });
  await site.insert('collection_items', { collection_id: collection, user_id, solution_id: id });
  await site.insert('follows', { user_id, solution_id: id });
  await site.insert('comments', { solution_id: id, user_id: people.amara.id, content: 'Take it off.' });
  await site.insert('solution_trials', {
    solution_id: id,
    user_id,
    version: 1,
    status: 'approved',
    result: 'worked',
    amputation_level: 'Transtibial (Below Knee)',
    age_group: 'Adults',
    prosthesis_type: 'Passive',
  });
  const rows: [Page, string][] = [
    [ben, '/browse?q=strap'],
    [ben, '/browse?q=strap&view=list'],
    [ben, `/collections/${collection}`],
    [ben, '/following'],
    [ben, '/notifications'],
    [ben, '/profile'],
    [ben, '/members/amara'],
    [amara, '/profile'],
    [ben, `/solutions/${id}/tried`],
    [ben, `/solutions/${id}/versions/1`],
    [ben, `/solutions/${id}`],
  ];
  for (const [page, path] of rows) {
    await page.goto(path);
    await page.getByText(title, { exact: true }).filter({ visible: true }).first().waitFor();
    const before = () =>
      page.locator('main').evaluate(
        (main, name) =>
          [...main.querySelectorAll('h1, h2, h3, a, bdi, p')]
            .filter((one) => one.textContent?.trim() === name)
            .map((one) => {
              const row = one.closest('article, li') ?? main;
              return row.textContent?.slice(0, row.textContent.indexOf(name)).includes('Do not use') === true;
            }),
        title,
      );
    await expect.poll(before, { message: path }).not.toContain(false);
    await expect.poll(before, { message: path }).toContain(true);
  }
  const read = async (path: string) => (await fetch(site.url() + path)).text();
  expect(await read('/')).not.toContain(title);
  expect(await read('/browse.atom')).toContain(`Do not use: ${title}</title>`);
  const page = await read(`/solutions/${id}`);
  expect(page).toContain(`<title>Do not use: ${title}`);
  expect(page).toContain(`property="og:title" content="Do not use: ${title}"`);
}

describe('a safety notice', () => {
  it('is written by the author, seen on page and card, told to who liked, changed and withdrawn', async () => {
    const { id } = await pictured('A strap that does not chafe');
    await site.insert('likes', { solution_id: id, user_id: people.ben.id });
    await amara.goto(`/solutions/${id}`);
    await chooseMore(amara, 'Add a safety notice');
    const dialog = amara.getByRole('dialog');
    await press(dialog, 'Publish notice', 'Please say what readers need to know');
    await expectAccessible(amara, 'the dialog of the notice');
    const text = dialog.getByLabel('What do readers need to know?');
    await text.fill('The buckle opens under load.');
    const restore = await refuse(amara, '/rest/v1/safety_notices', 'POST');
    await press(dialog, 'Publish notice', { toast: 'Failed to publish the notice' });
    expect(await text.inputValue()).toBe('The buckle opens under load.');
    restore();
    await press(dialog, 'Publish notice', { toast: 'Safety notice published' });
    await amara.getByRole('region', { name: 'Safety notice' }).getByText('Use with caution.').waitFor();

    // Whatever came since, it stands first until it is read.
    await site.insert(
      'notifications',
      Array.from({ length: 300 }, () => ({
        user_id: people.ben.id,
        actor_id: people.amara.id,
        type: 'like',
        solution_id: id,
      })),
    );
    await ben.goto('/notifications');
    await ben.getByRole('heading', { name: 'Safety: 1 not yet read' }).waitFor();
    await expectAccessible(ben, 'a warning among notifications');
    // All of the same moment, so that only their ids tell one page from the next.
    await ben.getByText(/: 50 likes by Amara Test/).waitFor();
    await press(ben, 'Show 50 earlier');
    await ben.getByText(/: 100 likes by Amara Test/).waitFor();
    await press(ben, 'Mark all read', { toast: 'All notifications marked as read' });
    await ben.getByRole('button', { name: 'Mark all read' }).waitFor({ state: 'hidden' });
    const warning = ben.getByRole('listitem').filter({ hasText: 'Use with caution: A strap that' });
    await warning.getByRole('link', { name: /^Read the notice/ }).click();
    await ben.getByText('The buckle opens under load.').waitFor();
    await expectAccessible(ben, 'a solution with a notice');
    await ben.getByRole('button', { name: 'More', exact: true }).click();
    await ben.getByRole('menuitem', { name: 'Cite this' }).waitFor();
    await expectAccessible(ben, 'the menu of a solution on a phone');
    expect(await ben.getByRole('menuitem', { name: /safety notice/ }).count()).toBe(0);
    await ben.keyboard.press('Escape');
    await ben.goto('/browse?q=strap');
    await ben.getByRole('article').getByText('Caution').waitFor();
    await expectAccessible(ben, 'a card with a notice');

    // A moderator raises its severity; from then on the author cannot change it.
    await cleo.goto(`/solutions/${id}`);
    await chooseMore(cleo, 'Change the safety notice');
    await cleo.getByLabel('Do not use').check();
    await press(cleo, 'Publish notice', { toast: 'Safety notice published' });
    const reader = await site.visit(`/solutions/${id}`, { javaScriptEnabled: false });
    await reader.getByRole('region', { name: 'Safety notice' }).getByText('Do not use.').waitFor();
    await warnsEverywhere(id, 'A strap that does not chafe');
    await open(amara, `/solutions/${id}`, { page: 'Do not use.' });
    await chooseMore(amara, 'Change the safety notice');
    await dialog.getByText('This notice was added by a moderator').waitFor();
    await dialog.getByText('Earlier notices (1)').click();
    await dialog.getByText('The buckle opens under load.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Publish notice' }).count()).toBe(0);

    await chooseMore(cleo, 'Change the safety notice');
    await press(cleo, 'Withdraw');
    await press(cleo.getByRole('dialog', { name: 'Withdraw the safety notice' }), 'Withdraw notice', {
      toast: 'Safety notice withdrawn',
    });
    await cleo.getByRole('region', { name: 'Safety notice' }).waitFor({ state: 'detached' });
    await reader.reload();
    expect(await reader.getByRole('region', { name: 'Safety notice' }).count()).toBe(0);
  });
});

describe('a moderator', () => {
  it('hides what a report is about, still sees it, and is led to the decision', async () => {
    const { id, file } = await pictured('A hook that opens jars');
    await site.insert('content_reports', {
      reporter_id: people.ben.id,
      content_type: 'solution',
      content_id: id,
      reason: 'A face is mirrored in the jar',
    });
    const { page: staff } = await site.joins('Dora', { role: 'moderator' });
    await staff.goto('/admin?tab=reports');
    const content = staff.getByRole('region', { name: 'Reported content' });
    await content.getByRole('region', { name: 'Images and videos' }).waitFor();
    await press(content, 'Hide while I look', { toast: 'Hidden from readers' });
    await expect.poll(() => statusOf(file)).toBe(400);
    await content.getByAltText(/^1 of 2 in the request/).waitFor();
    await expectAccessible(staff, 'a report whose images are hidden');
    const reader = await site.visit(`/solutions/${id}`);
    await reader.getByText('2 images or videos are not shown').waitFor();
    await staff.getByRole('link', { name: 'removal request', exact: true }).click();
    await staff.getByRole('definition').getByText('A moderator, after a report').waitFor();
  });
});
