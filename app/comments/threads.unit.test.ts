import { expect, it } from 'vitest';
import type { Thread } from './data.ts';
import {
  containsComment,
  type Discussion,
  newestOf,
  toTree,
  withComment,
  withoutComment,
  withReplies,
} from './threads.ts';

const comment = (id: string, parent: string | null = null, minute = 1) => ({
  id,
  user_id: 'someone',
  content: `comment ${id}`,
  parent_comment_id: parent,
  created_at: `2026-11-21T10:${String(minute).padStart(2, '0')}:00Z`,
  deleted_at: null,
  author: null,
});
const thread = (id: string, replies = [comment(`${id}1`, id)], next: string | null = null): Thread => ({
  ...comment(id),
  replies: { items: replies, next_cursor: next },
});
const discussion = (...items: Thread[]): Discussion => ({
  pages: [
    { items: items.slice(0, 1), next_cursor: 'x' },
    { items: items.slice(1), next_cursor: null },
  ],
  pageParams: ['', 'x'],
});
const ids = (of: Discussion) =>
  of.pages.map((page) =>
    page.items.map(({ id, replies }) => [id, ...replies.items.map((reply) => reply.id)]),
  );

it('hangs replies on what they answer, in the order of talking', () => {
  const tree = toTree(
    thread('a', [comment('b', 'a'), comment('c', 'b'), comment('d', 'a'), comment('e', 'b')]),
  );
  expect(tree.replies.map(({ id }) => id)).toEqual(['b', 'd']);
  expect(tree.replies[0]?.replies.map(({ id }) => id)).toEqual(['c', 'e']);
});

it('puts a new comment on top and a new reply last in its thread, each once', () => {
  const before = discussion(thread('a'), thread('b'));
  const top = withComment(before, comment('n'));
  expect(ids(top)).toEqual([[['n'], ['a', 'a1']], [['b', 'b1']]]);
  expect(withComment(top, comment('n'))).toBe(top);
  expect(ids(withComment(before, comment('r', 'b1')))).toEqual([[['a', 'a1']], [['b', 'b1', 'r']]]);
});

it('leaves out a reply whose thread is not loaded', () => {
  const before = discussion(thread('a'));
  expect(containsComment(withComment(before, comment('r', 'elsewhere')), 'r')).toBe(false);
});

it('adds the next replies without doubling one that arrived meanwhile', () => {
  const before = withComment(discussion(thread('a', [comment('a1', 'a')], 'cursor')), comment('a3', 'a'));
  const after = withReplies(before, 'a', {
    items: [comment('a2', 'a'), comment('a3', 'a')],
    next_cursor: null,
  });
  expect(ids(after)[0]).toEqual([['a', 'a1', 'a2', 'a3']]);
});

it('empties a removed comment and leaves its place', () => {
  const after = withoutComment(discussion(thread('a')), 'a1');
  expect(ids(after)[0]).toEqual([['a', 'a1']]);
  expect(after.pages[0]?.items[0]?.replies.items[0]).toMatchObject({ content: '', user_id: null });
  expect(after.pages[0]?.items[0]?.replies.items[0]?.deleted_at).toBeTruthy();
});

it('knows its newest comment, at whatever depth', () => {
  expect(newestOf(discussion(thread('a', [comment('z', 'a', 9)]), thread('b')))).toBe('2026-11-21T10:09:00Z');
  expect(newestOf(discussion())).toBeUndefined();
});
