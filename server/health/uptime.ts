import { errorFields, type Logger } from '#backend/log.ts';

/** Several looks a minute, so that none is missed because one came late. */
const CHECK_MS = 15_000;
const MINUTE_MS = 60_000;

/**
 * Records each minute in which the site could serve.
 *
 * @param unable tries to, and says why it could not
 * @param record writes it down; a minute that cannot be written down was none in which the site could serve
 * @returns how to stop
 */
export function recordUptime(
  unable: () => Promise<string | undefined>,
  record: () => Promise<void>,
  log: Logger,
): () => Promise<void> {
  let recorded = 0;
  let failing = '';
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
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
    // Once for as long as it lasts, and again when the reason is another.
    if (reason && reason !== failing) log.error({ reason }, 'the site cannot serve');
    if (!reason && failing) log.warn('the site serves again');
    failing = reason;
  }

  const begin = () => {
    looking = looking.then(look);
  };
  begin();
  const timer = setInterval(begin, CHECK_MS).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
