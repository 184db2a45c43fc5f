import { expect, it } from 'vitest';
import { lastFatalIn } from './log-restore.ts';

it('is what ended the database, not a refusal of the connection that asked whether it is ready', () => {
  const reason = 'recovery ended before configured recovery target was reached';
  const log = [
    'LOG:  starting point-in-time recovery to 2026-11-28 01:30:23.715+00',
    'FATAL:  the database system is not yet accepting connections',
    `FATAL:  ${reason}`,
    'FATAL:  the database system is not accepting connections',
    'DETAIL:  Hot standby mode is disabled.',
    'LOG:  startup process (PID 71) exited with exit code 1',
    'FATAL:  the database system is shutting down',
    '',
  ].join('\n');
  expect(lastFatalIn(log)).toBe(reason);
  expect(lastFatalIn('LOG:  database system is shut down\n')).toBeUndefined();
});
