import { expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

it.each([
  ['a text that is short enough', 'leg', 3, 'leg'],
  ['a longer one', 'socket', 3, 'soc'],
  ['letters of two units, which count as one', '🦿🦿🦿', 2, '🦿🦿'],
  ['a letter of several characters that does not fit', 'ab👩🏽‍🦼', 3, 'ab'],
  ['an accent behind its letter', 'abe\u0301', 3, 'ab'],
  ['a flag', '🇩🇪', 1, '🇩'],
  ['one letter that is longer than all', `a${'\u0301'.repeat(9)}`, 4, 'a\u0301\u0301\u0301'],
  ['nothing', '🦿', 0, ''],
])('%s', (_, text, most, cut) => {
  expect(cutText(text, most)).toBe(cut);
});

it('leaves no half of a letter wherever a text is cut', () => {
  const text = 'x🦿👩🏽‍🦼é🇩🇪'.repeat(3);
  for (let most = 0; most <= text.length; most++) {
    const cut = cutText(text, most);
    expect(cut.isWellFormed()).toBe(true);
    expect(text.startsWith(cut)).toBe(true);
    expect([...cut].length).toBeLessThanOrEqual(most);
  }
});
