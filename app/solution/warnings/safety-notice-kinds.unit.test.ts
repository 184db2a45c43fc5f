import { expect, it } from 'vitest';
import { markOf, warnedTitle } from './safety-notice-kinds.ts';

it('a title is warned of for itself or for a part, and stays as it is for what is unknown', () => {
  expect(
    ['caution', 'recall', 'part_caution', 'part_recall', null, 'later', 'constructor'].map((kind) =>
      warnedTitle(kind, 'Bow'),
    ),
  ).toEqual([
    'Use with caution: Bow',
    'Do not use: Bow',
    'Use a part of it with caution: Bow',
    'Do not use a part of it: Bow',
    'Bow',
    'Bow',
    'Bow',
  ]);
  expect(markOf('part_recall')).toMatchObject({ tone: 'red', badge: 'Do not use a part' });
});
