import { html } from 'hono/html';
import { SITE_NAME } from '../../app/site.ts';
import { button, code, emailHtml, link, paragraph, smallPrint } from './layout.ts';

/*
 * The emails about accounts, from which `npm run generate` makes the files of supabase/templates. The
 * authentication service replaces the placeholders in braces; subjects are in config.toml.
 */

/** Contains a link to open or a code to type. */
const linkAndCode = (email: { heading: string; text: string; button: string; end: string }) =>
  emailHtml(email.heading, [
    paragraph(email.text),
    button(email.button, '{{ .ConfirmationURL }}'),
    paragraph('Or type this code where you were asked for it:'),
    code('{{ .Token }}'),
    smallPrint(email.end),
  ]);

/** Reports an event of an account, and its owner's remedy. */
const notification = (heading: string, text: string, ifNotYou: Parameters<typeof smallPrint>[0]) =>
  emailHtml(heading, [paragraph(text), smallPrint(ifNotYou)]);

const site = link(SITE_NAME, '{{ .SiteURL }}');

/** By the name of the template. */
export const authEmails: Record<string, string> = {
  confirmation: linkAndCode({
    heading: 'Confirm your e-mail address',
    text: `Welcome to ${SITE_NAME}. Confirm that {{ .Email }} is your address, and your account is ready.`,
    button: 'Confirm my e-mail address',
    end: 'The link and the code work once, for ten minutes. If you did not sign up, ignore this message: without confirmation nothing happens.',
  }),
  recovery: linkAndCode({
    heading: 'Set a new password',
    text: 'Somebody asked to set a new password for the account of {{ .Email }}.',
    button: 'Set a new password',
    end: 'The link and the code work once, for ten minutes. If it was not you, ignore this message: your password stays as it is.',
  }),
  email_change: linkAndCode({
    heading: 'Confirm your new e-mail address',
    text: 'The account of {{ .Email }} is to use {{ .NewEmail }} from now on. For your safety both addresses must agree: this message goes to each of them.',
    button: 'Confirm the change',
    end: 'The link and the code work once, for ten minutes. If you did not ask for this change, do not confirm it, and set a new password: somebody may be using your account.',
  }),
  magic_link: linkAndCode({
    heading: 'Sign in',
    text: `Press the button to sign in to ${SITE_NAME} as {{ .Email }}.`,
    button: 'Sign me in',
    end: 'The link and the code work once, for ten minutes. If you did not ask for it, ignore this message.',
  }),
  invite: emailHtml('You have been invited', [
    paragraph(
      `You have been invited to join ${SITE_NAME}, where prosthetics professionals share what worked.`,
    ),
    button('Accept the invitation', '{{ .ConfirmationURL }}'),
    smallPrint(
      'The link works once, for ten minutes. If you do not know why you got this message, ignore it.',
    ),
  ]),
  reauthentication: emailHtml('Confirm that it is you', [
    paragraph('Type this code where you were asked for it:'),
    code('{{ .Token }}'),
    smallPrint(
      'The code works once, for ten minutes. If you did not ask for it, somebody may be using your account: set a new password.',
    ),
  ]),
  password_changed_notification: notification(
    'Your password was changed',
    'The password of the account {{ .Email }} has just been changed. Other devices were signed out.',
    html`If it was not you, set a new password at ${site} at once: whoever changed it can read your account.`,
  ),
  email_changed_notification: notification(
    'Your e‑mail address was changed',
    'Your account moved from {{ .OldEmail }} to {{ .Email }}. Sign in with the new address from now on.',
    html`If it was not you, write to the people who run ${site} at once.`,
  ),
  phone_changed_notification: notification(
    'Your phone number was changed',
    'The phone number of the account {{ .Email }} is now {{ .Phone }}.',
    html`If it was not you, set a new password at ${site} at once.`,
  ),
  mfa_factor_enrolled_notification: notification(
    'Two‑step sign‑in was set up',
    'A {{ .FactorType }} was added to the account {{ .Email }} as a second step of signing in.',
    html`If it was not you, set a new password at ${site} and write to the people who run the site.`,
  ),
  mfa_factor_unenrolled_notification: notification(
    'Two‑step sign‑in was removed',
    'A {{ .FactorType }} was removed from the account {{ .Email }} and is no longer asked for when signing in.',
    html`If it was not you, set a new password at ${site} at once.`,
  ),
  identity_linked_notification: notification(
    'A new way to sign in was added',
    'One can now sign in to the account {{ .Email }} with {{ .Provider }} too.',
    html`If it was not you, sign in at ${site} at once, set a new password, and write to the people who run the site.`,
  ),
  identity_unlinked_notification: notification(
    'A way to sign in was removed',
    'One can no longer sign in to the account {{ .Email }} with {{ .Provider }}.',
    html`If it was not you, set a new password at ${site} and write to the people who run the site.`,
  ),
};
