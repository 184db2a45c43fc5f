import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { html } from 'hono/html';
import type { Config } from '../config.ts';
import type { Query } from '../database/database.ts';
import type { Logger } from '../log.ts';
import type { Mailer } from '../mail/mail.ts';
import { AuthError } from './errors.ts';
import type { UserRow } from './users.ts';

/** The secrets that an email carries: a code to type, and the hash that its link holds. */
export interface IssuedToken {
  code: string;
  hash: string;
}

type AuthEmailKind =
  | 'confirmation'
  | 'recovery'
  | 'magic_link'
  | 'email_change'
  | 'invite'
  | 'reauthentication';

/** The events of which a person is notified afterwards; `account_exists` is a sign-up with their address. */
type Notice =
  | 'password_changed'
  | 'email_changed'
  | 'phone_changed'
  | 'mfa_factor_enrolled'
  | 'mfa_factor_unenrolled'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'account_exists';

/** The types a mailed link carries to /verify. */
export type LinkType = 'signup' | 'recovery' | 'magiclink' | 'email_change' | 'invite';

export interface AuthEmail {
  to: string;
  user: Pick<UserRow, 'email' | 'email_change' | 'raw_user_meta_data'>;
  token: IssuedToken;
  /** Absent for emails without a link. */
  link?: { type: LinkType; redirectTo: string };
}

export interface AuthEmails {
  /**
   * Checked before an account is looked up, so that the response reveals nothing about the account. Waits for
   * nothing.
   *
   * @throws AuthError unexpected_failure when no email can be sent now; nothing has happened then
   */
  requireMailServer(what: string): void;
  send(kind: AuthEmailKind, message: AuthEmail): Promise<void>;
  /** Sent to the address the account had when the event happened. A failure to send undoes nothing. */
  notify(kind: Notice, user: Pick<UserRow, 'email'>, particulars: Record<string, string>): Promise<void>;
}

const CODE = '<p>{{ .Token }}</p>';
const LINK = `<p><a href="{{ .ConfirmationURL }}">Continue</a>, or enter this code:</p>${CODE}`;
const NOTICE = '<p>This concerns your account {{ .Email }}.</p>';
/** For projects whose settings name no text of their own. */
const PLAIN: Record<AuthEmailKind | Notice, { subject: string; html: string }> = {
  confirmation: { subject: 'Confirm your email', html: LINK },
  recovery: { subject: 'Reset your password', html: LINK },
  magic_link: { subject: 'Your sign-in link', html: LINK },
  email_change: { subject: 'Confirm your new email', html: LINK },
  invite: { subject: 'You have been invited', html: LINK },
  reauthentication: { subject: 'Confirm that it is you', html: `<p>Enter this code:</p>${CODE}` },
  password_changed: { subject: 'Your password was changed', html: NOTICE },
  email_changed: { subject: 'Your email was changed', html: NOTICE },
  phone_changed: { subject: 'Your phone number was changed', html: NOTICE },
  mfa_factor_enrolled: { subject: 'A second factor was added', html: NOTICE },
  mfa_factor_unenrolled: { subject: 'A second factor was removed', html: NOTICE },
  identity_linked: { subject: 'A way to sign in was added', html: NOTICE },
  identity_unlinked: { subject: 'A way to sign in was removed', html: NOTICE },
  account_exists: { subject: 'You already have an account', html: NOTICE },
};

/** Fills the templates of `supabase/templates`, with the variables that Supabase fills. */
export function createAuthEmails(
  config: Config,
  mailer: Mailer,
  log: Logger,
  { query }: { query: Query },
): AuthEmails {
  const { template, notification } = config.auth.email;
  const texts = new Map(
    Object.entries(PLAIN).map(([kind, plain]) => {
      const { subject = plain.subject, content_path: path } = template[kind] ?? notification[kind] ?? {};
      return [
        kind,
        { subject, html: path === undefined ? plain.html : readFileSync(fileAt(config.root, path), 'utf8') },
      ];
    }),
  );
  /** What the project's own function gives besides, such as the name of a site that its operator can change. */
  const ownVariables = async (): Promise<Record<string, unknown>> => {
    const { variables, variables_path: path } = config.auth.email;
    const [schema, name] = variables.split('.');
    if (!schema || !name) return {};
    const { rows } = await query<{ given: Record<string, unknown> | null }>(
      `select "${schema}"."${name}"() as given`,
    );
    const given = rows[0]?.given ?? {};
    return path ? (await import(pathToFileURL(fileAt(config.root, path)).href)).default(given) : given;
  };
  const textOf = (kind: AuthEmailKind | Notice) => texts.get(kind) ?? PLAIN[kind];
  return {
    requireMailServer(what) {
      if (!mailer.available()) throw new AuthError('unexpected_failure', `Error sending ${what} email`);
    },
    async send(kind, message) {
      const { subject, html: text } = textOf(kind);
      const values = { ...variables(config, message), ...(await ownVariables()) };
      const body = fill(text, values, escapeHtml);
      await mailer.send({ to: message.to, subject: fill(subject, values, oneLine), html: body });
    },
    async notify(kind, user, particulars) {
      if (!notification[kind]?.enabled || !user.email) return;
      const { subject, html: text } = textOf(kind);
      try {
        const own = await ownVariables();
        const values = { SiteURL: config.auth.site_url, Email: user.email, ...particulars, ...own };
        const body = fill(text, values, escapeHtml);
        await mailer.send({ to: user.email, subject: fill(subject, values, oneLine), html: body });
      } catch (error) {
        log.error({ err: error, kind }, 'a notice could not be mailed');
      }
    },
  };
}

/** As the Supabase tools do, which look in the folder `supabase` as well. */
const fileAt = (root: string, path: string): string =>
  [join(root, path), join(root, 'supabase', path)].find(existsSync) ?? join(root, path);

/** The address that an email's link opens. */
export function actionLink(config: Config, hash: string, link: NonNullable<AuthEmail['link']>): string {
  const query = new URLSearchParams({ token: hash, type: link.type, redirect_to: link.redirectTo });
  return `${config.siteUrl}/auth/v1/verify?${query}`;
}

function variables(config: Config, { user, token, link }: AuthEmail): Record<string, unknown> {
  return {
    ConfirmationURL: link ? actionLink(config, token.hash, link) : '',
    Token: token.code,
    TokenHash: token.hash,
    SiteURL: config.auth.site_url,
    RedirectTo: link?.redirectTo ?? '',
    Email: user.email ?? '',
    NewEmail: user.email_change ?? '',
    Data: user.raw_user_meta_data ?? {},
  };
}

const PLACEHOLDER = /\{\{-?\s*(?:\.([\w.]+)|or\s+\.([\w.]+)\s+`([^`]*)`)\s*-?\}\}/g;

/** Replaces `{{ .Name }}`, `{{ .Data.name }}` and `{{ or .Name \`text\` }}`; a missing value becomes the text, or empty. */
function fill(template: string, values: Record<string, unknown>, safely: (text: string) => string): string {
  return template.replaceAll(PLACEHOLDER, (_whole, plain?: string, path = plain ?? '', otherwise = '') => {
    let value: unknown = values;
    for (const step of path.split('.')) {
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, step)
          ? Reflect.get(value, step)
          : undefined;
    }
    return safely(
      value === undefined || value === null || value === '' || typeof value === 'object'
        ? otherwise
        : String(value),
    );
  });
}

const escapeHtml = (text: string) => String(html`${text}`);

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
