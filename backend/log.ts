import { type Logger, pino } from 'pino';

export type { Logger };

/** A mail server names whom it refused, and the database what was typed, however long: looked at once from each word's start. */
const redactAddresses = (text: string) => text.replace(/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g, '[address]');

/** What helps to find a fault, and names nobody. An error of the driver also carries its whole connection, which does not. */
export function errorFields(error: unknown): Record<string, unknown> {
  // The client library's own errors are plain objects.
  if (!(error instanceof Error)) {
    if (!error || typeof error !== 'object' || !('message' in error))
      return { message: redactAddresses(String(error)) };
    return {
      message: redactAddresses(String(error.message)),
      ...('code' in error ? { code: error.code } : {}),
    };
  }
  return {
    type: error.constructor.name,
    message: redactAddresses(error.message),
    ...('code' in error ? { code: error.code } : {}),
    stack: redactAddresses(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: errorFields(error.cause) }),
  };
}

/** Structured log on standard error; what could identify a person or open a door is cut out before it is written. */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorFields },
      redact: {
        paths: ['*.password', '*.token', '*.authorization', '*.apikey', '*.email'],
        censor: '[removed]',
      },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
