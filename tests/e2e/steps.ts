import { readFile } from 'node:fs/promises';
import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PASSWORD } from './site.ts';

type Name = string | RegExp;
/** A page or a part of it. */
type Place = Page | Locator;
/** What tells that a step is done: a text in the same place, or one of these anywhere on the page. */
type Answer = Name | { toast: string } | { page: Name } | { heading: Name } | { title: Name } | { url: Name };

const pageOf = (where: Place): Page => ('page' in where ? where.page() : where);

export const toast = (where: Place, text: string): Promise<void> =>
  pageOf(where).getByRole('listitem').filter({ hasText: text }).first().waitFor();

async function waitForAnswer(where: Place, answer: Answer): Promise<void> {
  const page = pageOf(where);
  if (typeof answer === 'string' || answer instanceof RegExp) await where.getByText(answer).waitFor();
  else if ('toast' in answer) await toast(page, answer.toast);
  else if ('page' in answer) await page.getByText(answer.page).waitFor();
  else if ('heading' in answer) await page.getByRole('heading', { name: answer.heading }).waitFor();
  else if ('title' in answer) await page.getByRole('heading', { level: 1, name: answer.title }).waitFor();
  else await page.waitForURL(answer.url);
}

/** Opens a page, and waits until it is there. */
export async function open(page: Page, path: string, answer: Answer): Promise<void> {
  await page.goto(path);
  await waitForAnswer(page, answer);
}

export async function reload(page: Page, answer: Answer): Promise<void> {
  await page.reload();
  await waitForAnswer(page, answer);
}

/** Presses a button, and waits for the answer when one is named. */
export async function press(where: Place, name: Name, answer?: Answer): Promise<void> {
  await where.getByRole('button', { name }).click();
  if (answer) await waitForAnswer(where, answer);
}

/** Chooses from what the page of a solution has under "More", and waits for the answer when one is named. */
export async function chooseMore(page: Page, entry: Name, answer?: Answer): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
  if (answer) await waitForAnswer(page, answer);
}

/** Presses a link, and waits until what it leads to is there. */
export async function follow(where: Place, name: Name, answer: Answer): Promise<void> {
  await where.getByRole('link', { name }).click();
  await waitForAnswer(where, answer);
}

/** Waits until each of these texts is there. */
export async function says(where: Place, ...texts: Name[]): Promise<void> {
  for (const text of texts) await where.getByText(text).waitFor();
}

/** Goes on from signing in to signing up, whose form has fields of the same names and comes by a change of address. */
export async function toSignUp(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByRole('button', { name: 'Create account' }).waitFor();
}

/** Fills the fields with these labels. */
export async function fillIn(where: Place, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await where.getByLabel(label).fill(text);
}

/** Fills these fields and presses a button of the same form. */
export async function fillAndPress(
  where: Place,
  fields: Record<string, string>,
  button: Name,
  answer?: Answer,
): Promise<void> {
  await fillIn(where, fields);
  await press(where, button, answer);
}

/** Fills and sends the form of the page for signing in, which is open. */
export async function sendSignIn(where: Place, email: string, password = PASSWORD): Promise<void> {
  await where.getByLabel('Email').fill(email);
  await where.getByLabel('Password', { exact: true }).fill(password);
  await press(where, /^Sign In$/);
}

/** By the menu of the header. */
export async function signOut(page: Page): Promise<void> {
  await press(page, /^Your account/);
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
}

/** Confirms the second step that a dialog offers to set up, with the code of this moment. */
export async function confirmSecondStep(dialog: Locator): Promise<void> {
  const secret = (await dialog.locator('p.font-mono').textContent()) ?? '';
  await dialog.getByLabel('Code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await dialog.getByRole('button', { name: 'Confirm' }).press('Enter');
}

/** The file that a press on a button downloads. */
export async function download(page: Page, name: Name): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, name)]);
  return readFile(await file.path());
}

/** Waits until this has the focus. */
export const expectFocus = (element: Locator, message?: string): Promise<void> =>
  expect.poll(() => element.evaluate((one) => one === document.activeElement), { message }).toBe(true);

/** Waits until keys reach a place: a viewer shows its picture a moment before it has the focus. */
export const expectFocusWithin = (place: Locator): Promise<void> =>
  expect.poll(() => place.evaluate((one) => one.contains(document.activeElement))).toBe(true);

/** Waits until a picture has its size; one that cannot be loaded has that of the drawing in its place. */
export const expectLoaded = (picture: Locator): Promise<void> =>
  expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

/** Waits until a picture itself is there. */
export const expectShown = (picture: Locator): Promise<void> =>
  expect
    .poll(() =>
      picture.evaluate((image: HTMLImageElement) =>
        image.currentSrc.includes('no-image') ? 'missing' : image.naturalWidth > 0,
      ),
    )
    .toBe(true);
