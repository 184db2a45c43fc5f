import type { FollowedNews } from '../../../app/people/follows/news.ts';
import { applySiteSettings, SITE_COLUMNS } from '../../../app/site.ts';
import { type FunctionContext, refusal, required, serviceClient } from '../context.ts';
import { type ClaimedMail, renderEmail } from './render-email.ts';

type Client = ReturnType<typeof serviceClient>;

/** The host calls the function at this interval, with the service key. */
export const everySeconds = 5;

/**
 * Sends the emails that are due. Each is claimed for a while and removed once the mail server has accepted
 * it, so that an interrupted one is sent again; while the server cannot be reached none is claimed.
 */
export default async function processMailJobs(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method !== 'POST') return refusal(405, 'Method Not Allowed', 'Jobs are started by POST.');
  if (context.claims?.role !== 'service_role')
    return refusal(403, 'Forbidden', 'Only the site itself can start this.');
  const client = serviceClient(context);
  const waiting: { due: number; given_up: number } = await required(client.rpc('mail_due'));
  if (waiting.due > 0) {
    const settings = await required(client.from('site_settings').select(SITE_COLUMNS).single());
    if (settings) applySiteSettings(settings);
  }
  let [sent, failed, givenUp] = [0, 0, waiting.given_up];
  while (waiting.due > 0 && !context.signal.aborted && (await isReady(context))) {
    const mail: ClaimedMail | null = await required(client.rpc('claim_mail'));
    if (!mail) break;
    // News that cannot be read hold up their own email alone.
    const problem = await deliver(client, mail, context).then(
      (isSent) => {
        if (isSent) sent++;
      },
      (error: unknown) => ({
        reason: error instanceof Error ? error.message : String(error),
        ...(isAddressRefused(error) && { refused_address: mail.to }),
      }),
    );
    if (problem === undefined) {
      await required(client.rpc('mail_sent', { ids: mail.ids }));
    } else {
      const lost = await required(client.rpc('mail_failed', { ids: mail.ids, ...problem }));
      if (lost) givenUp++;
      failed++;
    }
  }
  // The host logs every response that is not a success.
  return Response.json({ sent, failed, given_up: givenUp }, { status: givenUp > 0 ? 500 : 200 });
}

/** Whether there was an email to send: a week without news has none. */
async function deliver(client: Client, mail: ClaimedMail, context: FunctionContext): Promise<boolean> {
  const news = mail.member ? await newsOf(client, mail.member, mail) : [];
  if (mail.member && news.length === 0) return false;
  await context.mailer.deliver(renderEmail(mail, context.siteUrl, news));
  return true;
}

/** The subjects of a member that have news, as far as the member may read it. */
async function newsOf(client: Client, member: string, { since, until }: ClaimedMail) {
  const subjects: FollowedNews[] = await required(client.rpc('weekly_digest', { member, since, until }));
  return subjects.filter(({ items }) => items.length > 0);
}

/**
 * Whether a mail server says for good that there is no such mailbox, or none that takes mail (RFC 5321, 4.2; RFC 3463, 3.2
 * and 3.3). A refusal of our sender, our sign-in or of mail like ours is not about the recipient: every address would look
 * dead because of it.
 */
function isAddressRefused(error: unknown): boolean {
  if (!(error instanceof Error && 'command' in error && error.command === 'RCPT TO' && 'response' in error))
    return false;
  const answer = String(error.response);
  const [, status = '', reason] = /^(5\d\d)[ -](?:5\.(\d{1,3}\.\d{1,3})\b)?/.exec(answer) ?? [];
  return reason
    ? /^(1\.(?![78]$)|2\.)/.test(reason)
    : ['550', '551', '553', '556'].includes(status) && !/relay|auth|sender|block|spam|polic/i.test(answer);
}

const isReady = ({ mailer }: FunctionContext) =>
  mailer.ready().then(
    () => true,
    () => false,
  );
