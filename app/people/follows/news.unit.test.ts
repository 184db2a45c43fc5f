import { expect, it } from 'vitest';
import { type FollowedNews, feedOf, reasonOf } from './news.ts';

type Item = FollowedNews['items'][number];

const item = (changes: Partial<Item>): Item => ({
  kind: 'solution',
  solution_id: 'bow',
  topic_id: null,
  title: 'A joint for the cello bow',
  safety_kind: null,
  author: { full_name: 'Grace', username: 'grace' },
  number: null,
  at: '2026-11-20T10:00:00Z',
  ...changes,
});
const subject = (kind: FollowedNews['kind'], label: string, items: Item[]): FollowedNews => ({
  id: `${kind} ${label}`,
  kind,
  label,
  safety_kind: null,
  subject: null,
  filters: kind === 'search' ? ['Walking'] : null,
  match: null,
  is_known: true,
  items,
});

it('the feed has each thing once, with all that is new of it and every reason, newest first', () => {
  const feed = feedOf([
    subject('topic', 'Straps', [
      item({
        kind: 'replies',
        solution_id: null,
        topic_id: 'straps',
        title: 'Straps',
        number: 1,
        at: '2026-11-21T10:00:00Z',
      }),
    ]),
    subject('member', 'Grace', [
      item({}),
      item({ solution_id: 'hook', title: 'A hook', at: '2026-11-19T10:00:00Z' }),
    ]),
    subject('search', 'cello', [item({})]),
    subject('tag', 'bows', [item({})]),
    subject('solution', 'A joint for the cello bow', [
      item({ kind: 'comments', number: 3, at: '2026-11-22T10:00:00Z' }),
    ]),
  ]);
  expect(feed.map((entry) => [entry.path, entry.news, reasonOf(entry)])).toEqual([
    [
      '/solutions/bow',
      ['Shared by Grace', '3 new comments'],
      'You follow Grace, your search for “cello”, Walking, the tag “bows” and this solution',
    ],
    ['/forum/straps', ['1 new reply'], 'You follow this topic'],
    ['/solutions/hook', ['Shared by Grace'], 'You follow Grace'],
  ]);
});
