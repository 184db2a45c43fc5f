const MAX_TEXT = 250;
const SIGNS: Record<string, string> = { d: '°', c: 'Ø', p: '±' };

/** The words of a text as they are read, without signs that steer a program. */
export function plainText(text: string): string {
  return text
    .replaceAll(/%%([dcp])/gi, (_, sign: string) => SIGNS[sign.toLowerCase()] ?? '')
    .replaceAll(/%%[uok]/gi, '')
    .replaceAll(/\\U\+([0-9A-F]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\p{C}/gu, '')
    .slice(0, MAX_TEXT);
}

/** The lines of a text of several lines, without the codes that style it. */
export function linesOfText(text: string): string[] {
  const plain = text
    .replaceAll(/\\P/g, '\n')
    .replaceAll(/\\[NX]/g, '\n')
    .replaceAll(/\\~/g, ' ')
    // Colour, font, height, slant, tracking, width and stacked fractions.
    .replaceAll(/\\S([^;^#/\\]*)[\^#/]([^;\\]*);/g, '$1/$2')
    .replaceAll(/\\[ACFHQTWfp][^;\\]*;/g, '')
    .replaceAll(/\\[LlOoKk]/g, '')
    .replaceAll(/(?<!\\)[{}]/g, '')
    .replaceAll(/\\([\\{}])/g, '$1');
  return plain.split('\n').map((line) => plainText(line).trim());
}
