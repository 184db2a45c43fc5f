const MAX_CHARACTERS = 200;

/**
 * Why a client's regular expression is not given to PostgreSQL, if it is not. Without references back PostgreSQL reads a text
 * once, whatever the expression; making an expression ready takes longer the longer it is.
 */
export function regularExpressionProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_CHARACTERS)
    return `A regular expression may have ${MAX_CHARACTERS} characters at most`;
  return /\\[1-9]/.test(pattern) ? 'A regular expression may not refer back to what it has found' : undefined;
}
