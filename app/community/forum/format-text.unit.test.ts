import { expect, it } from 'vitest';
import { type Format, formatted, mentionAt } from './format-text.ts';

/** Formats the part between brackets, and marks the selection after that in the same way. */
function press(marked: string, format: Format): string {
  const start = marked.indexOf('[');
  const end = marked.indexOf(']') - 1;
  const text = marked.replace('[', '').replace(']', '');
  const { from, to, insert, ...after } = formatted({ text, start, end }, format);
  const next = text.slice(0, from) + insert + text.slice(to);
  return `${next.slice(0, after.start)}[${next.slice(after.start, after.end)}]${next.slice(after.end)}`;
}

it.each([
  ['Use [PETG] here', 'bold', 'Use **[PETG]** here'],
  ['Use **[PETG]** here', 'bold', 'Use [PETG] here'],
  ['[]', 'bold', '**[]**'],
  ['Use [PETG]', 'emphasis', 'Use _[PETG]_'],
  ['One\n[Two\nThree]', 'list', 'One\n- Two\n- Three[]'],
  ['One\nT[wo\nThree]', 'list', 'One\n- Two\n- Three[]'],
  ['- Two\n[- Three]', 'list', '- Two\nThree[]'],
  ['[]', 'quote', '> []'],
] as const)('%j becomes %s: %j', (before, format, after) => {
  expect(press(before, format)).toBe(after);
});

it('a link keeps the words and selects its address', () => {
  const text = 'See the guide';
  const { insert, start, end } = formatted({ text, start: 8, end: 13 }, 'link');
  expect(insert).toBe('[guide](https://)');
  const next = `See the ${insert}`;
  expect(next.slice(start, end)).toBe('https://');
});

it('a mention is what is typed after an @ that begins a word', () => {
  expect(mentionAt('Thanks @olu', 11)).toBe('olu');
  expect(mentionAt('@olu.ade and', 8)).toBe('olu.ade');
  expect(mentionAt('olu@clinic', 10)).toBeUndefined();
  expect(mentionAt('Thanks @', 8)).toBeUndefined();
  expect(mentionAt('Thanks @olu for', 15)).toBeUndefined();
});
