import exifr from 'exifr';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { phoneFilm, phonePicture, SECRET } from '../media/files.ts';
import { shareSolution as shareSolutionRow } from '../solution.ts';
import { openSite, PASSWORD, tickAll } from './site.ts';

const site = openSite();

const title = 'Handlebar gripper for a first bicycle';
const description =
  'A printed gripper that opens under the child’s own pull and lets go when the arm is lifted in a fall.';

async function shareSolution(page: Page) {
  await page.goto('/upload');
  await page.getByRole('heading', { name: 'Share Your Prosthetic Solution' }).waitFor();
  await page.locator('input[type=file][multiple]').setInputFiles([
    { name: 'bench.jpg', mimeType: 'image/jpeg', buffer: await phonePicture('jpeg') },
    { name: 'ride.mp4', mimeType: 'video/mp4', buffer: await phoneFilm() },
  ]);
  await page.getByLabel('Title', { exact: true }).fill(title);
  await page.getByLabel('Description', { exact: true }).fill(description);
  await page.getByLabel('Function in mind').selectOption('Sports & Athletics');
  await page.getByLabel('Amputation level').selectOption('Transradial (Below Elbow)');
  await page.getByLabel('Prosthesis type').selectOption('Body-Powered');
  await page.getByLabel('Cost range').selectOption('Low-cost (<$500)');
  await page.getByLabel('Children').check();
  await page.getByLabel('3D-Printed PLA').check();
  await page.getByLabel('A parent or guardian has consented in writing').check();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByText('Solution Submitted!').waitFor();
  await page.getByText('Your solution has been submitted and is pending review by moderators.').waitFor();
  await page.waitForURL('/');
}

describe('from sign-up to a discussed solution', () => {
  it('takes a prosthetist, a moderator, a visitor and a colleague through it with real files', async () => {
    // A prosthetist signs up, confirms the address and completes the profile.
    const author = await site.person();
    await author.goto('/auth');
    await author.getByRole('tab', { name: 'Sign Up' }).click();
    await author.getByLabel('Email').fill('amara@clinic.example');
    await author.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await author.getByLabel(/18 or over/).check();
    await author.getByRole('button', { name: 'Create Account' }).click();
    await author.getByText('Account created!').waitFor();
    const mail = await site.mailTo('amara@clinic.example');
    expect(mail.subject).toBe('Confirm your email');
    await author.goto(/https?:\S+\/auth\/v1\/verify\?\S+/.exec(mail.text)?.[0] ?? '');
    await author.getByRole('button', { name: 'Confirm email' }).click();
    await author.waitForURL(/\/complete-profile/);
    await author.getByLabel('Username').fill('amara.osei');
    await author.getByLabel('Full name').fill('Amara Osei');
    await author.getByRole('button', { name: 'Complete Profile' }).click();
    await author.getByText('Profile completed!').waitFor();
    await author.waitForURL('/');
    expect(new URL(author.url()).hash).toBe('');

    // She shares a case with a picture and a clip as a phone makes them.
    await shareSolution(author);
    const { data: rows } = await site
      .service()
      .from('solutions')
      .select(
        'id, status, thumbnail_url, solution_media(media_url, compressed_url, thumbnail_url, media_type)',
      );
    const solution = rows?.[0];
    expect(rows).toMatchObject([{ status: 'pending' }]);
    const pending: string[] = (solution?.solution_media ?? []).flatMap((media) => [
      media.media_url,
      media.compressed_url,
      media.thumbnail_url,
    ]);
    expect(solution?.solution_media.map((media) => media.media_type).sort()).toEqual(['image', 'video']);

    // No other person can see it or fetch its files yet, by any endpoint.
    const visitor = await site.person();
    expect((await visitor.goto(`/solutions/${solution?.id}`))?.status()).toBe(404);
    await visitor.getByText('Solution not found').first().waitFor();
    expect(await visitor.content()).not.toContain(title);
    for (const url of new Set(pending)) {
      expect((await fetch(site.url() + url)).ok, url).toBe(false);
      expect((await fetch(site.url() + url.replace('/authenticated/', '/public/'))).ok, url).toBe(false);
      expect(
        (await fetch(site.url() + url, { headers: { authorization: `Bearer ${site.instance().anonKey}` } }))
          .ok,
        url,
      ).toBe(false);
    }

    // A moderator reads and approves it.
    const { email } = await site.member('Henrik', 'moderator');
    const moderator = await site.signedIn(email);
    await moderator.goto('/admin?tab=solutions');
    await moderator.getByRole('heading', { name: title }).waitFor();
    await moderator.getByText('A parent or guardian has consented in writing').waitFor();
    await expect
      .poll(() =>
        moderator
          .locator('article img')
          .first()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0);
    await tickAll(moderator);
    await moderator.getByRole('button', { name: 'Approve' }).click();
    await moderator.getByText('Solution Approved').waitFor();
    await moderator.getByText('No solutions to review').waitFor();
    // The files follow the decision, moved by the moderator's browser or by the site, whichever comes first.
    const files = async () =>
      (
        await site
          .service()
          .from('solution_media')
          .select('media_url, compressed_url, thumbnail_url, media_type, width, height')
      ).data ?? [];
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
    await expect
      .poll(() =>
        visitor
          .locator('main img')
          .first()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0);

    // The public files carry no metadata of the phone.
    const media = await files();
    const published = [
      ...new Set(media.flatMap((row) => [row.media_url, row.compressed_url, row.thumbnail_url])),
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
    expect(media.find((row) => row.media_type === 'image')).toMatchObject({ width: 800, height: 1200 });
    // The private copies are deleted.
    for (const url of new Set(pending)) {
      const headers = { authorization: `Bearer ${site.instance().serviceRoleKey}` };
      await expect
        .poll(async () => (await fetch(site.url() + url, { headers })).ok, { message: url })
        .toBe(false);
    }

    // A second member likes it, takes it back, likes it again, and comments; the author answers.
    const colleague = await site.signedIn((await site.member('Leila')).email);
    await colleague.goto(`/solutions/${solution?.id}`);
    const like = colleague.getByRole('button', { name: /like this solution/ });
    for (const [pressed, count] of [
      ['true', 1],
      ['false', 0],
      ['true', 1],
    ] as const) {
      await like.click();
      await expect.poll(() => like.getAttribute('aria-pressed')).toBe(pressed);
      await expect
        .poll(
          async () =>
            (await site.service().from('solutions').select('likes_count').single()).data?.likes_count,
        )
        .toBe(count);
    }
    await colleague.getByRole('textbox', { name: 'Comment' }).fill('How do you set the release force?');
    await colleague.getByRole('button', { name: 'Post comment' }).click();
    await colleague.getByText('Comment posted successfully').waitFor();

    await author.goto(`/solutions/${solution?.id}`);
    await author.getByText('How do you set the release force?').waitFor();
    await author.getByRole('button', { name: 'Reply to Leila Test' }).click();
    await author.getByRole('textbox', { name: 'Reply to Leila Test' }).fill('With a luggage scale: 35 N.');
    await author.getByRole('button', { name: 'Reply', exact: true }).click();
    await author.getByText('Reply posted successfully').waitFor();
    const { data: points } = await site
      .service()
      .from('user_points')
      .select('total_points')
      .order('total_points');
    // 10 for the comment; 50 for the solution, 5 for the like and 10 for the reply.
    expect(points?.map((row) => row.total_points)).toEqual([10, 65]);
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
      await page.goto(`/solutions/${id}`);
      await page.getByRole('heading', { level: 1, name: 'Waits for review' }).waitFor();
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

    const other = await site.signedIn((await site.member('Petra')).email);
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
