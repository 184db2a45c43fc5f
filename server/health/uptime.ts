import { errorFields, type Logger } from '#backend/log.ts';

/** Several checks a minute, so that a late one does not miss a minute. */
const CHECK_MS = 15_000;
const MINUTE_MS = 60_000;

/**
 * Records each minute in which the site could serve.
 *
 * @param unable tests the site, and returns the reason why it could not serve
 * @param record stores the minute; one that cannot be stored counts as a minute in which the site could not
 * serve
 * @returns a function that stops the record
 */
export function recordUptime(
  unable: () => Promise<string | undefined>,
  record: () => Promise<void>,
  log: Logger,
): () => Promise<void> {
  let recorded = 0;
  let failing = '';
  let checking: Promise<void> = Promise.resolve();

  async function check(): Promise<void> {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute === recorded) return;
    let reason = '';
    try {
      reason = (await unable()) ?? '';
      if (!reason) {
        await record();
        recorded = minute;
      }
    } catch (error) {
      reason = errorFields(error).message as string;
    }
    // Logged once for as long as the problem lasts, and again when the reason changes.
    if (reason && reason !== failing) log.error({ reason }, 'the site cannot serve');
    if (!reason && failing) log.warn('the site serves again');
    failing = reason;
  }

  const startCheck = () => {
    checking = checking.then(check);
  };
  startCheck();
  const timer = setInterval(startCheck, CHECK_MS).unref();
  return async () => {
    clearInterval(timer);
    await checking;
  };
}
