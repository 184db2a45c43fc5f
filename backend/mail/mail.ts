import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { replaceFile } from '../files/replace-file.mjs';
import type { Logger } from '../log.ts';

/** A message as the services pass it on; the text part is derived from the HTML. */
interface Mail {
  to: string;
  subject: string;
  html: string;
  headers?: Record<string, string>;
  /** Stays the same when it is sent again, so that a mail program shows it once. */
  messageId?: string;
}

/** No mail can be sent now: the server cannot be reached or refuses the connection. */
class MailUnavailable extends Error {}

export interface Mailer {
  /**
   * Whether the server was usable when it was last checked, which happens from time to time: a caller waits
   * for no server, and the result does not reveal what became of another person's message.
   */
  available(): boolean;
  /** Checks the server now. @throws MailUnavailable */
  ready(): Promise<void>;
  /**
   * Accepts a message. Delivery continues in the background, and is retried while the server cannot be used.
   */
  send(mail: Mail): Promise<void>;
  /**
   * The same for a caller that keeps the message until it has been accepted.
   *
   * @throws when the server cannot be reached or does not accept it
   */
  deliver(mail: Mail): Promise<void>;
  /** Waits for the messages on their way. */
  close(): Promise<void>;
}

/** SMTP when a server is configured, as production must have one; otherwise messages are captured for the mailbox page. */
export function createMailer(config: Config, log: Logger): Mailer {
  return config.smtpUrl ? smtpMailer(config, config.smtpUrl, log) : capturingMailer(config);
}

let warnedAt = Number.NEGATIVE_INFINITY;

/** Logged once a minute: waiting callers check the server repeatedly. */
function warnOnce(log: Logger, problem: unknown): void {
  if (performance.now() - warnedAt < 60_000) return;
  warnedAt = performance.now();
  log.error({ err: problem }, 'the SMTP server cannot be used');
}

/** The time for which a server that answered is assumed to be available. */
const TRUSTED_MS = 30_000;
/** The time between two checks of a server that cannot be used. */
const DOUBTED_MS = 2_000;
/** The times between the attempts to deliver a message. */
const RETRY_MS = [1_000, 5_000, 30_000, 120_000, 600_000];

function smtpMailer(config: Config, url: string, log: Logger): Mailer {
  // Loaded here, as a site without a mail server never needs it.
  const connecting = import('nodemailer').then(({ createTransport }) =>
    createTransport(
      {
        url,
        pool: true,
        maxConnections: 2,
        connectionTimeout: 5_000,
        greetingTimeout: 5_000,
        socketTimeout: 20_000,
      },
      { from: config.mailFrom },
    ),
  );
  const pending = new Set<Promise<void>>();
  const closing = new AbortController();
  let answeredAt = Number.NEGATIVE_INFINITY;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let reachable = true;
  function checkConnection(): void {
    checkedAt = performance.now();
    const check = connecting
      .then((transport) => transport.verify())
      .then(
        () => {
          reachable = true;
        },
        (problem: unknown) => {
          reachable = false;
          warnOnce(log, problem);
        },
      )
      .finally(() => pending.delete(check));
    pending.add(check);
  }
  async function persist(mail: Mail): Promise<void> {
    for (const wait of [...RETRY_MS, undefined]) {
      try {
        return await deliver(mail);
      } catch (error) {
        if (wait === undefined || closing.signal.aborted || isFinal(error)) {
          log.error({ err: error, subject: mail.subject }, 'a mail could not be delivered');
          return;
        }
        await pause(wait, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }
  async function deliver(mail: Mail): Promise<void> {
    try {
      const transport = await connecting;
      await transport.sendMail({ ...mail, text: plainText(mail.html) });
      answeredAt = performance.now();
    } catch (error) {
      answeredAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }
  checkConnection();
  return {
    available() {
      if (performance.now() - checkedAt > (reachable ? TRUSTED_MS : DOUBTED_MS)) checkConnection();
      return reachable;
    },
    async ready() {
      if (performance.now() - answeredAt < TRUSTED_MS) return;
      try {
        await (await connecting).verify();
        answeredAt = performance.now();
      } catch (cause) {
        warnOnce(log, cause);
        throw new MailUnavailable('The SMTP server cannot be used.', { cause });
      }
    },
    deliver,
    async send(mail) {
      const messageId = mail.messageId ?? `<${randomUUID()}@${new URL(config.siteUrl).hostname}>`;
      const delivery = persist({ ...mail, messageId }).finally(() => pending.delete(delivery));
      pending.add(delivery);
    },
    async close() {
      closing.abort();
      await Promise.all(pending);
      (await connecting).close();
    },
  };
}

/** Whether a server refused a message permanently (RFC 5321, 4.2.1). */
const isFinal = (error: unknown) =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500;

/** A message as the mailbox page keeps it. */
export interface CapturedMail {
  id: string;
  from: string;
  to: string;
  subject: string;
  date: string;
  html: string;
  text: string;
}

const MAX_CAPTURED = 500;

function capturingMailer(config: Config): Mailer {
  const capture = ({ to, subject, html }: Mail) =>
    captureMessage(config, { to, subject, html, text: plainText(html) });
  return {
    available: () => true,
    async ready() {},
    send: capture,
    deliver: capture,
    async close() {},
  };
}

/** Keeps a message for the mailbox page; a text message has no HTML. */
export async function captureMessage(
  config: Config,
  message: Pick<CapturedMail, 'to' | 'subject' | 'text'> & { html?: string },
): Promise<void> {
  const folder = mailFolder(config);
  await mkdir(folder, { recursive: true });
  const date = new Date().toISOString();
  // Sorts by time, also within a millisecond.
  const id = `${date.replaceAll(/\D/g, '')}${String(sequence++ % 1000).padStart(3, '0')}-${randomUUID().slice(0, 8)}`;
  const captured: CapturedMail = { html: '', ...message, id, from: config.mailFrom, date };
  await replaceFile(join(folder, `${id}.json`), JSON.stringify(captured));
  const names = await capturedNames(folder);
  await Promise.all(names.slice(MAX_CAPTURED).map((name) => rm(join(folder, name), { force: true })));
}

let sequence = 0;

const mailFolder = (config: Config) => join(config.dataDir, 'mail');

async function capturedNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse();
}

/** The captured messages, newest first. */
export async function readCaptured(config: Config): Promise<CapturedMail[]> {
  const folder = mailFolder(config);
  const names = await capturedNames(folder);
  return Promise.all(
    names.map(async (name): Promise<CapturedMail> => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  );
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** The text part of a message: links written out, one paragraph per block. */
function plainText(html: string): string {
  return html
    .replaceAll(/<(head|style|script)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/gi, (_whole, href: string, label: string) =>
      label.trim() === href ? href : `${label.trim()}: ${href}`,
    )
    .replaceAll(/<br\s*\/?>|<\/tr>/gi, '\n')
    .replaceAll(/<\/(?:p|h[1-6]|div|table|li)>/gi, '\n\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(#39|\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
