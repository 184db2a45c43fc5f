import type { Page } from 'playwright-core';
import { phonePicture } from '../../media/files.ts';
import type { openSite } from '../site.ts';

const description = 'A printed gripper that opens under the child’s own pull and lets go in a fall.';

export const jpeg = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await phonePicture('jpeg'),
});

export const files = (page: Page) => page.locator('input[type=file][multiple]');

/** Chooses from the menu of a file. */
export async function choose(page: Page, file: string, item: string) {
  await page.getByRole('button', { name: `Options for ${file}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

export const fileNames = (page: Page) =>
  page.getByRole('list', { name: 'Chosen files' }).locator('p[title]').allTextContents();

export const titleOf = (page: Page) => page.getByLabel('Title', { exact: true });

export const submit = (page: Page) => page.getByRole('button', { name: 'Submit for review' }).click();

/** Answers all that is required, without files. */
export async function fill(page: Page, title: string, text = description) {
  await titleOf(page).fill(title);
  await page.getByLabel('Description', { exact: true }).fill(text);
  await page.getByLabel('Function in mind').selectOption('Sports & Athletics');
  await page.getByLabel('Amputation level').selectOption('Transradial (Below Elbow)');
  await page.getByLabel('Prosthesis type').selectOption('Body-Powered');
  await page.getByLabel('Cost range').selectOption('Low-cost (<$500)');
  await page.getByLabel('Children').check();
  await page.getByLabel('A parent or guardian has consented in writing').check();
}

/** The rows that the form leaves at the server. */
export const rowsOf = (site: ReturnType<typeof openSite>) => ({
  drafts: async (owner: string) =>
    (await site.service().from('solution_drafts').select('solution_id, content').eq('user_id', owner)).data,
  solutions: (title: string) =>
    site.rows('solutions', 'id, user_id, status, solution_media(media_url)', { title }),
});
