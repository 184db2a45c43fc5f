import { type Logger, pino } from 'pino';

export type { Logger };

/** Structured log on standard error; what could identify a person or open a door is cut out before it is written. */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['*.password', '*.token', '*.authorization', '*.apikey', '*.email'],
        censor: '[removed]',
      },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
