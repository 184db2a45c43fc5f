import type { Logger } from '../log.ts';

/** Several looks a minute, so that none is missed because one came late. */
const LOOK = 15_000;
const MINUTE = 60_000;

/**
 * Records each minute in which the site could serve.
 *
 * @param able tries to
 * @param record writes it down; a minute that cannot be written down was none in which the site could serve
 * @returns how to stop
 */
export function recordUptime(
  able: () => Promise<boolean>,
  record: () => Promise<void>,
  log: Logger,
): () => Promise<void> {
  let recorded = 0;
  let failing = false;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const minute = Math.floor(Date.now() / MINUTE);
    if (minute === recorded) return;
    try {
      if (!(await able())) throw new Error('the site found itself not able to serve');
      await record();
      recorded = minute;
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: error }, 'this minute does not count as served');
      failing = true;
    }
  }

  const begin = () => {
    looking = looking.then(look);
  };
  begin();
  const timer = setInterval(begin, LOOK).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
