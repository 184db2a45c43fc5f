import { expect, it } from 'vitest';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, toast } from '../site.ts';

const site = openSite();

it('a member states a registration, a moderator finds it in the register, and readers see what was checked', async () => {
  const author = await site.member('Grace');
  const moderator = await site.member('Henrik', 'moderator');
  const solution = await shareSolution(site.service(), {
    user_id: author.id,
    title: 'A hook that holds a bow',
    status: 'approved',
  });
  const page = await site.signedIn(author.email);
  await page.goto('/settings#registration');
  await page.getByRole('button', { name: 'Submit registration' }).click();
  await page.getByText('Please choose a register from the list').waitFor();
  await page.getByText('Registration number is required').waitFor();
  await page.getByLabel('Register', { exact: true }).selectOption('HCPC');
  await page.getByLabel('Registration number').fill(' PO00012 ');
  await page.getByRole('button', { name: 'Submit registration' }).click();
  await toast(page, 'Registration submitted');
  await page.getByText('Waiting for a moderator since').waitFor();
  await expectAccessible(page, '/settings');

  const staff = await site.signedIn(moderator.email);
  await staff.goto('/admin?tab=registrations');
  await staff.getByRole('heading', { name: 'Grace' }).waitFor();
  const link = staff.getByRole('link', { name: 'Open the public register' });
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  expect(await link.getAttribute('href')).not.toContain('PO00012');
  // A decline first, which the member corrects.
  await staff.getByRole('button', { name: 'Decline' }).click();
  await staff.getByLabel('Reason').fill('The register shows another name.');
  await staff.getByRole('button', { name: 'Decline registration' }).click();
  await toast(staff, 'Registration declined');
  await page.goto('/notifications');
  await page.getByText('Your registration could not be checked').click();
  await page.getByText('The register shows another name.').waitFor();
  await page.getByRole('button', { name: 'Correct registration' }).click();
  await page.getByLabel('Registration number').fill('PO00021');
  await page.getByRole('button', { name: 'Submit registration' }).click();
  await page.getByText('Waiting for a moderator since').waitFor();

  await staff.reload();
  await staff.getByText('PO00021').waitFor();
  await staff.getByRole('button', { name: 'Record as checked' }).click();
  await staff.getByRole('alert').getByText('Confirm each point of the checklist first').waitFor();
  for (const box of await staff
    .getByRole('group', { name: 'Found in the register' })
    .getByRole('checkbox')
    .all())
    await box.check();
  await expectAccessible(staff, '/admin');
  await staff.getByRole('button', { name: 'Record as checked' }).click();
  await toast(staff, 'Registration checked');
  await staff.getByText('No registrations to review').waitFor();

  const reader = await site.person();
  await reader.goto(`/solutions/${solution}`);
  const card = reader.getByRole('region', { name: 'Author' });
  await card.getByText(/Checked: Prosthetist, HCPC, \w{3}\s\d{4}/).waitFor();
  expect(await reader.content()).not.toContain('PO00021');
  await card.getByRole('link', { name: 'What this means' }).click();
  await reader.getByRole('heading', { name: 'What “Checked” means' }).waitFor();
  await reader.goto('/browse');
  await reader.getByRole('img', { name: /^Checked: Prosthetist, HCPC/ }).waitFor();
});
