import { html } from 'hono/html';
import { PRODUCT_NAME } from '../../app/site.ts';
import { button, code, emailHtml, link, paragraph, smallPrint } from './layout.ts';
import { accentVariables } from './variables.ts';

/*
 * The emails about accounts, from which `npm run generate` makes the files of supabase/templates. The
 * authentication service replaces the placeholders in braces; subjects are in config.toml.
 */

/** The name that the site has when an email is sent; a service that knows none takes the product's. */
const SITE_NAME = `{{ or .SiteName \`${PRODUCT_NAME}\` }}`;

/** Leaves the colours of the accent to the service as well. */
const accountEmail = (heading: string, parts: Parameters<typeof emailHtml>[1]) =>
  Object.entries(accentVariables('')).reduce(
    (email, [name, colour]) => email.replaceAll(colour, `{{ or .${name} \`${colour}\` }}`),
    emailHtml(heading, parts, SITE_NAME),
  );

/** Contains a link to open or a code to type. */
const linkAndCode = (email: { heading: string; text: string; button: string; end: string }) =>
  accountEmail(email.heading, [
    paragraph(email.text),
    button(email.button, '{{ .ConfirmationURL }}'),
    paragraph(`Or enter this code on ${SITE_NAME}:`),
    code('{{ .Token }}'),
    smallPrint(`The link and the code work once and expire after one day. ${email.end}`),
  ]);

/** Reports an event of an account, and its owner's remedy. */
const notification = (heading: string, text: string, ifNotYou: Parameters<typeof smallPrint>[0]) =>
  accountEmail(heading, [paragraph(text), smallPrint(ifNotYou)]);

const reset = link('reset your password', '{{ .SiteURL }}/auth?reset');
const contact = link('contact us', '{{ .SiteURL }}/contact');

/** By the name of the template. */
export const authEmails: Record<string, string> = {
  confirmation: linkAndCode({
    heading: 'Confirm your email',
    text: `Welcome to ${SITE_NAME}. Please confirm that {{ .Email }} is your email to finish creating your account.`,
    button: 'Confirm email',
    end: 'If you didn’t sign up, you can ignore this email. No account is created without confirmation.',
  }),
  recovery: linkAndCode({
    heading: 'Reset your password',
    text: 'Someone asked to reset the password for {{ .Email }}.',
    button: 'Reset password',
    end: 'If it wasn’t you, you can ignore this email. Your password won’t change.',
  }),
  email_change: linkAndCode({
    heading: 'Confirm your new email',
    text: 'You asked to change the email of your account from {{ .Email }} to {{ .NewEmail }}. We sent this email to both addresses. Please confirm from both.',
    button: 'Confirm new email',
    end: 'If you didn’t ask for this change, don’t confirm it, and change your password. Someone else may be using your account.',
  }),
  magic_link: linkAndCode({
    heading: 'Sign in',
    text: `Use the button to sign in to ${SITE_NAME} as {{ .Email }}.`,
    button: 'Sign in',
    end: 'If you didn’t ask for this, you can ignore this email.',
  }),
  invite: accountEmail('You’ve been invited', [
    paragraph(
      `You’ve been invited to join ${SITE_NAME}, where prosthetics professionals share solutions that worked.`,
    ),
    button('Accept invitation', '{{ .ConfirmationURL }}'),
    smallPrint(
      'The link works once and expires after one day. If you don’t know why you got this email, you can ignore it.',
    ),
  ]),
  reauthentication: accountEmail('Confirm it’s you', [
    paragraph(`Enter this code on ${SITE_NAME}:`),
    code('{{ .Token }}'),
    smallPrint(
      html`The code works once and expires after one day. If you didn’t ask for it, ${reset}. Someone else may be using your account.`,
    ),
  ]),
  account_exists_notification: accountEmail('You already have an account', [
    paragraph(
      `Someone tried to sign up for ${SITE_NAME} with {{ .Email }}. You already have an account with this email, so we didn’t create another one.`,
    ),
    button('Sign in', '{{ .SiteURL }}/auth'),
    paragraph(html`Forgotten your password? You can ${reset}.`),
    smallPrint('If it wasn’t you, you can ignore this email. Your account hasn’t changed.'),
  ]),
  password_changed_notification: notification(
    'Your password was changed',
    'The password for {{ .Email }} was changed. Other devices were signed out.',
    html`If it wasn’t you, please ${reset}. You can also ${contact}.`,
  ),
  email_changed_notification: notification(
    'Your email was changed',
    'The email of your account changed from {{ .OldEmail }} to {{ .Email }}. Use the new email to sign in.',
    html`If it wasn’t you, please ${contact}.`,
  ),
  phone_changed_notification: notification(
    'Your phone number was changed',
    'The phone number for {{ .Email }} is now {{ .Phone }}.',
    html`If it wasn’t you, please ${reset}.`,
  ),
  mfa_factor_enrolled_notification: notification(
    'A second step was added to your account',
    'We added a second step for {{ .Email }}: {{ .FactorType }}.',
    html`If it wasn’t you, please ${reset}. You can also ${contact}.`,
  ),
  mfa_factor_unenrolled_notification: notification(
    'A second step was removed from your account',
    'We removed a second step for {{ .Email }}: {{ .FactorType }}.',
    html`If it wasn’t you, please ${reset}.`,
  ),
  identity_linked_notification: notification(
    'A new way to sign in was added',
    'You can now also sign in to {{ .Email }} with {{ .Provider }}.',
    html`If it wasn’t you, please ${reset}. You can also ${contact}.`,
  ),
  identity_unlinked_notification: notification(
    'A way to sign in was removed',
    'You can no longer sign in to {{ .Email }} with {{ .Provider }}.',
    html`If it wasn’t you, please ${reset}. You can also ${contact}.`,
  ),
};
