import { Resolver } from 'node:dns/promises';
import type { Config } from '#backend/config.ts';
import { type Finding, note, problem, reasonOf, warning } from './finding.ts';

const DNS_MS = 3_000;
/** What a name server says when there is no such record. */
const NONE = new Set(['ENODATA', 'ENOTFOUND']);
/** What Node says of a certificate that no authority it knows has signed. */
const UNKNOWN_AUTHORITY = /self-signed certificate|issuer certificate|verify the first certificate/;

/** Whether the mail server takes the site's sign-in, and whether others will believe its mail. @param to receives a test mail */
export async function findInMail(
  config: Config,
  to: string | undefined,
  resolver = new Resolver({ timeout: DNS_MS, tries: 2 }),
): Promise<Finding[]> {
  if (!config.smtpUrl) return to ? [problem('There is no mail server.', 'Set SMTP_URL.')] : [];
  const [connection, names] = await Promise.all([
    inConnection(config, config.smtpUrl, to),
    inNames(config, resolver),
  ]);
  return [...connection, ...names];
}

async function inConnection(config: Config, url: string, to: string | undefined): Promise<Finding[]> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(
    { url, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 },
    { from: config.mailFrom },
  );
  const server = new URL(url).host;
  try {
    await transport.verify();
    if (to)
      await transport.sendMail({
        to,
        subject: 'A test from the doctor',
        text: `This was sent by ${config.siteUrl}. If it is in your inbox and not among the junk, email works.`,
      });
    return to ? [note(`A test was sent to ${to}.`, 'Look for it in the inbox, and among the junk.')] : [];
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EAUTH')
      return [
        problem(
          `The mail server ${server} refuses the sign-in: ${reasonOf(error)}.`,
          'Correct user and password in SMTP_URL; signs such as @ and / in them are written as %40 and %2F.',
        ),
      ];
    if (UNKNOWN_AUTHORITY.test(reasonOf(error)))
      return [
        problem(
          `The mail server ${server} cannot be trusted: ${reasonOf(error)}.`,
          'If its certificate is of an authority of your own, let the system trust that (update-ca-certificates), and restart the site; else have the server send its whole chain.',
        ),
      ];
    return [
      problem(
        `The mail server ${server} cannot be used: ${reasonOf(error)}.`,
        'Check host and port in SMTP_URL, and whether a firewall lets this machine reach them. Members cannot confirm their address until then.',
      ),
    ];
  } finally {
    transport.close();
  }
}

async function inNames(config: Config, resolver: Resolver): Promise<Finding[]> {
  const domain = /@([^\s>]+)/.exec(config.mailFrom)?.[1] ?? '';
  if (!config.production || domain === 'localhost') return [];
  const texts = async (name: string) => (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  const lacks = (records: Promise<boolean>) =>
    records.then(
      (isThere) => !isThere,
      (error: { code?: string }) => {
        if (NONE.has(error.code ?? '')) return true;
        throw error;
      },
    );
  try {
    const [noExchange, noSender, noPolicy] = await Promise.all([
      lacks(resolver.resolveMx(domain).then((records) => records.length > 0)),
      lacks(texts(domain).then((records) => records.some((text) => text.startsWith('v=spf1')))),
      lacks(texts(`_dmarc.${domain}`).then((records) => records.some((text) => text.startsWith('v=DMARC1')))),
    ]);
    return [
      noExchange &&
        warning(
          `${domain} receives no email (no MX record), so that replies and failed deliveries are lost.`,
          'Add an MX record, or send from a domain that has one (MAIL_FROM).',
        ),
      noSender &&
        problem(
          `${domain} does not say who may send for it (no SPF record); many servers drop such mail.`,
          'Add a TXT record "v=spf1 … -all" that names your mail server, and have that sign with DKIM.',
        ),
      noPolicy &&
        warning(
          `${domain} has no DMARC policy; large providers treat its mail as junk.`,
          `Add a TXT record at _dmarc.${domain}, such as "v=DMARC1; p=quarantine".`,
        ),
    ].filter((finding) => finding !== false);
  } catch (error) {
    return [
      warning(
        `The records of ${domain} could not be looked up: ${reasonOf(error)}.`,
        'Check the name servers of this machine.',
      ),
    ];
  }
}
