const [SPACE, DELIMITER] = [1, 2];
const kinds = new Uint8Array(256);
for (const code of [0, 9, 10, 12, 13, 32]) kinds[code] = SPACE;
for (const character of '()<>[]{}/%') kinds[character.charCodeAt(0)] = DELIMITER;

/** Whether a byte is white space (ISO 32000-1, 7.2.2), as the end of the bytes is too. */
export const isSpace = (code: number | undefined) => kinds[code ?? 0] === SPACE;
/** Whether a byte ends the word before it without a space (ISO 32000-1, 7.2.2). */
export const isDelimiter = (code: number) => kinds[code] === DELIMITER;

/** Programs write two signs, or a sign behind, and readers take what is before it. */
export const NUMBER = /^[-+.\d]+$/;

/** Where a name, number or operator ends. */
export function wordEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && kinds[bytes[at] ?? 0] === 0) at++;
  return at;
}

/** Where a string ends: in parentheses, which may hold others, or as hexadecimal digits. */
export function stringEnd(bytes: Buffer, start: number): number {
  if (bytes[start] === 0x3c) return bytes.indexOf(0x3e, start) + 1 || bytes.length;
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const code = bytes[at];
    if (code === 0x5c) at++;
    else if (code === 0x28) depth++;
    else if (code === 0x29 && --depth === 0) return at + 1;
  }
  return bytes.length;
}
