/** PostgreSQL reads JSON recursively, as JSON.stringify writes it: deeper nesting would make either fail. */
const MAX_DEPTH = 200;

/**
 * Called for each further value of a list, and each further field of an object; an error that it throws ends the reading.
 *
 * @param level 1 for the outermost list or object
 * @param number how many there are by then
 */
export type OnFurther = (level: number, isList: boolean, number: number) => void;

/**
 * Reads JSON that a client sent.
 *
 * @param onFurther hears of the values before they take any memory
 * @throws SyntaxError for text that is not JSON, and TooDeep
 */
export function parseJson(text: string, onFurther?: OnFurther): unknown {
  refuseTooDeep(text, onFurther);
  return JSON.parse(text);
}

export class TooDeep extends SyntaxError {}

function refuseTooDeep(text: string, onFurther: OnFurther | undefined): void {
  let depth = 0;
  /** By level, of what is open there. */
  const isList: boolean[] = [];
  const number: number[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '[' || char === '{') {
      if (++depth > MAX_DEPTH) throw new TooDeep('The JSON is nested too deeply');
      isList[depth] = char === '[';
      number[depth] = 1;
    } else if (char === ']' || char === '}') depth--;
    else if (char === ',' && onFurther && depth > 0) {
      const now = (number[depth] ?? 0) + 1;
      number[depth] = now;
      onFurther(depth, isList[depth] === true, now);
    }
  }
}
