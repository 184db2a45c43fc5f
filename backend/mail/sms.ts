import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { captureMessage } from './mail.ts';

/** A text message cannot be sent now. */
export class SmsUnavailable extends Error {}

export interface SmsSender {
  /**
   * @param to digits of an E.164 number, without its plus
   * @throws SmsUnavailable
   */
  send(to: string, text: string): Promise<void>;
  /**
   * Sends no message, but takes as long and ends as the last message did, so that the response time does not
   * reveal whether there was one.
   *
   * @throws SmsUnavailable
   */
  pretendToSend(): Promise<void>;
}

const GATEWAY_TIMEOUT_MS = 10_000;

/** Through the configured gateway; without one, messages are kept for the mailbox page, except in production. */
export function createSmsSender(config: Config, log: Logger): SmsSender {
  const deliver = config.smsGateway ? gateway(config.smsGateway) : capture(config);
  let durationMs = 0;
  let failed = false;
  const fail = () => {
    throw new SmsUnavailable('The SMS gateway did not take the message.');
  };
  return {
    async send(to, text) {
      const startedAt = performance.now();
      try {
        await deliver(`+${to}`, text);
        failed = false;
      } catch (error) {
        log.error({ err: error }, 'a text message could not be sent');
        failed = true;
      }
      durationMs = performance.now() - startedAt;
      if (failed) fail();
    },
    async pretendToSend() {
      await new Promise((passed) => setTimeout(passed, durationMs));
      if (failed) fail();
    },
  };
}

const gateway =
  ({ url, token }: NonNullable<Config['smsGateway']>) =>
  async (to: string, message: string) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ to, message }),
      redirect: 'error',
      signal: AbortSignal.timeout(GATEWAY_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the SMS gateway answered ${response.status}`);
  };

const capture = (config: Config) => async (to: string, message: string) => {
  if (config.production) throw new Error('No SMS gateway is configured; set SMS_GATEWAY_URL.');
  await captureMessage(config, { to, subject: 'Text message', text: message });
};
