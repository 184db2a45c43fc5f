const MAX_CHARACTERS = 200;

/**
 * The reason why a client's regular expression is not passed to PostgreSQL, if any. Without back references
 * PostgreSQL reads a text once, whatever the expression; compiling an expression takes longer the longer it
 * is.
 */
export function regularExpressionProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_CHARACTERS)
    return `A regular expression may have ${MAX_CHARACTERS} characters at most`;
  return /\\[1-9]/.test(pattern) ? 'A regular expression may not refer back to what it has found' : undefined;
}
