// @module-tag whole

import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite } from '../site.ts';
import { fillIn, open, press, says, toast } from '../steps.ts';

const site = openSite();
const WAITING = 'Waiting for review';

let author: { id: string; email: string };
let solution: string;
let topic: string;
let staff: Page;

beforeAll(async () => {
  author = await site.member('Grace');
  solution = await site.publish(author.id, 'A hook that holds a bow');
  topic = await site.insert('forum_topics', { title: 'Liners that slip', user_id: author.id });
  const admin = await site.member('Henrik', 'admin');
  staff = await site.visit('/admin?tab=settings', { as: admin.email });
  await staff.getByLabel('First posts to review').selectOption('10');
  await press(staff, 'Save Changes', { toast: 'Settings saved' });
});

it('a new member’s comment, reply and topic wait in their places, until a moderator publishes or removes them', async () => {
  const { page } = await site.joins('Nina', { at: `/solutions/${solution}` });
  const waiting = page.getByRole('list', { name: 'Your posts that wait for review' });
  await page.getByRole('textbox', { name: 'Comment' }).fill('How wide is the clamp?');
  await press(page, 'Post comment', { toast: WAITING });
  await says(waiting, WAITING, 'How wide is the clamp?');
  expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('');
  await expectAccessible(page, 'a comment that waits');
  const reader = await site.visit(`/solutions/${solution}`);
  await reader.getByRole('heading', { name: 'Discussion 0' }).waitFor();

  await open(page, `/forum/${topic}`, { title: 'Liners that slip' });
  await page.getByLabel('Your reply').fill('Try a **locking** liner.');
  await press(page, 'Post reply', { toast: WAITING });
  await says(waiting, 'Try a locking liner.');
  await open(page, '/forum', { title: 'Forum' });
  await press(page, 'New Topic');
  const dialog = page.getByRole('dialog', { name: 'New Topic' });
  await fillIn(dialog, { Title: 'A first question', Description: 'Which glue?' });
  await press(dialog, 'Create topic', { toast: WAITING });
  await says(waiting, 'A first question', 'Which glue?');
  await expectAccessible(page, 'a topic that waits');

  await staff.goto('/admin?tab=posts');
  await staff.getByRole('heading', { name: 'Comment', exact: true }).waitFor();
  await expectAccessible(staff, 'the queue of first posts');
  await press(staff, 'Approve', { toast: 'Post published' });
  await staff.getByRole('heading', { name: 'Reply', exact: true }).waitFor();
  await press(staff, 'Approve');
  await staff.getByRole('heading', { name: 'A first question' }).waitFor();
  await press(staff, 'Decline');
  const question = staff.getByRole('dialog', { name: 'Decline post' });
  await press(question, 'Decline', { toast: 'Post declined' });
  await staff.getByText('No first posts to review').waitFor();

  // Without a reload.
  await waiting.waitFor({ state: 'detached' });
  await reader.reload();
  await says(reader, 'How wide is the clamp?');
  await page.goto('/notifications');
  await page.getByText('A moderator removed one of your posts').waitFor();
  await page.getByText('Your post was published').last().click();
  await page.waitForURL(`/solutions/${solution}`);
  await says(page, 'How wide is the clamp?');
  expect(await waiting.count()).toBe(0);
});

it('what waits is edited and withdrawn by its author, also when the site has stopped reviewing posts', async () => {
  const { page } = await site.joins('Petra', { at: `/solutions/${solution}` });
  const waiting = page.getByRole('list', { name: 'Your posts that wait for review' });
  await page.getByRole('textbox', { name: 'Comment' }).fill('How hevy is it?');
  await press(page, 'Post comment', { toast: WAITING });
  await open(page, `/forum/${topic}`, { title: 'Liners that slip' });
  await page.getByLabel('Your reply').fill('Try a looking liner.');
  await press(page, 'Post reply', { toast: WAITING });
  await open(page, '/forum', { title: 'Forum' });
  await press(page, 'New Topic');
  const dialog = page.getByRole('dialog', { name: 'New Topic' });
  await fillIn(dialog, { Title: 'Glu' });
  await press(dialog, 'Create topic', { toast: WAITING });
  await staff.goto('/admin?tab=posts');
  await says(staff, 'How hevy is it?');
  await site.change('site_settings', { only_row: true }, { reviewed_first_posts: 0 });

  await page.reload();
  await press(waiting, 'Edit your post');
  const editing = page.getByRole('dialog', { name: 'Edit topic' });
  await fillIn(editing, { Title: 'Glue for liners', Description: 'Which?' });
  await press(editing, 'Save', { toast: 'Topic saved successfully' });
  await says(waiting, WAITING, 'Glue for liners', 'Which?');
  await open(page, `/forum/${topic}`, { title: 'Liners that slip' });
  await press(waiting, 'Edit your post');
  await waiting.getByLabel('Your reply').fill('Try a locking liner.');
  await expectAccessible(page, 'a waiting reply that is edited');
  await press(waiting, 'Save', { toast: 'Reply saved successfully' });
  await says(waiting, 'Try a locking liner.');
  await press(waiting, 'Withdraw your post');
  await press(page.getByRole('dialog', { name: 'Withdraw post' }), 'Withdraw', { toast: 'Post withdrawn' });
  await waiting.waitFor({ state: 'detached' });
  await open(page, `/solutions/${solution}`, { title: 'A hook that holds a bow' });
  await press(waiting, 'Edit your post');
  await waiting.getByLabel('Edit comment').fill('How heavy is it?');
  await press(waiting, 'Save changes', { toast: 'Comment updated' });
  await says(waiting, 'How heavy is it?');

  // The moderator reads the text as it is now, without a reload.
  await says(staff, 'How heavy is it?');
  await press(staff, 'Approve', { toast: 'Post published' });
  await staff.getByRole('heading', { name: 'Glue for liners' }).waitFor();
  await press(staff, 'Approve', { toast: 'Post published' });
  await staff.getByText('No first posts to review').waitFor();
  await waiting.waitFor({ state: 'detached' });
});

it('others are not held up', async () => {
  const { page } = await site.joins('Olga', { at: `/solutions/${solution}` });
  await page.getByRole('textbox', { name: 'Comment' }).fill('And in which material?');
  await press(page, 'Post comment');
  await toast(page, 'Comment posted successfully');
});
