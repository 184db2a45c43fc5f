import type { Context } from 'hono';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config.ts';
import type { Env } from '../context.ts';
import type { Database } from '../database/database.ts';
import { clientAddress, clientNetworks } from '../http/client-address.ts';
import { AuthError, type ErrorCode } from './errors.ts';

const MAX_EMAILS_PER_ADDRESS_AND_HOUR = 10;
const MAX_SMS_PER_NUMBER_AND_HOUR = 10;
const MAX_GUESSES_PER_CODE = 5;
const FIVE_MINUTES = 300;
/** The most networks whose wrong passwords for one account are all checked. */
const MAX_NETWORKS_PER_ACCOUNT = 10;
const MAX_FACTOR_TRIES_PER_MINUTE = 15;
const MAX_WRONG_FACTOR_TRIES_PER_HOUR = 60;

type MailKind = 'confirmation' | 'recovery' | 'email_change' | 'reauthentication';

/**
 * Limits the attempts by client, by account and by mailbox. The counters are in the database, so that they
 * apply to all processes that use it and survive a restart. Accounts are counted whether they exist or not.
 *
 * Every method throws AuthError over_request_rate_limit or over_email_send_rate_limit.
 */
export interface RateLimits {
  signIn(context: Context<Env>): Promise<void>;
  /** Counts the sign-ins with providers that a client begins, which try no password. */
  providerFlow(context: Context<Env>): Promise<void>;
  verification(context: Context<Env>): Promise<void>;
  refresh(context: Context<Env>): Promise<void>;
  mail(context: Context<Env>, kind: MailKind, address: string): Promise<void>;
  sms(context: Context<Env>, phone: string): Promise<void>;
  /**
   * Counts before the guess is checked, so that a thousand simultaneous guesses are not all checked.
   * Strangers' guesses are counted for account and network together, and for the account from all networks.
   * NIST SP 800-63B-4, 3.2.2, excludes networks from which the owner has signed in from the second count,
   * since otherwise an attacker could lock an owner out; there only `signIn` counts.
   *
   * @param isOwners whether the account's owner signed in from this network recently; see `isKnownNetwork`
   */
  passwordGuess(context: Context<Env>, account: string, isOwners: boolean): Promise<void>;
  passwordRight(context: Context<Env>, account: string, isOwners: boolean): Promise<void>;
  factorChallenge(userId: string): Promise<void>;
  factorGuess(userId: string): Promise<void>;
  factorRight(userId: string): Promise<void>;
  /** False when the code has used up its wrong attempts; only a new code is accepted then. */
  codeGuess(address: string): Promise<boolean>;
  codeRenewed(address: string): Promise<void>;
}

/**
 * Counts with the limits of the configuration, in the table `auth.rate_limits`.
 *
 * @param digest makes the keys of the counters, so that their table holds neither email addresses nor phone numbers
 */
export function createRateLimits(
  config: Config,
  database: Database,
  digest: (text: string) => string,
): RateLimits {
  const { rate_limit: rates, email, sms } = config.auth;
  const counter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: {
        query: ({ text, values }: { text: string; values: unknown[] }) => database.query(text, values),
      },
      storeType: 'pool',
      schemaName: 'auth',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
    });

  const networksOf = (context: Context<Env>) => {
    const address = clientAddress(context, config.trustProxy);
    return address ? clientNetworks(address) : [{ name: 'in-process', allowance: 1 }];
  };
  const ofClient = (
    keyPrefix: string,
    points: number,
    duration: number,
    code: ErrorCode = 'over_request_rate_limit',
    message = tooManyRequests,
  ) => {
    const sized = new Map<number, RateLimiterPostgres>();
    const limiters = (context: Context<Env>) =>
      networksOf(context).map(({ name, allowance }) => {
        const limiter = sized.get(allowance) ?? counter(keyPrefix, points * allowance, duration);
        sized.set(allowance, limiter);
        return [limiter, name] as const;
      });
    return {
      consume: async (context: Context<Env>) => {
        for (const [limiter, name] of limiters(context)) await consume(limiter, name, code, message);
      },
      /** Counts nothing: asked before anything is counted for an address or number, of which a client can name ever new ones. */
      refuseUsedUp: async (context: Context<Env>) => {
        for (const [limiter, name] of limiters(context)) {
          const count = await limiter.get(name);
          if (count && count.consumedPoints >= limiter.points)
            throw new AuthError(code, message(), { retryAfter: secondsUntil(count) });
        }
      },
    };
  };
  const client = {
    signIn: ofClient('sign-in', rates.sign_in_sign_ups, FIVE_MINUTES),
    providerFlow: ofClient('provider', rates.sign_in_sign_ups, FIVE_MINUTES),
    verification: ofClient('verify', rates.token_verifications, FIVE_MINUTES),
    refresh: ofClient('refresh', rates.token_refresh, FIVE_MINUTES),
    mail: ofClient('mail-client', rates.email_sent, 3600, 'over_email_send_rate_limit', tooManyEmails),
  };
  // One network can use up a tenth of the attempts that all strangers together have.
  const passwords = {
    pair: counter('password', rates.sign_in_sign_ups, 3600),
    account: counter('password-all', rates.sign_in_sign_ups * MAX_NETWORKS_PER_ACCOUNT, 3600),
  };
  // The widest network is counted, or a client with many networks would soon use up the account's allowance.
  const pairOf = (context: Context<Env>, account: string) =>
    `${digest(account)}:${networksOf(context).at(-1)?.name}`;
  const codes = counter('code', MAX_GUESSES_PER_CODE, config.auth.email.otp_expiry);
  const challenges = counter('factor-challenge', MAX_FACTOR_TRIES_PER_MINUTE, 60);
  const factorTries = counter('factor', MAX_FACTOR_TRIES_PER_MINUTE, 60);
  // Three codes in a million are right at any time, so a minute's attempts must not be repeated all day.
  const wrongFactorTries = counter('factor-hour', MAX_WRONG_FACTOR_TRIES_PER_HOUR, 3600);
  const mailsPerHour = counter(
    'mail-hour',
    Math.max(MAX_EMAILS_PER_ADDRESS_AND_HOUR, rates.email_sent / 3),
    3600,
  );
  const mailsInARow = email.max_frequency > 0 ? counter('mail-row', 1, email.max_frequency) : undefined;

  const texts = {
    inARow: sms.max_frequency > 0 ? counter('sms-row', 1, sms.max_frequency) : undefined,
    number: counter('sms-number', MAX_SMS_PER_NUMBER_AND_HOUR, 3600),
    // One client cannot use up the limit that all clients share.
    client: ofClient(
      'sms-client',
      Math.ceil(rates.sms_sent / 3),
      3600,
      'over_sms_send_rate_limit',
      tooManySms,
    ),
    all: counter('sms-all', rates.sms_sent, 3600),
  };

  return {
    signIn: client.signIn.consume,
    providerFlow: client.providerFlow.consume,
    verification: client.verification.consume,
    refresh: client.refresh.consume,
    async mail(context, kind, address) {
      await client.mail.refuseUsedUp(context);
      if (mailsInARow)
        await consume(mailsInARow, `${kind}:${digest(address)}`, 'over_email_send_rate_limit', tooSoon);
      await consume(mailsPerHour, digest(address), 'over_email_send_rate_limit', tooManyEmails);
      await client.mail.consume(context);
    },
    async sms(context, phone) {
      await texts.client.refuseUsedUp(context);
      if (texts.inARow) await consume(texts.inARow, digest(phone), 'over_sms_send_rate_limit', tooSoon);
      await consume(texts.number, digest(phone), 'over_sms_send_rate_limit', tooManySms);
      await texts.client.consume(context);
      await consume(texts.all, 'all', 'over_sms_send_rate_limit', tooManySms);
    },
    async passwordGuess(context, account, isOwners) {
      if (isOwners) return;
      await consume(passwords.pair, pairOf(context, account), 'over_request_rate_limit', tooManyRequests);
      await consume(passwords.account, digest(account), 'over_request_rate_limit', tooManyRequests);
    },
    async passwordRight(context, account, isOwners) {
      if (isOwners) return;
      await passwords.pair.delete(pairOf(context, account));
      await passwords.account.reward(digest(account));
    },
    factorChallenge: (userId) => consume(challenges, userId, 'over_request_rate_limit', tooManyRequests),
    async factorGuess(userId) {
      await consume(factorTries, userId, 'over_request_rate_limit', tooManyRequests);
      await consume(wrongFactorTries, userId, 'over_request_rate_limit', tooManyRequests);
    },
    async factorRight(userId) {
      await wrongFactorTries.delete(userId);
    },
    async codeGuess(address) {
      return (await overLimit(codes, digest(address))) === undefined;
    },
    async codeRenewed(address) {
      await codes.delete(digest(address));
    },
  };
}

const tooSoon = (seconds: number) =>
  `For security purposes, you can only request this after ${seconds} seconds.`;
const tooManyRequests = () => 'Request rate limit reached';
const tooManyEmails = () => 'email rate limit exceeded';
const tooManySms = () => 'SMS rate limit exceeded';

async function consume(
  limiter: RateLimiterPostgres,
  key: string,
  code: ErrorCode,
  message: (seconds: number) => string,
): Promise<void> {
  const wait = await overLimit(limiter, key);
  if (wait !== undefined) throw new AuthError(code, message(wait), { retryAfter: wait });
}

/** Seconds to wait, or undefined when there is room. */
async function overLimit(limiter: RateLimiterPostgres, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (problem) {
    if (!(problem instanceof RateLimiterRes)) throw problem;
    return secondsUntil(problem);
  }
}

const secondsUntil = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000));
