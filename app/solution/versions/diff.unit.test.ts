import { describe, expect, it } from 'vitest';
import { type DiffPart, words } from './diff.ts';

const before = (parts: DiffPart[]) => parts.filter(({ kind }) => kind !== 'added').map(({ text }) => text);
const after = (parts: DiffPart[]) => parts.filter(({ kind }) => kind !== 'removed').map(({ text }) => text);

describe('the differences between two texts', () => {
  it('are words, in the paragraphs that differ alone', () => {
    expect(words('One line.\nA stiff clamp.\nThe end.', 'One line.\nA soft clamp.\nThe end.')).toEqual([
      { text: 'One line.\n', kind: 'same' },
      { text: 'A ', kind: 'same' },
      { text: 'stiff', kind: 'removed' },
      { text: 'soft', kind: 'added' },
      { text: ' clamp.\n', kind: 'same' },
      { text: 'The end.', kind: 'same' },
    ]);
  });

  it.each([
    [
      'rewritten',
      Array.from({ length: 800 }, (_, at) => `a${at}`).join(' '),
      Array.from({ length: 800 }, (_, at) => `b${at}`).join(' '),
    ],
    ['of signs', '.,;:!?'.repeat(800), '?!:;,.'.repeat(800)],
    ['of lines', 'a\nb\n'.repeat(1000), 'b\nc\n'.repeat(1000)],
    ['emptied', 'a '.repeat(2000), ''],
  ])('of a text that is %s are few, and lose nothing', (_what, old, current) => {
    const parts = words(old, current);
    expect(parts.length).toBeLessThanOrEqual(400);
    expect(before(parts).join('')).toBe(old);
    expect(after(parts).join('')).toBe(current);
  });
});
