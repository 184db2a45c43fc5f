import { expect, it } from 'vitest';
import { countComments, threads } from './data.ts';

const row = (id: string, parent: string | null, minute: number, deleted = false) => ({
  id,
  user_id: 'someone',
  content: deleted ? '' : `comment ${id}`,
  parent_comment_id: parent,
  created_at: `2026-11-21T10:${String(minute).padStart(2, '0')}:00Z`,
  deleted_at: deleted ? '2026-11-21T11:00:00Z' : null,
  author: null,
});

// As the database answers: newest first, whatever the level.
const rows = [
  row('f', null, 6),
  row('e', 'b', 5),
  row('d', 'a', 4),
  row('c', 'b', 3),
  row('b', 'a', 2, true),
  row('a', null, 1),
];

it('shows the first level newest first and replies in the order of talking', () => {
  const tree = threads(rows);
  expect(tree.map(({ id }) => id)).toEqual(['f', 'a']);
  expect(tree[1]?.replies.map(({ id }) => id)).toEqual(['b', 'd']);
  expect(tree[1]?.replies[0]?.replies.map(({ id }) => id)).toEqual(['c', 'e']);
});

it('does not count removed comments, but the replies to them', () => {
  expect(countComments(threads(rows))).toBe(5);
});

it('keeps a reply whose parent is not among the rows', () => {
  expect(threads([row('x', 'elsewhere', 1)]).map(({ id }) => id)).toEqual(['x']);
});
