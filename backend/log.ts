import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/**
 * A mail server names the recipient it refused, and the database the text that was typed, of any length: one
 * pass, from each word's start.
 */
const redactAddresses = (text: string) => text.replace(/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g, '[address]');

/**
 * The fields that help to find a fault and identify no person. An error of the driver also carries its whole
 * connection, which is left out.
 */
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

/**
 * Structured log; data that could identify a person or grant access is removed before it is written.
 *
 * @param to standard error by default
 */
export function createLog(
  level: string,
  to: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
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
    to,
  );
}
