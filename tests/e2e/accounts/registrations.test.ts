// @module-tag whole

import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, tickAll } from '../site.ts';
import { follow, press, reload } from '../steps.ts';

const site = openSite();

it('a member states a registration, a moderator finds it in the register, and readers see what was checked', async () => {
  const author = await site.member('Grace');
  const moderator = await site.member('Henrik', 'moderator');
  const solution = await site.publish(author.id, 'A hook that holds a bow');
  const page = await site.visit('/settings#registration', { as: author.email });
  await press(page, 'Submit registration', 'Please choose a register from the list');
  await page.getByText('Registration number is required').waitFor();
  await page.getByLabel('Register', { exact: true }).selectOption('HCPC');
  await page.getByLabel('Registration number').fill(' PO00012 ');
  await press(page, 'Submit registration', { toast: 'Registration submitted' });
  await page.getByText('Waiting for a moderator since').waitFor();
  await expectAccessible(page, '/settings');

  const staff = await site.visit('/admin?tab=registrations', { as: moderator.email });
  await staff.getByRole('heading', { name: 'Grace' }).waitFor();
  const link = staff.getByRole('link', { name: 'Open the public register' });
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  expect(await link.getAttribute('href')).not.toContain('PO00012');
  // A decline first, which the member corrects.
  await press(staff, 'Decline');
  await staff.getByLabel('Reason').fill('The register shows another name.');
  await press(staff, 'Decline registration', { toast: 'Registration declined' });
  await page.goto('/notifications');
  await page.getByText('Your registration could not be checked').click();
  await page.getByText('The register shows another name.').waitFor();
  await press(page, 'Correct registration');
  await page.getByLabel('Registration number').fill('PO00021');
  await press(page, 'Submit registration', 'Waiting for a moderator since');

  await reload(staff, 'PO00021');
  await press(staff, 'Approve');
  await staff.getByRole('alert').getByText('Please complete the checklist before you approve').waitFor();
  await tickAll(staff);
  await expectAccessible(staff, '/admin');
  await press(staff, 'Approve', { toast: 'Registration approved' });
  await staff.getByText('No registrations to review').waitFor();

  const reader = await site.visit(`/solutions/${solution}`);
  const card = reader.getByRole('region', { name: 'Author' });
  await card.getByText(/Checked: Prosthetist, HCPC, \w{3}\s\d{4}/).waitFor();
  expect(await reader.content()).not.toContain('PO00021');
  await follow(card, 'What this means', { heading: 'What “Checked” means' });
  await reader.goto('/browse');
  await reader.getByRole('article').getByText('Prosthetist · Checked: HCPC').waitFor();
});
