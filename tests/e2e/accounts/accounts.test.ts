// @module-tag whole

import { inflateRawSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIssuer } from '../../conformance/auth/external/oidc-issuer.ts';
import { createIdentityProvider } from '../../conformance/auth/external/saml-identity-provider.ts';
import { phonePicture } from '../../media/files.ts';
import { shareSolution } from '../../solution.ts';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, PASSWORD, pressInMail, refuse, signIn, signInByForm } from '../site.ts';
import {
  confirmSecondStep,
  download,
  fillAndPress,
  fillIn,
  open,
  press,
  reload,
  says,
  sendSignIn,
  toSignUp,
} from '../steps.ts';
import { settingsWith } from './settings.ts';

/** The project's own settings, but for Google and a clinic, which are one issuer on this machine, and for SAML. */
const issuer = await startIssuer();
const workdir = settingsWith(
  '[auth.external.google]\nenabled = false',
  `[auth.external.google]\nenabled = true\nurl = "${issuer.url}"`,
  [
    '[auth.saml]\nenabled = false',
    `[auth.external.clinic]
     enabled = true
     name = "City Clinic"
     icon = "icons/orcid.svg"
     client_id = "${issuer.clientId}"
     secret = "${issuer.clientSecret}"
     url = "${issuer.url}"
     [auth.saml]
     enabled = true`,
  ],
);
const site = openSite({
  settings: {
    SUPABASE_WORKDIR: workdir,
    GOOGLE_CLIENT_ID: issuer.clientId,
    GOOGLE_SECRET: issuer.clientSecret,
  },
});
beforeAll(() => issuer.welcome(`${site.url()}/auth/v1/callback`));
afterAll(() => issuer.close());

/** Fills the form for a new account, which waits to be sent. */
async function fillSignUp(page: Page, email: string, password = PASSWORD) {
  await toSignUp(page);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel(/I am 18 or over/).check();
}
/** Chooses a picture of oneself, as the form for the profile is open. */
const choosePhoto = async (page: Page) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await phonePicture('jpeg') });
const codeIn = (text: string) => /^\d{6}$/m.exec(text)?.[0] ?? '';
const linkIn = (text: string) => /https?:\/\/\S+/.exec(text)?.[0] ?? '';

describe('signing up', () => {
  it('says when the address is not confirmed yet, sends the link again, and explains one that was used', async () => {
    const page = await site.visit('/auth', { width: 360 });
    await toSignUp(page);
    // What is empty is asked for from the top.
    await press(page, 'Create account');
    await page.getByLabel('Email').and(page.locator(':focus')).waitFor();
    await fillSignUp(page, 'ada@clinic.example', 'password1');
    await page.getByText('Very easy to guess').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByText('Strong').waitFor();
    await expectAccessible(page, 'sign-up');
    await press(page, 'Create account', 'Account created!');
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    // The waiting time is the truth: nothing more is sent before.
    expect(await page.getByRole('button', { name: /^Send again in \d+ s$/ }).isDisabled()).toBe(true);
    await expectAccessible(page, 'confirming');

    await page.goto('/auth');
    await sendSignIn(page, 'ada@clinic.example');
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    await press(page, 'Send it again');
    await page.getByRole('button', { name: /^Send again in \d+ s$/ }).waitFor();

    const { text } = await site.mailTo('ada@clinic.example');
    // Opening the link spends nothing; the button does.
    await site.visit(linkIn(text));
    await pressInMail(page, linkIn(text), 'Confirm email');
    await page.waitForURL(/complete-profile/);
    await page.getByText('Your email is confirmed.').waitFor();
    await page.getByRole('heading', { name: 'Complete your profile' }).waitFor();
    const other = await site.person();
    await pressInMail(other, linkIn(text), 'Confirm email');
    await other.waitForURL('/auth');
    await other.getByText('This link has expired or was already used.').waitFor();
    await expectAccessible(other, 'a link that was used');
    await open(other, '/auth?code=0f0f', 'This link can’t be used here.');
    expect(other.url()).not.toContain('code');
    // Who is signed in needs no other account.
    await open(page, '/settings#error_code=otp_expired&error=access_denied', 'You’re still signed in.');
  });

  it('takes a press on what stands below a field, whatever the field says while it is pressed', async () => {
    const page = await site.visit('/auth', { width: 360 });
    await toSignUp(page);
    let load = () => {};
    const pressed = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route('**/password-strength*', async (route) => {
      await pressed;
      await route.continue();
    });
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Email').fill('no address');
    const declared = page.getByLabel(/I am 18 or over/);
    await declared.hover();
    await page.mouse.down();
    load();
    await page.getByText('Strong').waitFor();
    await page.mouse.up();
    expect(await declared.isChecked()).toBe(true);
    // Its error waits until the field is left.
    expect(
      await page.getByLabel('Email').evaluate((field) => field.matches(':focus:not([aria-invalid=true])')),
    ).toBe(true);
    await page.keyboard.press('Tab');
    await page.locator('[type=email][aria-invalid=true]').waitFor();
  });

  it('takes the code of the email, and shows the same for an address that has an account', {
    tags: 'system/sign-up',
  }, async () => {
    const { email } = await site.member('Known');
    for (const address of ['coder@clinic.example', email]) {
      const page = await site.visit('/auth', { width: 360 });
      await fillSignUp(page, address);
      await press(page, 'Create account', 'We’ve sent an email to');
      // A phone has scrolled down to the button; what comes next begins at the top.
      const title = page.getByRole('heading', { name: 'Confirm your email' });
      await expect.poll(async () => (await title.boundingBox())?.y).toBeGreaterThan(0);
      const mail = await site.mailTo(address);
      if (address === email) {
        expect(mail.subject).toBe('You already have an account');
        continue;
      }
      const code = page.getByLabel('Code from the email');
      await code.fill('000000');
      await press(page, 'Confirm email', /incorrect or has expired/);
      await code.fill(codeIn(mail.text));
      await press(page, 'Confirm email', { url: '/complete-profile' });
    }
  });

  it('leads a member who left the profile page there, and back to where they were', async () => {
    const author = await site.member('Shower');
    const solution = await site.publish(author.id, 'A strap with a dial');
    const email = 'leaver-of-pages@clinic.example';
    await site.service().auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const page = await site.visit(`/solutions/${solution}`, { as: email });
    await page.getByText('Complete your profile to take part.').waitFor();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Which dial is it?');
    await press(page, 'Post comment');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Complete your profile first').waitFor();
    await expectAccessible(page, 'a profile that is needed');
    await press(dialog, 'Complete profile', { url: '/complete-profile' });
    await fillIn(page, { Username: 'page.leaver', 'Full name': 'Lea Pagel' });
    await page.getByLabel(/I am 18 or over/).check();
    await press(page, 'Complete profile', { url: `/solutions/${solution}` });
    await press(page, /like this solution/);
    await expect.poll(() => site.rows('likes', 'id', { solution_id: solution })).toHaveLength(1);
    expect(await page.getByText('Complete your profile to take part.').count()).toBe(0);
  });
});

describe('a provider', () => {
  it('that lies, or vouches for no address, is refused in a sentence, and nothing changes', async () => {
    const { id, email } = await site.member('Vouched');
    const page = await site.person({ width: 360 });
    // Comes back with a code that the provider never issued; what else it can forge is tried below the page.
    const start = await page.request.get(
      `/auth/v1/authorize?provider=google&redirect_to=${site.url()}/complete-profile`,
      { maxRedirects: 0 },
    );
    const state = new URL(start.headers().location ?? '').searchParams.get('state');
    await page.goto(`/auth/v1/callback?code=forged&state=${state}`);
    await page.waitForURL('/auth');
    await says(page, 'You weren’t signed in.', /couldn’t be trusted, and nothing was changed/);
    expect(page.url()).not.toContain('error');
    await page.goto(`/auth/v1/callback?code=forged&state=${state}`);
    await page.waitForURL('/auth');
    await says(page, 'Signing in was interrupted.');

    issuer.people.whoever = { email, email_verified: false, name: 'Someone Else' };
    await press(page, 'Continue with City Clinic', { url: '/auth' });
    await says(page, /hasn’t confirmed your email address/);
    await expectAccessible(page, 'a provider that was refused');
    const { data } = await site.service().auth.admin.getUserById(id);
    expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(['email']);
    // Since a session would have led on.
    await reload(page, { title: 'Sign in' });
  });
});

describe('an organisation', () => {
  it('is found by the domain of an address, and leads through the profile back to where one came from', async () => {
    const idp = createIdentityProvider(site.url());
    const added = await fetch(`${site.url()}/auth/v1/admin/sso/providers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${site.instance().serviceRoleKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ type: 'saml', metadata_xml: idp.metadata, domains: ['trust.example'] }),
    });
    expect(added.status).toBe(201);

    const page = await site.visit('/notifications', { width: 360 });
    await page.waitForURL('/auth');
    let sign = idp.signAssertion;
    await page.route('https://idp.example.org/**', async (route) => {
      const asked = new URL(route.request().url()).searchParams;
      const request = inflateRawSync(Buffer.from(asked.get('SAMLRequest') ?? '', 'base64')).toString();
      const answer = sign(
        idp.assertion({
          requestId: / ID="([^"]+)"/.exec(request)?.[1],
          nameId: 'florence',
          attributes: { email: 'florence@trust.example' },
        }),
      );
      await route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${site.url()}/auth/v1/sso/saml/acs">
          <input name="SAMLResponse" value="${Buffer.from(answer).toString('base64')}">
          <input name="RelayState" value="${asked.get('RelayState')}"></form><script>document.forms[0].submit()</script>`,
      });
    });
    await press(page, 'Continue with your organisation', { title: 'Sign in with your organisation' });
    await expectAccessible(page, 'an organisation’s address');
    await fillAndPress(page, { 'Work email': 'florence@elsewhere.example' }, 'Continue');
    await says(page, /No organisation with elsewhere.example signs in here/);

    // Unsigned, it could be of anyone.
    sign = (xml) => xml;
    await fillAndPress(page, { 'Work email': 'florence@trust.example' }, 'Continue', { url: '/auth' });
    await says(page, /couldn’t be trusted, and nothing was changed/);
    sign = idp.signAssertion;
    await press(page, 'Continue with your organisation');
    await fillAndPress(page, { 'Work email': 'Florence@Trust.example' }, 'Continue', {
      url: /complete-profile/,
    });
    await fillIn(page, { Username: 'florence.n', 'Full name': 'Florence Nash' });
    await page.getByLabel(/I am 18 or over/).check();
    await press(page, 'Complete profile', { url: '/notifications' });
    await open(page, '/settings', 'Your organisation');
    await says(page, 'Connected as florence@trust.example');
    // No email can prove who they are, as the same address may have another account; a new sign-in can.
    await press(page, 'Delete my account');
    const dialog = page.getByRole('dialog');
    await says(dialog, /Sign out and in again first/);
    await expectAccessible(page, 'the deletion of an organisation’s account');
    await dialog.getByLabel('Delete it with my account').check();
    await press(dialog, 'Delete account', { toast: 'Your account was deleted' });
    expect(await site.rows('profiles', 'id', { username: 'florence.n' })).toEqual([]);
  });
});

describe('Google', () => {
  it('brings a colleague in, who declares and completes, and later only passes through', {
    tags: 'system/google',
  }, async () => {
    issuer.people.whoever = { email: 'rosalind@gmail.example', email_verified: true, name: 'Rosalind Hale' };
    const page = await site.visit('/auth');
    await press(page, 'Continue with Google', { url: /complete-profile/ });
    await page.getByLabel('Username').fill('rosalind');
    // What the provider knows is there already.
    expect(await page.getByLabel('Full name').inputValue()).toBe('Rosalind Hale');
    await fillAndPress(page, { 'Full name': 'rosalind@gmail.example' }, 'Complete profile');
    await page.getByText('Please confirm that you are 18 or over').first().waitFor();
    await page.getByText('Invalid Name').waitFor();
    await page.getByLabel('Full name').fill('Rosalind Hale');
    await page.getByLabel(/I am 18 or over/).check();
    await press(page, 'Complete profile', 'Profile completed!');
    const [{ id } = { id: '' }] = await site.rows('profiles', 'id', { username: 'rosalind' });
    expect(await site.rows('member_declarations', 'statement', { user_id: id })).toEqual([
      { statement: 'adult_healthcare_professional' },
    ]);

    const again = await site.visit('/notifications');
    await again.waitForURL('/auth');
    const mark = again.getByRole('button', { name: 'Continue with City Clinic' }).locator('img');
    await expect
      .poll(() => mark.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await press(again, 'Continue with Google', { url: '/notifications' });

    // The only sign-in method cannot be removed.
    await open(again, '/settings', 'Connected as rosalind@gmail.example');
    expect(await again.getByRole('button', { name: 'Disconnect' }).count()).toBe(0);
    expect(await again.getByRole('button', { name: 'Change password' }).count()).toBe(0);
    await press(again, 'Connect City Clinic');
    await press(again, 'Disconnect City Clinic');
    await again.getByRole('button', { name: 'Connect City Clinic' }).waitFor();
  });
});

describe('two-step sign-in', () => {
  it('is set up, asked for, passed with a recovery code, and turned off', async () => {
    const { email, page } = await site.joins('Twostep', { at: '/settings' });
    await page.getByLabel('Email', { exact: true }).fill('twostep@new.example');
    await press(page, 'Save Changes', 'Waiting for confirmation of twostep@new.example.');
    await press(page, 'Set up two-step sign-in');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    await expectAccessible(page, 'the picture to scan');
    await fillAndPress(dialog, { Code: '000000' }, 'Confirm', /This code is incorrect/);
    expect(await dialog.getByLabel('Code').getAttribute('aria-invalid')).toBe('true');
    await confirmSecondStep(dialog);
    await says(page, 'Two-step sign-in is on', 'Your recovery codes');
    await says(page, 'The change of your email to twostep@new.example was cancelled.');
    await page.getByText('Waiting for confirmation').waitFor({ state: 'hidden' });
    const codes = await page.getByRole('dialog').getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await press(
      page,
      /^Copy$/,
      'Your browser didn’t allow this. It is selected, so you can copy it yourself.',
    );
    expect(await page.evaluate(() => getSelection()?.toString().trim().split(/\s+/))).toEqual(codes);
    await press(page, 'I’ve saved them');

    const other = await site.visit('/profile', { width: 360 });
    await other.waitForURL('/auth');
    await sendSignIn(other, email);
    await other.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
    await expectAccessible(other, 'the second step');
    // A user without their second factor is not signed in, on any page.
    await reload(other, { heading: 'Confirm it’s you' });
    await press(other, 'Use a recovery code');
    const refusal = 'This recovery code is incorrect or was already used.';
    await fillAndPress(other, { 'Recovery code': 'aaaa-bbbb-cccc-dddd' }, 'Confirm', refusal);
    await fillAndPress(other, { 'Recovery code': codes[0] ?? '' }, 'Confirm', { url: '/profile' });

    await open(other, '/settings', '9 recovery codes are left.');
    await press(other, 'Turn off two-step sign-in');
    await press(other, /^Turn off$/, 'Two-step sign-in is off');
    await other.getByRole('button', { name: 'Set up two-step sign-in' }).waitFor();
  });
});

describe('a passkey', () => {
  /** Plugs an authenticator into the page's browser; the returned function says whether it recognises its user. */
  async function plugIn(page: Page) {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  }

  it('is added, signs in and back, is removed, and is the second step', async () => {
    const { email } = await site.member('Keyholder');
    const page = await site.person({ width: 360 });
    const recognise = await plugIn(page);
    // No key can be made for the number by which the tests reach the site.
    const at = (path: string) => `${site.url().replace('127.0.0.1', 'localhost')}${path}`;
    const startAgain = async () => {
      await page.evaluate(() => localStorage.clear());
      await page.goto(at('/notifications'));
      await page.waitForURL(/\/auth$/);
    };

    await page.goto(at('/auth'));
    await press(page, 'Sign in with a passkey', 'No passkey was used. Try again, or sign in another way.');
    await expectAccessible(page, 'the form with a passkey');
    await signInByForm(page, email);
    await open(page, at('/settings'), 'Passkeys');
    await press(page, 'Add a passkey', { toast: 'Passkey added' });
    await press(page, 'Add a passkey', { toast: 'This device already has a passkey for your account.' });
    await press(page, /^Rename Chrome on/);
    await fillAndPress(page, { 'Name of the passkey': ' ' }, 'Save name', 'Please enter a name');
    await fillAndPress(page, { 'Name of the passkey': 'Work laptop' }, 'Save name', {
      toast: 'Passkey renamed',
    });
    await page.getByRole('button', { name: 'Rename Work laptop' }).waitFor();
    await expectAccessible(page, 'the settings with a passkey');
    expect((await site.mailTo(email)).subject).toBe('A new way to sign in was added');

    await startAgain();
    await recognise(false);
    await press(page, 'Sign in with a passkey', 'No passkey was used. Try again, or sign in another way.');
    await recognise(true);
    await press(page, 'Sign in with a passkey', { url: at('/notifications') });

    await open(page, at('/settings'), /used .* ago|used just now/);
    await press(page, 'Remove Work laptop');
    await press(page.getByRole('dialog'), 'Remove', { toast: 'Passkey removed' });
    await startAgain();
    await press(page, 'Sign in with a passkey', /This passkey no longer works here/);

    await sendSignIn(page, email);
    await page.waitForURL(at('/notifications'));
    await open(page, at('/settings'), { heading: 'Two-step sign-in' });
    await press(page, 'Use a passkey or security key', { toast: 'Two-step sign-in is on' });
    await press(page, 'I’ve saved them');
    await says(page, /^Passkey or security key: Chrome on/);
    await press(page, 'Add an authenticator app');
    await confirmSecondStep(page.getByRole('dialog'));
    await press(page, 'Remove Authenticator app', { toast: 'Removed' });
    await page.getByRole('button', { name: 'Add an authenticator app' }).waitFor();
    await startAgain();
    await sendSignIn(page, email);
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
    await expectAccessible(page, 'the second step by a key');
    await recognise(false);
    await press(page, 'Continue', 'No passkey or security key was used. Please try again.');
    await recognise(true);
    await press(page, 'Continue', { url: at('/notifications') });
  });
});

describe('two-step sign-in of a host without recovery codes', () => {
  it('says so in a sentence, and works without them', async () => {
    const { email } = await site.member('Codeless');
    // The answers of the official service when they are switched off there.
    const withoutCodes = (page: Page) =>
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
    await withoutCodes(page);
    await page.goto('/settings');
    await press(page, 'Set up two-step sign-in');
    const dialog = page.getByRole('dialog');
    await confirmSecondStep(dialog);
    const unavailable = 'Recovery codes are not available on this site.';
    await says(page, 'Two-step sign-in is on', unavailable);
    expect(await page.getByRole('button', { name: 'Get new recovery codes' }).count()).toBe(0);
    expect(await page.getByText('Error', { exact: true }).count()).toBe(0);

    const other = await site.person({ width: 360 });
    await withoutCodes(other);
    await other.goto('/auth');
    await sendSignIn(other, email);
    await press(other, 'Use a recovery code');
    await fillAndPress(other, { 'Recovery code': 'aaaa-bbbb-cccc-dddd' }, 'Confirm', unavailable);

    await press(page, 'Turn off two-step sign-in');
    await press(page, /^Turn off$/, 'Two-step sign-in is off');
  });
});

describe('a profile', () => {
  it('is changed with a cut picture, and seen by everyone with what was shared', {
    tags: 'system/profile',
  }, async () => {
    const { id, email, page } = await site.joins('Mabel', { at: '/profile', width: 360 });
    await page.getByText('Start contributing to earn your first badge.').waitFor();
    await page.getByRole('link', { name: 'Share Your First Solution' }).waitFor();
    for (const row of ['Share a solution50', 'Create a forum topic20', 'Post a comment10', 'Receive a like5'])
      await page
        .getByText(`${row} points`)
        .or(page.locator('dl > div', { hasText: row }))
        .first()
        .waitFor();
    await expectAccessible(page, 'an empty profile');
    await press(page, 'Edit profile', { heading: 'Edit profile' });
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await expectAccessible(page, 'a profile that is edited');
    // A field says what is missing as it is left; the summary comes only after a press of Save.
    await page.getByLabel('Full name').fill('');
    await page.getByLabel('Full name').press('Tab');
    await page.getByText('Please enter your full name').waitFor();
    expect(await page.getByRole('heading', { name: 'There is a problem' }).count()).toBe(0);
    await press(page, 'Save Changes');
    await page.getByRole('alert').getByRole('link', { name: 'Please enter your full name' }).click();
    await page.keyboard.type('Mabel Test');

    await choosePhoto(page);
    const zoom = page.getByLabel('Zoom');
    // By mouse, too, although the form under the dialog keeps the focus in its fields.
    await zoom.click();
    expect(Number(await zoom.inputValue())).toBeGreaterThan(2);
    await zoom.fill('2');
    await expectAccessible(page, 'cutting the picture');
    await press(page, 'Use photo');
    // What is not saved is not lost by a click elsewhere.
    await page.getByRole('link', { name: 'Limb Commons' }).first().click();
    await page.getByRole('dialog').getByText('Leave without saving?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByLabel('Bio').fill('Sockets and suspension, since 2004.');
    await page.getByLabel('Socket Design').check();
    await page.getByLabel('Gait Analysis').check();
    await press(page, 'Save Changes', 'Profile updated successfully');
    const stored = await site.row('profiles', 'avatar_url,interests,bio', { id });
    expect(stored).toMatchObject({ interests: 'Socket Design, Gait Analysis' });
    expect((await fetch(site.url() + stored?.avatar_url)).headers.get('content-type')).toBe('image/webp');

    const share = (title: string, status: string, rejection_reason: string | null = null) =>
      shareSolution(site.service(), { user_id: id, title, status, rejection_reason });
    await share('Socket with a dial', 'approved');
    await share('Socket with two dials', 'pending');
    await share('Socket with a lever', 'rejected', 'A face can be seen.');
    await reload(page, 'Pending Review');
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
    await press(visitor, 'Message', 'Please sign in to message this member');
    await visitor.waitForURL('/auth');
    expect((await visitor.goto('/members/nobody-of-that-name'))?.status()).toBe(404);
  });
});

describe('settings', () => {
  it('are kept; the address changes once both have confirmed; other sessions end', {
    tags: ['system/settings', 'system/email-change'],
  }, async () => {
    const { id, email } = await site.member('Setter');
    const elsewhere = await site.visit('/profile', { as: email, width: 360 });
    const page = await site.visit('/settings', { as: email });
    const allow = page.getByRole('switch', { name: 'Allow messages' });
    expect(await allow.getAttribute('aria-checked')).toBe('true');
    const byEmail = page.getByRole('switch', { name: 'Email notifications' });
    expect(await byEmail.getAttribute('aria-checked')).toBe('false');
    await allow.click();
    await press(page, 'Save Changes', 'Settings saved successfully');
    expect(
      await site.row('profiles', 'allow_messages,allow_notifications,email_notifications', { id }),
    ).toEqual({ allow_messages: false, allow_notifications: true, email_notifications: false });

    await page.getByRole('group', { name: 'Dark mode' }).getByText('Dark', { exact: true }).click();
    await expect.poll(() => page.locator('html').getAttribute('class')).toContain('dark');

    await press(page, 'Sign out everywhere else', 'Signed out everywhere else');
    // The other device hears of it, and can sign in again.
    await elsewhere.getByRole('dialog', { name: 'You’ve been signed out' }).waitFor();
    await reload(elsewhere, { url: '/auth' });

    // The mail server has refused the address.
    await site.insert('refused_addresses', { user_id: id, address: email });
    await page.reload();
    const refusedAddress = page.getByText('Our emails don’t reach you.');
    await refusedAddress.waitFor();
    // No button lies half under the header.
    await page.evaluate(() => scrollTo(0, 0));
    await expectAccessible(page, 'an address that is refused');
    await page.getByLabel('Email', { exact: true }).fill('setter@typo.example');
    await press(page, 'Save Changes', 'Email updated successfully. Please check your inbox to confirm.');
    await page.getByText('Waiting for confirmation of setter@typo.example.').waitFor();
    await expectAccessible(page, 'a change that waits');
    // What is saved afterwards is saved.
    await page.getByRole('switch', { name: 'In-app notifications' }).click();
    await press(page, 'Save Changes');
    await expect
      .poll(() => site.row('profiles', 'allow_notifications', { id }))
      .toEqual({ allow_notifications: false });
    await press(page, 'Cancel change', 'Change cancelled');
    expect(await page.getByText('Waiting for confirmation').count()).toBe(0);

    await page.getByLabel('Email', { exact: true }).fill('setter@new.example');
    await press(page, 'Save Changes', 'Waiting for confirmation of setter@new.example.');
    const reader = await site.person();
    await pressInMail(reader, linkIn((await site.mailTo(email)).text), 'Confirm new email');
    await reader.getByText('Thank you. One more confirmation is needed.').waitFor();
    await press(page, 'Enter a code');
    const code = codeIn((await site.mailTo('setter@new.example')).text);
    await fillAndPress(page, { 'Code from the email': code }, 'Confirm code', 'Your email was changed');
    expect((await site.service().auth.admin.getUserById(id)).data.user?.email).toBe('setter@new.example');
    await refusedAddress.waitFor({ state: 'hidden' });
    await site.service().auth.admin.updateUserById(id, { email: 'setter@third.example' });
    await page.reload();
    await expect
      .poll(() => page.getByLabel('Email', { exact: true }).inputValue())
      .toBe('setter@third.example');

    await page.getByLabel('Email', { exact: true }).fill('setter@fourth.example');
    await press(page, 'Save Changes', 'Waiting for confirmation of setter@fourth.example.');
    await press(page, 'Change password');
    await fillIn(page, { 'Current password': 'not this one', 'New password': 'quite another walk' });
    await press(page, 'Save password', 'Failed to update password');
    await fillAndPress(page, { 'Current password': PASSWORD }, 'Save password', 'Password updated!');
    await says(page, 'The change of your email to setter@fourth.example was cancelled.');
    await page.getByText('Waiting for confirmation').waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Change password');
  });
});

describe('what fails', () => {
  it('is said in the specified words, and nothing typed is lost', async () => {
    const { email } = await site.member('Luckless');
    const page = await site.visit('/auth', { width: 360 });
    await page.getByLabel('Email').fill('luckless@other.example');
    await press(page, 'Forgot password?', { heading: 'Reset your password' });
    // What was typed goes along, but not in an address, which is logged.
    expect(await page.getByLabel('Email').inputValue()).toBe('luckless@other.example');
    expect(page.url()).not.toContain('luckless');
    await refuse(page, '/auth/v1/recover', 'POST');
    await fillAndPress(page, { Email: email }, 'Send reset link', 'Failed to reset password');
    expect(await page.getByLabel('Email').inputValue()).toBe(email);

    await page.goto('/auth');
    await signIn(page, email);
    await page.goto('/settings');
    const inApp = page.getByRole('switch', { name: 'In-app notifications' });
    await inApp.waitFor();
    const repair = await refuse(page, '/rest/v1/profiles', 'PATCH');
    await inApp.click();
    await page.getByLabel('Email', { exact: true }).fill('luckless@new.example');
    await press(page, 'Save Changes', 'Failed to save settings');
    expect(await page.getByText('Settings saved successfully').count()).toBe(0);
    expect(await inApp.getAttribute('aria-checked')).toBe('false');
    await repair();
    await refuse(page, '/auth/v1/user', 'PUT');
    await press(page, 'Save Changes', 'Failed to update email');
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('luckless@new.example');

    const restore = await refuse(page, '/rest/v1/profiles', 'GET');
    await page.goto('/profile');
    const main = page.getByRole('main');
    await main.getByText('Failed to load profile').waitFor();
    restore();
    await main.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('button', { name: 'Edit profile' }).waitFor();
  });
});

describe('one’s data', () => {
  it('are downloaded to the last file, and gone with the account', async () => {
    const { id, email, page } = await site.joins('Leaver', { at: '/profile' });
    await press(page, 'Edit profile');
    await choosePhoto(page);
    await press(page, 'Use photo');
    await press(page, 'Save Changes', 'Profile updated successfully');
    const profile = await site.row('profiles', 'avatar_url', { id });

    await page.goto('/settings');
    const files = unzipSync(await download(page, 'Download my data'));
    const avatar = `files/avatars/${profile?.avatar_url.split('/avatars/')[1]}`;
    expect(Object.keys(files).sort()).toEqual(['data.json', avatar]);
    expect(JSON.parse(strFromU8(files['data.json'] ?? new Uint8Array()))).toMatchObject({
      account: { id, email },
      profiles: [{ username: 'leaver' }],
    });
    expect(Buffer.from(files[avatar] ?? []).toString('latin1', 8, 12)).toBe('WEBP');

    const tab = await page.context().newPage();
    await open(tab, '/profile', 'total points');
    await press(page, 'Delete my account');
    const dialog = page.getByRole('dialog');
    await expectAccessible(page, 'leaving');
    await dialog.getByLabel('Delete it with my account').check();
    const refusal = 'The email or password is incorrect.';
    await fillAndPress(dialog, { Password: 'not the password' }, 'Delete account', refusal);
    const deleted = { page: 'Your account was deleted' };
    await fillAndPress(dialog, { Password: PASSWORD }, 'Delete account', deleted);
    // The other tab follows.
    await tab.getByRole('dialog', { name: 'You’ve been signed out' }).waitFor();
    await press(tab, 'Continue without signing in', { url: '/auth' });
    expect((await site.mailTo(email)).subject).toBe('Your account was deleted');
    expect((await site.service().auth.admin.getUserById(id)).data.user).toBeNull();
    await expect.poll(async () => (await fetch(site.url() + profile?.avatar_url)).ok).toBe(false);
  });
});
