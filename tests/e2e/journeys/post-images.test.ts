// @module-tag whole

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { files, jpeg } from '../share/form.ts';
import { openSite } from '../site.ts';
import { expectShown, press, says } from '../steps.ts';

const site = openSite();

const QUESTION = 'Liner that rolls down at the knee';
const TEXT = 'This is where it rolled.';
const imageIn = (page: Page) => page.getByRole('list', { name: 'Images' }).getByRole('img');

it('a reply has an image with a statement of consent; two checked members hide it, and a moderator shows it again', async () => {
  const asker = await site.member('Alina');
  const topic = await site.insert('forum_topics', { title: QUESTION, user_id: asker.id });
  const visitor = await site.visit(`/forum/${topic}`, { width: 360 });
  const { page: author } = await site.joins('Bruno', { at: `/forum/${topic}`, width: 360 });
  await author.getByLabel('Your reply', { exact: true }).fill(TEXT);
  await press(author, 'Add images');
  await files(author).setInputFiles([
    await jpeg('roll.jpg'),
    { name: 'roll.mp4', mimeType: 'video/mp4', buffer: Buffer.from('a film') },
  ]);
  await says(author, 'A post can have images and no videos.');
  // It stays on the device until it is sent.
  expect(await site.rows('pending_uploads', 'id')).toEqual([]);
  await expectAccessible(author, 'the form of a reply with an image');
  await press(author, 'Post reply');
  await author.getByText('Please choose a consent statement').waitFor();
  await author.getByLabel('No person is shown or recognisable').check();
  await author.getByLabel(/^Image description/).fill('A rolled liner');
  await press(author, 'Post reply', { toast: 'Reply posted successfully' });
  await expectShown(imageIn(author));
  expect(await author.getByText('Chosen files').count()).toBe(0);
  await author.getByRole('button', { name: 'Add images' }).waitFor();

  // Readers see it where the text is, also those who had the page open.
  const shown = visitor.getByRole('img', { name: 'A rolled liner' });
  await expectShown(shown);
  await expectAccessible(visitor, 'a reply with an image on a phone');
  await shown.click();
  await press(visitor, 'Close');
  const [post] = await site.rows('forum_posts', 'id, images');
  expect(JSON.stringify(post.images)).toContain('/authenticated/pending-media/');

  const reporters = await Promise.all(['Clara', 'Dario'].map((name) => site.member(name)));
  await site
    .service()
    .from('profiles')
    .update({ registration_level: 'checked' })
    .in(
      'id',
      reporters.map(({ id }) => id),
    )
    .throwOnError();
  for (const { email } of reporters) {
    const reporter = await site.visit(`/forum/${topic}`, { as: email });
    await expectShown(imageIn(reporter));
    await press(reporter, /^Report reply by/);
    await reporter.getByLabel('Reason').fill('The tattoo');
    await reporter.getByLabel('A patient can be recognised in an image').check();
    await expectAccessible(reporter, 'the report of an image');
    await press(reporter, 'Submit report', { toast: 'Report submitted' });
    await reporter.context().close();
  }
  await visitor.getByText('The images are hidden while a moderator checks them.').waitFor();
  await imageIn(visitor).waitFor({ state: 'detached' });
  await author.getByText('Others can’t see these images').waitFor();
  await author.goto('/notifications');
  await says(author, 'Images of your post are hidden for now');

  const { page: moderator } = await site.joins('Mona', { role: 'moderator', at: '/admin?tab=images' });
  await says(moderator, 'Two members with a checked registration');
  await expectShown(imageIn(moderator));
  await says(moderator, 'Consent: No person is shown or recognisable');
  await expectAccessible(moderator, 'the review of images');
  await press(moderator, 'Approve', { toast: 'Images kept' });
  await expectShown(imageIn(visitor));

  await moderator.goto('/admin?tab=reports');
  await says(moderator, 'A patient can be recognised');
  await expectShown(imageIn(moderator));
  await press(moderator, 'Remove images');
  await press(moderator.getByRole('dialog'), 'Remove', { toast: 'Images removed' });
  await imageIn(visitor).waitFor({ state: 'detached' });
  await visitor.getByText(TEXT).waitFor();
});

it('a new topic has images, which its author can remove; a first post’s wait with it', async () => {
  const author = await site.member('Edda');
  const page = await site.visit('/forum', { as: author.email, colorScheme: 'dark' });
  await press(page, 'New Topic');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('Which stitch holds webbing?');
  await press(dialog, 'Add images');
  await files(page).setInputFiles([await jpeg('one.jpg'), await jpeg('two.jpg')]);
  await dialog.getByLabel('The patient has consented in writing to everyone seeing it').check();
  await expectAccessible(page, 'the form of a topic with images');
  await press(dialog, 'Create topic', { toast: 'Topic created successfully' });
  await page.getByRole('heading', { level: 1, name: 'Which stitch holds webbing?' }).waitFor();
  await expectShown(imageIn(page).first());
  expect(await imageIn(page).count()).toBe(2);
  await expectAccessible(page, 'a topic with images');
  await press(page, 'Remove images');
  await press(page.getByRole('dialog'), 'Remove', { toast: 'Images removed' });
  await imageIn(page).first().waitFor({ state: 'detached' });

  await site.service().from('site_settings').update({ reviewed_first_posts: 3 }).eq('only_row', true);
  const { page: newcomer } = await site.joins('Fred', { at: page.url() });
  await newcomer.getByLabel('Your reply', { exact: true }).fill('A box stitch, as here.');
  await press(newcomer, 'Add images');
  await files(newcomer).setInputFiles(await jpeg('box.jpg'));
  await newcomer.getByLabel('No person is shown or recognisable').check();
  await press(newcomer, 'Post reply', { toast: 'Waiting for review' });
  await expectShown(imageIn(newcomer));
  const { page: moderator } = await site.joins('Nora', { role: 'moderator', at: '/admin?tab=posts' });
  await expectShown(imageIn(moderator));
  await press(moderator, 'Approve', { toast: 'Post published' });
  const visitor = await site.visit(page.url());
  await expectShown(imageIn(visitor));
});
