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

export async function submit(page: Page) {
  await toStep(page, 3);
  await page.getByRole('button', { name: 'Submit for review' }).click();
}

/** Goes on to a step of the form, or back to it, where the screen has no room for a form of one page. */
export async function toStep(page: Page, number: 1 | 2 | 3) {
  if ((page.viewportSize()?.width ?? 0) >= 1024) return;
  const shown = page.getByText(/^Step \d of 3$/);
  for (;;) {
    const current = Number(/Step (\d)/.exec((await shown.textContent()) ?? '')?.[1]);
    if (current === number) return;
    await page.getByRole('button', { name: current < number ? 'Continue' : 'Back', exact: true }).click();
    await page.getByText(`Step ${current < number ? current + 1 : current - 1} of 3`).waitFor();
  }
}

/** Goes to the parts that can come later, on a phone by the button that shows them. */
export async function toLaterParts(page: Page) {
  await toStep(page, 2);
  const more = page.getByRole('button', { name: 'Add more now' });
  if (await more.isVisible()) await more.click();
}

/** Answers how the solution is found. */
export async function classify(page: Page) {
  await page.getByLabel('Function in mind').selectOption('Sports & Athletics');
  for (const answer of ['Transradial (Below Elbow)', 'Body-Powered', 'Low-cost (<$500)', 'Children'])
    await page.getByLabel(answer).check();
}

/** Answers all that is required, without files; ends at the last step. */
export async function fill(page: Page, title: string, text = description) {
  await toStep(page, 1);
  await titleOf(page).fill(title);
  await page.getByLabel('Description', { exact: true }).fill(text);
  await toStep(page, 2);
  await classify(page);
  await toStep(page, 3);
  await page.getByLabel('A parent or guardian has consented in writing').check();
}

/** The rows that the form leaves at the server. */
export const rowsOf = (site: ReturnType<typeof openSite>) => ({
  drafts: async (owner: string) =>
    (await site.service().from('solution_drafts').select('solution_id, content').eq('user_id', owner)).data,
  solutions: (title: string) =>
    site.rows('solutions', 'id, user_id, status, solution_media(media_url)', { title }),
});
