import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIssuer } from '../../conformance/auth/external/oidc-issuer.ts';
import { phonePicture } from '../../media/files.ts';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, PASSWORD, pressInMail, signIn } from '../site.ts';

/** The project's own settings, but for Google, which is an issuer on this machine. */
const issuer = await startIssuer();
const workdir = mkdtempSync(join(tmpdir(), 'limb-commons-google-'));
mkdirSync(join(workdir, 'supabase'));
for (const name of readdirSync('supabase'))
  if (name !== 'config.toml') symlinkSync(resolve('supabase', name), join(workdir, 'supabase', name));
writeFileSync(
  join(workdir, 'supabase/config.toml'),
  readFileSync('supabase/config.toml', 'utf8').replace(
    /\[auth\.external\.google\]\nenabled = false/,
    `[auth.external.google]\nenabled = true\nurl = "${issuer.url}"`,
  ),
);
const site = openSite({
  settings: {
    SUPABASE_WORKDIR: workdir,
    GOOGLE_CLIENT_ID: issuer.clientId,
    GOOGLE_SECRET: issuer.clientSecret,
  },
});
beforeAll(() => issuer.welcome(`${site.url()}/auth/v1/callback`));
afterAll(async () => {
  await issuer.close();
  rmSync(workdir, { recursive: true, force: true });
});

const linkIn = (text: string) => /https?:\/\/\S+/.exec(text)?.[0] ?? '';

describe('signing up', () => {
  it('says when the address is not confirmed yet, sends the link again, and explains one that was used', async () => {
    const page = await site.person({ width: 360 });
    await page.goto('/auth');
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    // What is empty is asked for from the top.
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByLabel('Email').and(page.locator(':focus')).waitFor();
    await page.getByLabel('Email').fill('ada@clinic.example');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('password1');
    await page.getByText('Very easy to guess').waitFor();
    await password.fill(PASSWORD);
    await page.getByText('Strong').waitFor();
    await page.getByLabel(/I am 18 or over/).check();
    await expectAccessible(page, 'sign-up');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByText('Account created!').waitFor();
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    // The waiting time is the truth: nothing more is sent before.
    expect(await page.getByRole('button', { name: /^Send again in \d+ s$/ }).isDisabled()).toBe(true);
    await expectAccessible(page, 'confirming');

    await page.reload();
    await page.getByLabel('Email').fill('ada@clinic.example');
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByRole('button', { name: /^Send again in \d+ s$/ }).waitFor();

    const { text } = await site.mailTo('ada@clinic.example');
    // Opening the link spends nothing; the button does.
    const scanner = await site.person();
    await scanner.goto(linkIn(text));
    await pressInMail(page, linkIn(text), 'Confirm email');
    await page.waitForURL(/complete-profile/);
    await page.getByText('Your email is confirmed.').waitFor();
    await page.getByRole('heading', { name: 'Complete your profile' }).waitFor();
    const other = await site.person();
    await pressInMail(other, linkIn(text), 'Confirm email');
    await other.waitForURL('/auth');
    await other.getByText('This link has expired or was already used.').waitFor();
    await expectAccessible(other, 'a link that was used');
  });

  it('takes the code of the email, and shows the same for an address that has an account', async () => {
    const { email } = await site.member('Known');
    for (const address of ['coder@clinic.example', email]) {
      const page = await site.person({ width: 360 });
      await page.goto('/auth');
      await page.getByRole('tab', { name: 'Sign Up' }).click();
      await page.getByLabel('Email').fill(address);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByLabel(/I am 18 or over/).check();
      await page.getByRole('button', { name: 'Create Account' }).click();
      await page.getByText('We’ve sent an email to').waitFor();
      const mail = await site.mailTo(address);
      if (address === email) {
        expect(mail.subject).toBe('You already have an account');
        continue;
      }
      const code = page.getByLabel('Code from the email');
      await code.fill('000000');
      await page.getByRole('button', { name: 'Confirm email' }).click();
      await page.getByText(/already used or has expired/).waitFor();
      await code.fill(/^\d{6}$/m.exec(mail.text)?.[0] ?? '');
      await page.getByRole('button', { name: 'Confirm email' }).click();
      await page.waitForURL('/complete-profile');
    }
  });

  it('leads a member who left the profile page there, and back to where they were', async () => {
    const author = await site.member('Shower');
    const solution = await shareSolution(site.service(), {
      user_id: author.id,
      title: 'A strap with a dial',
      status: 'approved',
    });
    const email = 'leaver-of-pages@clinic.example';
    await site.service().auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const page = await site.signedIn(email);
    await page.goto(`/solutions/${solution}`);
    await page.getByText('Complete your profile to take part.').waitFor();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Which dial is it?');
    await page.getByRole('button', { name: 'Post comment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Complete your profile first').waitFor();
    await expectAccessible(page, 'a profile that is needed');
    await dialog.getByRole('button', { name: 'Complete profile' }).click();
    await page.waitForURL('/complete-profile');
    await page.getByLabel('Username').fill('page.leaver');
    await page.getByLabel('Full name').fill('Lea Pagel');
    await page.getByLabel(/I am 18 or over/).check();
    await page.getByRole('button', { name: 'Complete Profile' }).click();
    await page.waitForURL(`/solutions/${solution}`);
    await page.getByRole('button', { name: /like this solution/ }).click();
    await expect
      .poll(async () => (await site.service().from('likes').select('id').eq('solution_id', solution)).data)
      .toHaveLength(1);
    expect(await page.getByText('Complete your profile to take part.').count()).toBe(0);
  });
});

describe('Google', () => {
  it('brings a colleague in, who declares and completes, and later only passes through', async () => {
    issuer.people.whoever = { email: 'rosalind@gmail.example', email_verified: true, name: 'Rosalind Hale' };
    const page = await site.person();
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await page.waitForURL(/complete-profile/);
    await page.getByLabel('Username').fill('rosalind');
    // What the provider knows is there already.
    expect(await page.getByLabel('Full name').inputValue()).toBe('Rosalind Hale');
    await page.getByLabel('Full name').fill('rosalind@gmail.example');
    await page.getByRole('button', { name: 'Complete Profile' }).click();
    await page.getByText('Please confirm that you are 18 or over').first().waitFor();
    await page.getByText('Invalid Name').waitFor();
    await page.getByLabel('Full name').fill('Rosalind Hale');
    await page.getByLabel(/I am 18 or over/).check();
    await page.getByRole('button', { name: 'Complete Profile' }).click();
    await page.getByText('Profile completed!').waitFor();
    const [{ id } = { id: '' }] =
      (await site.service().from('profiles').select('id').eq('username', 'rosalind')).data ?? [];
    expect(
      (await site.service().from('member_declarations').select('statement').eq('user_id', id)).data,
    ).toEqual([{ statement: 'adult_healthcare_professional' }]);

    const again = await site.person();
    await again.goto('/notifications');
    await again.waitForURL('/auth');
    await again.getByRole('button', { name: 'Continue with Google' }).click();
    await again.waitForURL('/notifications');

    // The only sign-in method cannot be removed.
    await again.goto('/settings');
    await again.getByText('Connected as rosalind@gmail.example').waitFor();
    expect(await again.getByRole('button', { name: 'Disconnect' }).count()).toBe(0);
    expect(await again.getByRole('button', { name: 'Change password' }).count()).toBe(0);
  });
});

describe('two-step sign-in', () => {
  it('is set up, asked for, passed with a recovery code, and turned off', async () => {
    const { email } = await site.member('Twostep');
    const page = await site.signedIn(email);
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    await expectAccessible(page, 'the picture to scan');
    const secret = (await dialog.locator('p.font-mono').textContent()) ?? '';
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    await dialog.getByLabel('Code').fill('000000');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText(/This code is incorrect/).waitFor();
    expect(await dialog.getByLabel('Code').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Code').fill(app.generate());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Two-step sign-in is on').waitFor();
    await page.getByText('Your recovery codes').waitFor();
    const codes = await page.getByRole('dialog').getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('The codes are selected, so you can copy them yourself.').waitFor();
    expect(await page.evaluate(() => getSelection()?.toString().trim().split(/\s+/))).toEqual(codes);
    await page.getByRole('button', { name: 'I’ve saved them' }).click();

    const other = await site.person({ width: 360 });
    await other.goto('/profile');
    await other.waitForURL('/auth');
    await other.getByLabel('Email').fill(email);
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign In', exact: true }).click();
    await other.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await expectAccessible(other, 'the second step');
    // A user without their second factor is not signed in, on any page.
    await other.reload();
    await other.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await other.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.getByLabel('Recovery code').fill('aaaa-bbbb-cccc-dddd');
    await other.getByRole('button', { name: 'Confirm' }).click();
    await other.getByText('This recovery code is incorrect or was already used.').waitFor();
    await other.getByLabel('Recovery code').fill(codes[0] ?? '');
    await other.getByRole('button', { name: 'Confirm' }).click();
    await other.waitForURL('/profile');

    await other.goto('/settings');
    await other.getByText('9 recovery codes are left.').waitFor();
    await other.getByRole('button', { name: 'Turn off two-step sign-in' }).click();
    await other.getByRole('button', { name: 'Turn Off', exact: true }).click();
    await other.getByText('Two-step sign-in is off').waitFor();
    await other.getByRole('button', { name: 'Set up two-step sign-in' }).waitFor();
  });
});

describe('two-step sign-in of a host without recovery codes', () => {
  it('says so in a sentence, and works without them', async () => {
    const { email } = await site.member('Codeless');
    // The answers of the official service when they are switched off there.
    const refuse = (page: Page) =>
      page.route(/\/auth\/v1\/factors\/recovery-codes/, (route) =>
        route.fulfill({
          status: 422,
          headers: { 'x-supabase-api-version': '2024-01-01' },
          json: {
            code: `mfa_recovery_codes_${route.request().url().endsWith('/verify') ? 'verify' : 'enroll'}_not_enabled`,
            message: 'MFA recovery codes are disabled',
          },
        }),
      );
    const page = await site.signedIn(email);
    await refuse(page);
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
    const dialog = page.getByRole('dialog');
    const app = new TOTP({
      secret: Secret.fromBase32((await dialog.locator('p.font-mono').textContent()) ?? ''),
    });
    await dialog.getByLabel('Code').fill(app.generate());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Two-step sign-in is on').waitFor();
    await page.getByText('Recovery codes are not available on this site.').waitFor();
    expect(await page.getByRole('button', { name: 'Get new recovery codes' }).count()).toBe(0);
    expect(await page.getByText('Error', { exact: true }).count()).toBe(0);

    const other = await site.person({ width: 360 });
    await refuse(other);
    await other.goto('/auth');
    await other.getByLabel('Email').fill(email);
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign In', exact: true }).click();
    await other.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.getByLabel('Recovery code').fill('aaaa-bbbb-cccc-dddd');
    await other.getByRole('button', { name: 'Confirm' }).click();
    await other.getByText('Recovery codes are not available on this site.').waitFor();

    await page.getByRole('button', { name: 'Turn off two-step sign-in' }).click();
    await page.getByRole('button', { name: 'Turn Off', exact: true }).click();
    await page.getByText('Two-step sign-in is off').waitFor();
  });
});

describe('a profile', () => {
  it('is changed with a cut picture, and seen by everyone with what was shared', async () => {
    const { id, email } = await site.member('Mabel');
    const page = await site.signedIn(email, { width: 360 });
    await page.goto('/profile');
    await page.getByText('Start contributing to earn your first badge.').waitFor();
    await page.getByRole('link', { name: 'Share Your First Solution' }).waitFor();
    for (const row of ['Share a solution50', 'Create a forum topic20', 'Post a comment10', 'Receive a like5'])
      await page
        .getByText(`${row} points`)
        .or(page.locator('dl > div', { hasText: row }))
        .first()
        .waitFor();
    await expectAccessible(page, 'an empty profile');
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByRole('heading', { name: 'Edit profile' }).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await expectAccessible(page, 'a profile that is edited');
    // A field says what is missing as it is left; the summary comes only after a press of Save.
    await page.getByLabel('Full name').fill('');
    await page.getByLabel('Full name').press('Tab');
    await page.getByText('Please enter your full name').waitFor();
    expect(await page.getByRole('heading', { name: 'There is a problem' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByRole('alert').getByRole('link', { name: 'Please enter your full name' }).click();
    await page.keyboard.type('Mabel Test');

    await page.locator('input[type=file]').setInputFiles({
      name: 'me.jpg',
      mimeType: 'image/jpeg',
      buffer: await phonePicture('jpeg'),
    });
    await page.getByLabel('Zoom').fill('2');
    await expectAccessible(page, 'cutting the picture');
    await page.getByRole('button', { name: 'Use photo' }).click();
    // What is not saved is not lost by a click elsewhere.
    await page.getByRole('link', { name: 'Limb Commons' }).first().click();
    await page.getByRole('dialog').getByText('Leave without saving?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByLabel('Bio').fill('Sockets and suspension, since 2004.');
    await page.getByLabel('Socket Design').check();
    await page.getByLabel('Gait Analysis').check();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('Profile updated successfully').waitFor();
    const { data: stored } = await site
      .service()
      .from('profiles')
      .select('avatar_url,interests,bio')
      .eq('id', id)
      .single();
    expect(stored).toMatchObject({ interests: 'Socket Design, Gait Analysis' });
    expect((await fetch(site.url() + stored?.avatar_url)).headers.get('content-type')).toBe('image/webp');

    const share = (title: string, status: string, rejection_reason: string | null = null) =>
      shareSolution(site.service(), { user_id: id, title, status, rejection_reason });
    await share('Socket with a dial', 'approved');
    await share('Socket with two dials', 'pending');
    await share('Socket with a lever', 'rejected', 'A face can be seen.');
    await page.reload();
    await page.getByText('Pending Review').waitFor();
    await page.getByText(/^Submitted (less than a|\d) minutes? ago\./).waitFor();
    await page.getByText('Rejected', { exact: true }).waitFor();
    await page.getByText('A face can be seen.').waitFor();
    await page.getByText('First Solution').first().waitFor();
    await expectAccessible(page, 'a full profile');

    const visitor = await site.person();
    expect((await visitor.goto('/members/MABEL'))?.status()).toBe(200);
    await visitor.getByRole('heading', { name: 'Mabel Test' }).waitFor();
    await visitor.getByRole('link', { name: 'Socket with a dial' }).waitFor();
    expect(await visitor.getByText('Socket with two dials').count()).toBe(0);
    expect(await visitor.content()).not.toContain(email);
    await expectAccessible(visitor, 'a member’s page');
    await visitor.getByRole('button', { name: 'Message' }).click();
    await visitor.getByText('Please sign in to message this member').waitFor();
    await visitor.waitForURL('/auth');
    expect((await visitor.goto('/members/nobody-of-that-name'))?.status()).toBe(404);
  });
});

describe('settings', () => {
  it('are kept; the address changes once both have confirmed; other sessions end', async () => {
    const { id, email } = await site.member('Setter');
    const [page, elsewhere] = [await site.person(), await site.person({ width: 360 })];
    await signIn(page, email);
    await signIn(elsewhere, email);
    await elsewhere.goto('/profile');
    await page.goto('/settings');
    const allow = page.getByRole('switch', { name: 'Allow messages' });
    expect(await allow.getAttribute('aria-checked')).toBe('true');
    expect(await page.getByRole('switch', { name: 'Email notifications' }).getAttribute('aria-checked')).toBe(
      'false',
    );
    await allow.click();
    await page.getByText('Settings saved successfully').waitFor();
    expect(
      (
        await site
          .service()
          .from('profiles')
          .select('allow_messages,allow_notifications,email_notifications')
          .eq('id', id)
          .single()
      ).data,
    ).toEqual({ allow_messages: false, allow_notifications: true, email_notifications: false });

    await page.getByRole('switch', { name: 'Dark mode' }).click();
    await expect.poll(() => page.locator('html').getAttribute('class')).toContain('dark');

    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('Signed out everywhere else').waitFor();
    // The other device hears of it, and can sign in again.
    await elsewhere.getByRole('dialog', { name: 'You’ve been signed out' }).waitFor();
    await elsewhere.reload();
    await elsewhere.waitForURL('/auth');

    // The mail server has refused the address.
    await site.service().from('refused_addresses').insert({ user_id: id, address: email }).throwOnError();
    await page.reload();
    const refusedAddress = page.getByText('Our emails don’t reach you.');
    await refusedAddress.waitFor();
    await expectAccessible(page, 'an address that is refused');
    await page.getByLabel('Email', { exact: true }).fill('setter@typo.example');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('Email updated successfully. Please check your inbox to confirm.').waitFor();
    await page.getByText('Waiting for confirmation of setter@typo.example.').waitFor();
    await expectAccessible(page, 'a change that waits');
    // What is saved afterwards is saved.
    await page.getByRole('switch', { name: 'In-app notifications' }).click();
    await expect
      .poll(
        async () =>
          (await site.service().from('profiles').select('allow_notifications').eq('id', id).single()).data,
      )
      .toEqual({ allow_notifications: false });
    await page.getByRole('button', { name: 'Cancel change' }).click();
    await page.getByText('Change cancelled').waitFor();
    expect(await page.getByText('Waiting for confirmation').count()).toBe(0);

    await page.getByLabel('Email', { exact: true }).fill('setter@new.example');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('Waiting for confirmation of setter@new.example.').waitFor();
    const reader = await site.person();
    await pressInMail(reader, linkIn((await site.mailTo(email)).text), 'Confirm new email');
    await reader.getByText('Thank you. One more confirmation is needed.').waitFor();
    await page.getByRole('button', { name: 'Enter a code' }).click();
    await page
      .getByLabel('Code from the email')
      .fill(/^\d{6}$/m.exec((await site.mailTo('setter@new.example')).text)?.[0] ?? '');
    await page.getByRole('button', { name: 'Confirm code' }).click();
    await page.getByText('Your email was changed').waitFor();
    expect((await site.service().auth.admin.getUserById(id)).data.user?.email).toBe('setter@new.example');
    await refusedAddress.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill('not this one');
    await page.getByLabel('New password').fill('quite another walk');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Failed to update password').waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Password updated!').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Change password');
  });
});

describe('what fails', () => {
  it('is said in the specified words, and nothing typed is lost', async () => {
    const { email } = await site.member('Luckless');
    const page = await site.person({ width: 360 });
    await page.goto('/auth');
    await page.getByLabel('Email').fill('luckless@other.example');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    // What was typed goes along, but not in an address, which is logged.
    expect(await page.getByLabel('Email').inputValue()).toBe('luckless@other.example');
    expect(page.url()).not.toContain('luckless');
    await page.route('**/auth/v1/recover*', (route) =>
      route.fulfill({ status: 500, json: { message: 'Out of order' } }),
    );
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await page.getByText('Failed to reset password').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);

    await page.goto('/auth');
    await signIn(page, email);
    await page.goto('/settings');
    const inApp = page.getByRole('switch', { name: 'In-app notifications' });
    await inApp.waitFor();
    await page.route('**/rest/v1/profiles*', (route) =>
      route.fulfill({ status: 500, json: { message: 'Out of order' } }),
    );
    await inApp.click();
    await page.getByText('Failed to save settings').waitFor();
    expect(await inApp.getAttribute('aria-checked')).toBe('true');
    await page.unroute('**/rest/v1/profiles*');
    await page.getByLabel('Email', { exact: true }).fill('luckless@new.example');
    await page.route('**/auth/v1/user*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, json: { message: 'Out of order' } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('Failed to update email').waitFor();
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('luckless@new.example');

    await page.route('**/rest/v1/profiles*', (route) =>
      route.fulfill({ status: 500, json: { message: 'Out of order' } }),
    );
    await page.goto('/profile');
    const main = page.getByRole('main');
    await main.getByText('Failed to load profile').waitFor();
    await page.unroute('**/rest/v1/profiles*');
    await main.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('button', { name: 'Edit profile' }).waitFor();
  });
});

describe('one’s data', () => {
  it('are downloaded to the last file, and gone with the account', async () => {
    const { id, email } = await site.member('Leaver');
    const page = await site.signedIn(email);
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Edit profile' }).click();
    await page.locator('input[type=file]').setInputFiles({
      name: 'me.jpg',
      mimeType: 'image/jpeg',
      buffer: await phonePicture('jpeg'),
    });
    await page.getByRole('button', { name: 'Use photo' }).click();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('Profile updated successfully').waitFor();
    const { data: profile } = await site
      .service()
      .from('profiles')
      .select('avatar_url')
      .eq('id', id)
      .single();

    await page.goto('/settings');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download my data' }).click(),
    ]);
    const files = unzipSync(readFileSync(await download.path()));
    const avatar = `files/avatars/${profile?.avatar_url.split('/avatars/')[1]}`;
    expect(Object.keys(files).sort()).toEqual(['data.json', avatar]);
    expect(JSON.parse(strFromU8(files['data.json'] ?? new Uint8Array()))).toMatchObject({
      account: { id, email },
      profiles: [{ username: 'leaver' }],
    });
    expect(Buffer.from(files[avatar] ?? []).toString('latin1', 8, 12)).toBe('WEBP');

    const tab = await page.context().newPage();
    await tab.goto('/profile');
    await tab.getByText('total points').waitFor();
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog');
    await expectAccessible(page, 'leaving');
    await dialog.getByLabel('Delete it with my account').check();
    await dialog.getByLabel('Password').fill('not the password');
    await dialog.getByRole('button', { name: 'Delete Account' }).click();
    await dialog.getByText('The email or password is incorrect.').waitFor();
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete Account' }).click();
    await page.getByText('Your account was deleted').waitFor();
    // The other tab follows.
    await tab.getByRole('dialog', { name: 'You’ve been signed out' }).waitFor();
    await tab.getByRole('button', { name: 'Continue without signing in' }).click();
    await tab.waitForURL('/auth');
    expect((await site.mailTo(email)).subject).toBe('Your account was deleted');
    expect((await site.service().auth.admin.getUserById(id)).data.user).toBeNull();
    await expect.poll(async () => (await fetch(site.url() + profile?.avatar_url)).ok).toBe(false);
  });
});
