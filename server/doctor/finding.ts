/** What the doctor noticed, in a sentence, and what the operator may do about it, in another. */
export interface Finding {
  /** A problem loses data, mail or safety now or soon. A warning does so when something else happens. A note is no fault. */
  level: 'problem' | 'warning' | 'note';
  says: string;
  advice: string;
}

/** Must be mended. @param advice what to do */
export const problem = (says: string, advice: string): Finding => ({ level: 'problem', says, advice });
/** Should be mended. @param advice what to do */
export const warning = (says: string, advice: string): Finding => ({ level: 'warning', says, advice });

/** Is as it should be, and to be known. @param advice what to do about it */
export const note = (says: string, advice: string): Finding => ({ level: 'note', says, advice });

/** The reason of a failed connection, as an operator searches for it. */
export function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (cause) return reasonOf(cause);
  return String(message || code || error).split('\n')[0] ?? '';
}
