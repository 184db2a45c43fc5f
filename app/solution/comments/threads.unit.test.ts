import { expect, it } from 'vitest';
import type { Comment, Thread } from './data.ts';
import {
  containsComment,
  type Discussion,
  newestOf,
  toTree,
  withComment,
  withoutComment,
  withReplies,
  withThread,
} from './threads.ts';

const comment = (id: string, parent: string | null = null, minute = 1): Comment => ({
  id,
  user_id: 'someone',
  content: `comment ${id}`,
  language: 'en',
  parent_comment_id: parent,
  created_at: `2026-11-21T10:${String(minute).padStart(2, '0')}:00Z`,
  edited_at: null,
  audience: 'public',
  deleted_at: null,
  author: null,
});
const thread = (id: string, replies = [comment(`${id}1`, id)], next: string | null = null): Thread => ({
  ...comment(id),
  reply_count: replies.length,
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

it('counts all replies below a comment, without removed ones, and only where all are loaded', () => {
  const removed = { ...comment('c', 'b'), deleted_at: '2026-11-21T11:00:00Z' };
  const items = [comment('b', 'a'), removed, comment('d', 'c')];
  const tree = toTree(thread('a', items));
  expect(tree.replies[0]).toMatchObject({ id: 'b', reply_count: 1 });
  expect(toTree(thread('a', items, 'cursor')).replies[0]?.reply_count).toBeNull();
  const before = discussion(thread('a'));
  const counted = (of: Discussion) => of.pages[0]?.items[0]?.reply_count;
  expect(counted(withComment(before, comment('r', 'a1')))).toBe(2);
  expect(counted(withoutComment(before, 'a1'))).toBe(0);
});

it('shows a thread that a link led to once, and puts new comments last where the oldest are first', () => {
  const before = discussion(thread('a'), thread('b'));
  expect(ids(withThread(before, thread('z'), false))[0]).toEqual([
    ['z', 'z1'],
    ['a', 'a1'],
  ]);
  expect(ids(withThread(before, thread('b', []), false))).toEqual([[['a', 'a1']], [['b']]]);
  expect(ids(withComment(before, comment('n'), 'oldest'))[1]).toEqual([['b', 'b1'], ['n']]);
});

it('leaves out a reply whose thread is not loaded', () => {
  const before = discussion(thread('a'));
  expect(containsComment(withComment(before, comment('r', 'elsewhere')), 'r')).toBe(false);
});

it('adds the next replies without doubling one that arrived in the meantime', () => {
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
