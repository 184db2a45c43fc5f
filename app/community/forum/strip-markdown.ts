/** A text without its formatting marks, for places where it is shown on one line. */
export function stripMarkdown(text: string): string {
  return text
    .replace(/```[^\n]*|^\s{0,3}(?:>|[-*+]\s|\d+[.)]\s)+/gm, ' ')
    .replace(/\[([^[\]]+)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`)(?=\S)(.+?)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim();
}
