// @module-tag whole

import exifr from 'exifr';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { phoneFilm, phonePicture, SECRET } from '../media/files.ts';
import { shareSolution as shareSolutionRow } from '../solution.ts';
import { classify } from './share/form.ts';
import { openSite, PASSWORD, tickAll } from './site.ts';
import { expectLoaded, fillIn, open, press, toSignUp } from './steps.ts';

const site = openSite();

const title = 'Handlebar gripper for a first bicycle';
const description =
  'A printed gripper that opens under the child’s own pull and lets go when the arm is lifted in a fall.';

async function shareSolution(page: Page) {
  await open(page, '/upload', { heading: 'Share Your Prosthetic Solution' });
  await page.locator('input[type=file][multiple]').setInputFiles([
    { name: 'bench.jpg', mimeType: 'image/jpeg', buffer: await phonePicture('jpeg') },
    { name: 'ride.mp4', mimeType: 'video/mp4', buffer: await phoneFilm() },
  ]);
  await page.getByLabel('Title', { exact: true }).fill(title);
  await page.getByLabel('Description', { exact: true }).fill(description);
  await classify(page);
  await page.getByLabel('3D-Printed PLA').check();
  await page.getByLabel('A parent or guardian has consented in writing').check();
  await press(page, 'Submit for review', 'Solution Submitted!');
  await page.getByText('Your solution has been submitted and is pending review by moderators.').waitFor();
  await page.waitForURL('/');
}

describe('from sign-up to a discussed solution', () => {
  it('takes a prosthetist, a moderator, a visitor and a colleague through it with real files', {
    tags: [
      'system/home',
      'system/card',
      'system/submit',
      'system/media-rules',
      'system/review',
      'system/detail-and-gallery',
      'system/complete-profile',
      'system/likes',
      'system/comments',
    ],
  }, async () => {
    // A prosthetist signs up, confirms the address and completes the profile.
    const author = await site.visit('/auth');
    await toSignUp(author);
    await author.getByLabel('Email').fill('amara@clinic.example');
    await author.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await author.getByLabel(/18 or over/).check();
    await press(author, 'Create account', 'Account created!');
    const mail = await site.mailTo('amara@clinic.example');
    expect(mail.subject).toBe('Confirm your email');
    await author.goto(/https?:\S+\/auth\/v1\/verify\?\S+/.exec(mail.text)?.[0] ?? '');
    await press(author, 'Confirm email', { url: /\/complete-profile/ });
    await fillIn(author, { Username: 'amara.osei', 'Full name': 'Amara Osei' });
    await press(author, 'Complete profile', 'Profile completed!');
    await author.waitForURL('/');
    expect(new URL(author.url()).hash).toBe('');

    // She shares a case with a picture and a clip as a phone makes them.
    await shareSolution(author);
    const rows = await site.rows(
      'solutions',
      'id, status, thumbnail_url, solution_media(media_url, compressed_url, thumbnail_url, media_type)',
    );
    expect(rows).toMatchObject([{ status: 'pending' }]);
    const [solution] = rows;
    const media: Record<string, string>[] = solution.solution_media;
    const pending = media.flatMap(({ media_url, compressed_url, thumbnail_url }) => [
      media_url,
      compressed_url,
      thumbnail_url,
    ]);
    expect(media.map(({ media_type }) => media_type).sort()).toEqual(['image', 'video']);

    // No other person can see it or fetch its files yet, by any endpoint.
    const visitor = await site.person();
    expect((await visitor.goto(`/solutions/${solution?.id}`))?.status()).toBe(404);
    await visitor.getByText('Solution not found').first().waitFor();
    expect(await visitor.content()).not.toContain(title);
    for (const url of new Set(pending as string[])) {
      expect((await fetch(site.url() + url)).ok, url).toBe(false);
      expect((await fetch(site.url() + url.replace('/authenticated/', '/public/'))).ok, url).toBe(false);
      expect(
        (await fetch(site.url() + url, { headers: { authorization: `Bearer ${site.instance().anonKey}` } }))
          .ok,
        url,
      ).toBe(false);
    }

    // A moderator reads and approves it.
    const { page: moderator } = await site.joins('Henrik', {
      role: 'moderator',
      at: '/admin?tab=solutions',
    });
    await moderator.getByRole('heading', { name: title }).waitFor();
    await moderator.getByText('A parent or guardian has consented in writing').waitFor();
    await expectLoaded(moderator.locator('article img').first());
    await tickAll(moderator);
    await press(moderator, 'Approve', 'Solution Approved');
    await moderator.getByText('No solutions to review').waitFor();
    // The files follow the decision, moved by the moderator's browser or by the site, whichever comes first.
    const files = () =>
      site.rows('solution_media', 'media_url, compressed_url, thumbnail_url, media_type, width, height');
    await expect.poll(async () => JSON.stringify(await files())).not.toContain('/authenticated/');

    // A visitor without an account finds it and opens it.
    await visitor.goto('/');
    await visitor.getByRole('main').getByRole('searchbox').fill('handlebar');
    await visitor.getByRole('main').getByRole('searchbox').press('Enter');
    await visitor.waitForURL('/browse?q=handlebar');
    await visitor.getByText('1 solutions found').waitFor();
    await visitor.getByRole('link', { name: title }).first().click();
    await visitor.waitForURL(`/solutions/${solution?.id}`);
    await visitor.getByRole('heading', { name: title, level: 1 }).waitFor();
    await expectLoaded(visitor.locator('main img').first());

    // The public files carry no metadata of the phone.
    const stored = await files();
    const published = [
      ...new Set(stored.flatMap((row) => [row.media_url, row.compressed_url, row.thumbnail_url])),
    ];
    expect(published).toHaveLength(5);
    for (const url of published) {
      expect(url).toMatch(/^\/storage\/v1\/object\/public\/solution-media\//);
      const response = await fetch(site.url() + url);
      expect(response.status, url).toBe(200);
      const bytes = Buffer.from(await response.arrayBuffer());
      for (const trace of [SECRET, 'Exif', 'http://ns.adobe.com', 'GPS', '51.5007', '©xyz', 'Photoshop'])
        expect(bytes.includes(trace), `${trace} in ${url}`).toBe(false);
      if (url.endsWith('.webp'))
        expect(await exifr.parse(bytes, true).catch(() => undefined), url).toBeUndefined();
    }
    // The phone was held sideways: the picture is upright now.
    expect(stored.find((row) => row.media_type === 'image')).toMatchObject({ width: 800, height: 1200 });
    // The private copies are deleted.
    for (const url of new Set(pending as string[])) {
      const headers = { authorization: `Bearer ${site.instance().serviceRoleKey}` };
      await expect
        .poll(async () => (await fetch(site.url() + url, { headers })).ok, { message: url })
        .toBe(false);
    }

    // A second member likes it, takes it back, likes it again, and comments; the author answers.
    const { page: colleague } = await site.joins('Leila', { at: `/solutions/${solution?.id}` });
    const like = colleague.getByRole('button', { name: /like this solution/ });
    for (const [pressed, count] of [
      ['true', 1],
      ['false', 0],
      ['true', 1],
    ] as const) {
      await like.click();
      await expect.poll(() => like.getAttribute('aria-pressed')).toBe(pressed);
      await expect.poll(() => site.row('solutions', 'likes_count')).toEqual({ likes_count: count });
    }
    await colleague.getByRole('textbox', { name: 'Comment' }).fill('How do you set the release force?');
    await press(colleague, 'Post comment', 'Comment posted successfully');

    await open(author, `/solutions/${solution?.id}`, 'How do you set the release force?');
    await press(author, 'Reply to Leila Test');
    await author.getByRole('textbox', { name: 'Reply to Leila Test' }).fill('With a luggage scale: 35 N.');
    await press(author, /^Reply$/, 'Reply posted successfully');
    const points = await site.rows('user_points', 'total_points');
    // 10 for the comment; 50 for the solution, 5 for the like and 10 for the reply.
    expect(points.map((row) => row.total_points).sort((a, b) => a - b)).toEqual([10, 65]);
  });
});

describe('a solution that waits for review', () => {
  /** The titles that the tab and the page show from now on, one after the other. */
  async function watchTitles(page: Page): Promise<() => Promise<string[]>> {
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const look = () => {
        const heading = document.querySelector<HTMLElement>('main h1');
        for (const text of [document.title, heading?.checkVisibility() ? (heading.textContent ?? '') : ''])
          if (text && !seen.includes(text)) seen.push(text);
        requestAnimationFrame(look);
      };
      look();
    });
    return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  }

  it('opens by its address for its author and moderators, and is to all others as if it did not exist', async () => {
    const author = await site.member('Odile');
    const id = await shareSolutionRow(site.service(), { user_id: author.id, title: 'Waits for review' });
    for (const email of [author.email, (await site.member('Marit', 'moderator')).email]) {
      const page = await site.signedIn(email, { serviceWorkers: 'allow' });
      const titles = await watchTitles(page);
      await open(page, `/solutions/${id}`, { title: 'Waits for review' });
      await expect.poll(() => page.title()).toBe('Waits for review · Limb Commons');
      expect((await titles()).join()).not.toMatch(/not found/i);
      // The answer for visitors is not kept on the device.
      expect(await page.evaluate(async () => Boolean(await caches.match(location.href)))).toBe(false);
      // The title does not outlast its page, and on the way back is right from the start.
      await page.getByRole('link', { name: 'Browse', exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Browse Solutions' }).waitFor();
      await expect.poll(() => page.title()).toBe('Browse Solutions · Limb Commons');
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Waits for review' }).waitFor();
      await expect.poll(() => page.title()).toBe('Waits for review · Limb Commons');
      expect((await titles()).join()).not.toMatch(/not found/i);
    }

    const { page: other } = await site.joins('Petra');
    for (const page of [await site.person(), other]) {
      expect((await page.goto(`/solutions/${id}`))?.status()).toBe(404);
      await page.getByRole('heading', { level: 1, name: 'Solution not found' }).waitFor();
      await expect.poll(() => page.title()).toBe('Solution not found · Limb Commons');
    }
    const [unknown, waiting] = await Promise.all(
      [author.id, id].map(async (one) => {
        const answer = await fetch(`${site.url()}/solutions/${one}`);
        return { status: answer.status, text: (await answer.text()).replaceAll(one, '') };
      }),
    );
    expect(waiting).toEqual(unknown);
  });
});
