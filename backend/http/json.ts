/** PostgreSQL reads JSON recursively, as JSON.stringify writes it: deeper nesting would make either fail. */
const MAX_DEPTH = 200;

/**
 * Reads JSON that a client sent.
 *
 * @throws SyntaxError for text that is not JSON, and TooDeep
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new TooDeep('The JSON is nested too deeply');
  return JSON.parse(text);
}

export class TooDeep extends SyntaxError {}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '[' || char === '{') {
      if (++depth > MAX_DEPTH) return true;
    } else if (char === ']' || char === '}') depth--;
  }
  return false;
}
