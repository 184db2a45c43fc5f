import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase } from './fixtures.ts';

interface Piece<Item> {
  items: Item[];
  next_cursor: string | null;
}
interface Thread {
  id: string;
  author: { full_name: string } | null;
  replies: Piece<{ id: string; parent_comment_id: string }>;
}

const { as, owner, solution, comment } = openDatabase();
const threads = async (actor: Actor, id: string, cursor: string | null = null, size = 20) => {
  const { rows } = await as<{ piece: Piece<Thread> }>(actor, 'select comment_threads($1, $2, $3) as piece', [
    id,
    cursor,
    size,
  ]);
  return rows[0]?.piece ?? { items: [], next_cursor: null };
};

describe('comment_threads', () => {
  it('gives first-level comments in pieces, newest first, none twice and none left out', async () => {
    const id = await solution();
    const commentIds: string[] = [];
    for (let count = 0; count < 7; count++) commentIds.unshift(await comment(id));
    // One transaction has one time; the ids decide among equals.
    await owner(
      `update comments c set created_at = timestamptz '2026-11-01' + n * interval '1 minute'
       from (select id, 8 - row_number() over (order by array_position($1::uuid[], id)) as n from comments) p where p.id = c.id`,
      [commentIds],
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const piece: Piece<Thread> = await threads('visitor', id, cursor, 3);
      seen.push(...piece.items.map((item) => item.id));
      cursor = piece.next_cursor;
    } while (cursor);
    expect(seen).toEqual(commentIds);
  });

  it('brings the replies at every depth, each after what it answers, and the rest on demand', async () => {
    const id = await solution();
    const first = await comment(id);
    const replies: string[] = [];
    let parent = first;
    for (let depth = 1; depth <= 45; depth++) {
      parent = await comment(id, 'author', parent);
      replies.push(parent);
    }
    const [thread] = (await threads('visitor', id)).items;
    expect(thread?.author).toMatchObject({ full_name: 'Dr colleague' });
    expect(thread?.replies.items.map((reply) => reply.id)).toEqual(replies.slice(0, 40));
    const rest = await as<{ piece: Piece<{ id: string }> }>(
      'visitor',
      'select comment_replies($1, $2) as piece',
      [first, thread?.replies.next_cursor],
    );
    expect(rest.rows[0]?.piece.items.map((reply) => reply.id)).toEqual(replies.slice(40));
    expect(rest.rows[0]?.piece.next_cursor).toBeNull();
  });

  it('shows no one the discussion of a solution they cannot see', async () => {
    const id = await solution();
    const first = await comment(id);
    await comment(id, 'author', first);
    await owner("update solutions set status = 'pending' where id = $1", [id]);
    for (const actor of ['visitor', 'colleague'] as const) {
      expect(await threads(actor, id)).toEqual({ items: [], next_cursor: null });
      const replies = await as(actor, 'select comment_replies($1) as piece', [first]);
      expect(replies.rows).toEqual([{ piece: { items: [], next_cursor: null } }]);
    }
    expect((await threads('author', id)).items).toHaveLength(1);
  });

  it('refuses a damaged cursor', async () => {
    const id = await solution();
    await comment(id);
    const attempt = await as('visitor', "select comment_threads($1, 'x~y')", [id]);
    expect(attempt.code).toMatch(/^22(007|P02)$/);
  });
});

describe('related_solutions', () => {
  const related = async (id: string, most = 3, actor: Actor = 'visitor') =>
    (await as<{ id: string }>(actor, 'select id from related_solutions($1, $2)', [id, most])).rows.map(
      (row) => row.id,
    );

  it('gives the likest first, never the solution itself nor one that has nothing in common', async () => {
    const [id, twin, sameLevel, sameFunction, other] = [
      await solution(),
      await solution(),
      await solution(),
      await solution(),
      await solution(),
    ];
    await owner(
      "update solutions set occupation = 'Typing', likes_count = 90, status = 'approved' where id = $1",
      [sameLevel],
    );
    await owner(
      "update solutions set amputation_level = 'Partial Foot', likes_count = 99, status = 'approved' where id = $1",
      [sameFunction],
    );
    await owner(
      "update solutions set amputation_level = 'Full Limb', occupation = 'Walking', status = 'approved' where id = $1",
      [other],
    );
    expect(await related(id, 12)).toEqual([twin, sameLevel, sameFunction]);
    expect(await related(id, 1)).toEqual([twin]);
  });

  it('give away no column that readers may not select', async () => {
    const id = await solution();
    await solution();
    const { rows } = await as<Record<string, unknown>>('visitor', 'select * from related_solutions($1)', [
      id,
    ]);
    expect(rows).toHaveLength(1);
    const hidden = [
      'number',
      'author_names',
      'search_text',
      'facets',
      'extra_facets',
      'submission_id',
      'submission_digest',
      'checklist',
    ];
    for (const [column, value] of Object.entries(rows[0] ?? {}))
      if (hidden.includes(column)) expect(value, column).toBeNull();
      else expect((await as('visitor', `select ${column} from solutions`)).code, column).toBeUndefined();
    for (const column of hidden)
      for (const actor of ['visitor', 'author', 'moderator'] as const)
        expect((await as(actor, `select ${column} from solutions`)).code, column).toBe('42501');
    expect(rows[0]).toMatchObject({ status: 'approved' });
  });

  it('neither names nor answers for a solution that is not public', async () => {
    const [id, pending, rejected] = [await solution(), await solution('pending'), await solution('rejected')];
    for (const actor of ['visitor', 'author', 'moderator'] as const) {
      expect(await related(id, 12, actor)).toEqual([]);
      expect(await related(pending, 12, actor)).toEqual([]);
      expect(await related(rejected, 12, actor)).toEqual([]);
    }
  });
});
