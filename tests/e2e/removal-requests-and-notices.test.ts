import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { shareSolution } from '../solution.ts';
import { expectAccessible } from './every-page/page-checks.ts';
import { blockRealtime, openSite, refuse, signIn, toast } from './site.ts';

const site = openSite();
const people = { amara: { id: '', email: '' }, ben: { id: '', email: '' }, cleo: { id: '', email: '' } };
let amara: Page;
let ben: Page;
let cleo: Page;

/**
 * A public solution with two pictures where approval would have put them; returns its id and the first file.
 */
async function pictured(title: string) {
  const id = await shareSolution(site.service(), { title, user_id: people.amara.id, status: 'approved' });
  const files: string[] = [];
  for (const [position, background] of ['#336699', '#993366'].entries()) {
    const folder = `${people.amara.id}/${randomUUID()}`;
    const picture = await sharp({ create: { width: 640, height: 400, channels: 3, background } })
      .webp()
      .toBuffer();
    const at = (name: string) => `/storage/v1/object/public/solution-media/${folder}/${name}.webp`;
    for (const name of ['full', 'card', 'thumb']) {
      const { storage } = site.service();
      const stored = await storage
        .from('solution-media')
        .upload(`${folder}/${name}.webp`, picture, { contentType: 'image/webp' });
      expect(stored.error).toBeNull();
    }
    const row = await site
      .service()
      .from('solution_media')
      .insert({
        solution_id: id,
        media_url: at('full'),
        compressed_url: at('card'),
        thumbnail_url: at('thumb'),
        media_type: 'image',
        description: `The socket from side ${position + 1}`,
        position,
        width: 640,
        height: 400,
      });
    expect(row.error).toBeNull();
    files.push(at('full'));
  }
  return { id, file: files[0] ?? '' };
}
const statusOf = async (path: string) => (await fetch(site.url() + path)).status;

beforeAll(async () => {
  people.amara = await site.member('Amara');
  people.ben = await site.member('Ben');
  people.cleo = await site.member('Cleo', 'moderator');
  [amara, ben, cleo] = [await site.person(), await site.person({ width: 360 }), await site.person()];
  await signIn(amara, people.amara.email);
  await signIn(ben, people.ben.email);
  await signIn(cleo, people.cleo.email);
});

describe('a patient who recognises themselves', () => {
  it('has the picture hidden with one click from the alert, and follows the request to its outcome', async () => {
    const { id, file } = await pictured('A socket for long days on trails');
    const patient = await site.person({ width: 360 });
    await patient.goto(`/solutions/${id}`);
    await patient.getByRole('link', { name: 'Are you in an image? Request its removal' }).click();
    await patient.getByRole('heading', { name: 'Request removal of an image' }).waitFor();
    await expectAccessible(patient, 'the form');

    // Every missing field is reported at once, and a refusal or a lost connection keeps the typed text.
    const send = patient.getByRole('button', { name: 'Send request' });
    await send.click();
    const problem = patient.getByRole('alert');
    await problem.getByText('Choose at least one image').waitFor();
    await problem.getByText('Please say who you are').waitFor();
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
    await restore();
    expect(await patient.getByLabel('Is there anything').inputValue()).toBe('My tattoo can be seen.');
    await send.click();
    await patient.getByRole('heading', { name: 'Your request' }).waitFor();
    await patient.getByText('A moderator will look at your request within 24 hours.').waitFor();
    await expectAccessible(patient, 'the request');
    await patient.getByRole('button', { name: 'Copy link' }).click();
    await patient.getByText('Link copied').waitFor();
    await patient.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await patient.getByRole('button', { name: 'Copy link' }).click();
    await patient.getByText('The link is selected, so you can copy it yourself.').waitFor();
    expect(await patient.evaluate(() => getSelection()?.toString())).toBe(patient.url());

    await cleo.goto('/notifications');
    await cleo.getByText('Image removal requested').click();
    const request = cleo.getByRole('listitem').filter({ hasText: 'My tattoo can be seen.' });
    await request.getByText('Visible to everyone').waitFor();
    await request.getByText('pat@example.org').waitFor();
    await expectAccessible(cleo, 'the request in the dashboard');
    const hide = request.getByRole('button', { name: /^Hide the image now/ });
    const repair = await refuse(cleo, '/rest/v1/removal_requests', 'PATCH');
    await hide.click();
    await toast(cleo, 'Failed to hide the images');
    await repair();
    expect(await statusOf(file)).toBe(200);
    await hide.click();
    await toast(cleo, 'Images hidden');

    await expect.poll(() => statusOf(file)).toBe(400);
    const reader = await site.person();
    await reader.goto(`/solutions/${id}`);
    await reader
      .getByText('An image or video is not shown, at the request of someone shown in it.')
      .waitFor();
    expect(await reader.getByAltText('The socket from side 1').count()).toBe(0);
    await reader.getByAltText('The socket from side 2', { exact: true }).waitFor();
    await expectAccessible(reader, 'the solution with a picture withheld');
    await amara.goto('/notifications');
    await amara.getByText('Images of your solution are hidden for now').waitFor();
    // By itself, while the page is open.
    await patient.getByText('Readers no longer see the images.').waitFor();

    await request.getByRole('button', { name: /^Show again/ }).click();
    const dialog = cleo.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Keep the images' }).click();
    await dialog.getByText('Please say why the images can stay').waitFor();
    await dialog.getByLabel('Why can they stay?').fill('It shows the device alone.');
    await expectAccessible(cleo, 'the answer');
    await dialog.getByRole('button', { name: 'Keep the images' }).click();
    await toast(cleo, 'Request closed');
    await patient.reload();
    await patient.getByText('It shows the device alone.').waitFor();
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
    const patient = await site.person({ width: 360, javaScriptEnabled: false });
    await patient.goto(`/solutions/${id}/removal-request`);
    await patient.getByLabel('All of them').check();
    await patient.getByLabel('Is there anything').fill('It is my son.');
    await patient.getByRole('button', { name: 'Send request' }).click();
    await patient.getByRole('alert').getByText('Please say who you are').waitFor();
    expect(await patient.getByLabel('Is there anything').inputValue()).toBe('It is my son.');
    expect(await patient.getByLabel('All of them').isChecked()).toBe(true);
    await patient.getByLabel('I’m the parent or guardian').check();
    await patient.getByRole('button', { name: 'Send request' }).click();
    await patient.getByText('About 2 images of').waitFor();

    // Without a live connection, the queue goes on after a decision as well.
    await blockRealtime(cleo);
    await cleo.goto('/admin?tab=queue');
    const request = cleo.getByRole('listitem').filter({ hasText: 'It is my son.' });
    const remove = request.getByRole('button', { name: /^Remove permanently/ });
    await remove.click();
    await cleo.getByRole('dialog').getByRole('button', { name: 'Remove permanently' }).click();
    await toast(cleo, 'Images removed');
    await cleo.getByText('Nothing to review here').waitFor();
    await expect.poll(() => statusOf(file)).toBe(400);
    await patient.reload();
    await patient.getByText('The images have been removed in every size.').waitFor();
    expect((await patient.goto(`/solutions/${id}/removal-request`))?.status()).toBe(404);
    await patient.getByText('There are no images here').waitFor();
    expect((await patient.goto(`/removal-request/${randomUUID()}`))?.status()).toBe(404);
    await patient.getByText('Request not found').waitFor();

    // The list is as old as its last read; the first decision holds.
    const other = await pictured('A hook for fishing lines');
    const tracking = randomUUID();
    const removalRequest = { tracking, solution: other.id, asker: 'patient', reason: 'Seen from the side.' };
    expect((await site.service().rpc('request_removal', removalRequest)).error).toBeNull();
    await cleo.reload();
    const stale = cleo.getByRole('listitem').filter({ hasText: 'Seen from the side.' });
    await stale.waitFor();
    // The list is live; this moderator's line is not.
    await cleo.route(/\/rest\/v1\/removal_requests/, (route) =>
      route.request().method() === 'GET' ? undefined : route.fallback(),
    );
    const decided = await site
      .service()
      .from('removal_requests')
      .update({ status: 'kept', answer: 'It is a drawing.' })
      .eq('tracking_id', tracking);
    expect(decided.error).toBeNull();
    await stale.getByRole('button', { name: /^Hide the images now/ }).click();
    await cleo.getByText('Another moderator has already handled this request').waitFor();
  });
});

describe('a safety notice', () => {
  it('is written by the author, seen on page and card, told to who liked, changed and withdrawn', async () => {
    const { id } = await pictured('A strap that does not chafe');
    await site.service().from('likes').insert({ solution_id: id, user_id: people.ben.id });
    await amara.goto(`/solutions/${id}`);
    await amara.getByRole('button', { name: 'Add a safety notice' }).click();
    const dialog = amara.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Publish notice' }).click();
    await dialog.getByText('Please say what readers need to know').waitFor();
    await expectAccessible(amara, 'the dialog of the notice');
    const text = dialog.getByLabel('What do readers need to know?');
    await text.fill('The buckle opens under load.');
    const restore = await refuse(amara, '/rest/v1/safety_notices', 'POST');
    await dialog.getByRole('button', { name: 'Publish notice' }).click();
    await toast(amara, 'Failed to publish the notice');
    expect(await text.inputValue()).toBe('The buckle opens under load.');
    await restore();
    await dialog.getByRole('button', { name: 'Publish notice' }).click();
    await toast(amara, 'Safety notice published');
    await amara.getByRole('region', { name: 'Safety notice' }).getByText('Use with caution.').waitFor();

    await ben.goto('/notifications');
    await ben.getByText('added a safety notice to').click();
    await ben.getByText('The buckle opens under load.').waitFor();
    await expectAccessible(ben, 'a solution with a notice');
    expect(await ben.getByRole('button', { name: /safety notice/ }).count()).toBe(0);
    await ben.goto('/browse?q=strap');
    await ben.getByRole('article').getByText('Caution').waitFor();
    await expectAccessible(ben, 'a card with a notice');

    // A moderator raises its severity; from then on the author cannot change it.
    await cleo.goto(`/solutions/${id}`);
    await cleo.getByRole('button', { name: 'Change the safety notice' }).click();
    await cleo.getByLabel('Do not use').check();
    await cleo.getByRole('button', { name: 'Publish notice' }).click();
    await toast(cleo, 'Safety notice published');
    const reader = await site.person({ javaScriptEnabled: false });
    await reader.goto(`/solutions/${id}`);
    await reader.getByRole('region', { name: 'Safety notice' }).getByText('Do not use.').waitFor();
    await amara.reload();
    await amara.getByRole('button', { name: 'Change the safety notice' }).click();
    await dialog.getByText('This notice was added by a moderator').waitFor();
    await dialog.getByText('Earlier notices (1)').click();
    await dialog.getByText('The buckle opens under load.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Publish notice' }).count()).toBe(0);

    await cleo.getByRole('button', { name: 'Change the safety notice' }).click();
    await cleo.getByRole('button', { name: 'Withdraw' }).click();
    await toast(cleo, 'Safety notice withdrawn');
    await cleo.getByRole('region', { name: 'Safety notice' }).waitFor({ state: 'detached' });
    await reader.reload();
    expect(await reader.getByRole('region', { name: 'Safety notice' }).count()).toBe(0);
  });
});
