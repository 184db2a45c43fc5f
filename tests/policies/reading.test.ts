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

const { as, ask, owner, column, solution, comment } = openDatabase();
const threads = (actor: Actor, id: string, cursor: string | null = null, size = 20) =>
  ask<Piece<Thread>>(actor, 'comment_threads', [id, cursor, size]);

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
    const rest = await ask<Thread['replies']>('visitor', 'comment_replies', [
      first,
      thread?.replies.next_cursor,
    ]);
    expect(rest.items.map((reply) => reply.id)).toEqual(replies.slice(40));
    expect(rest.next_cursor).toBeNull();
  });

  it('shows no one the discussion of a solution they cannot see', async () => {
    const id = await solution();
    const first = await comment(id);
    await comment(id, 'author', first);
    await owner("update solutions set status = 'pending' where id = $1", [id]);
    for (const actor of ['visitor', 'colleague'] as const) {
      expect(await threads(actor, id)).toEqual({ items: [], next_cursor: null });
      expect(await ask(actor, 'comment_replies', [first])).toEqual({ items: [], next_cursor: null });
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
    const other = async (changes: string) => {
      const one = await solution();
      await owner(`update solutions set ${changes} where id = $1`, [one]);
      return one;
    };
    const [id, twin] = [await solution(), await solution()];
    const sameLevel = await other("occupation = 'Typing', likes_count = 90");
    const sameFunction = await other("amputation_level = 'Partial Foot', likes_count = 99");
    await other("amputation_level = 'Full Limb', occupation = 'Walking'");
    expect(await related(id, 12)).toEqual([twin, sameLevel, sameFunction]);
    expect(await related(id, 1)).toEqual([twin]);
  });

  it('give away no column that readers may not select', async () => {
    const id = await solution();
    await solution();
    const { rows } = await as('visitor', 'select * from related_solutions($1)', [id]);
    expect(rows).toHaveLength(1);
    const hidden = await column(
      "select attname from pg_attribute where attrelid = 'solutions'::regclass and attnum > 0 and not has_column_privilege('anon', attrelid, attnum, 'select')",
    );
    expect(hidden).toContain('search_text');
    for (const [name, value] of Object.entries(rows[0] ?? {}))
      if (hidden.includes(name)) expect(value, name).toBeNull();
    expect(rows[0]).toMatchObject({ status: 'approved' });
  });

  it('neither names nor answers for a solution that is not public', async () => {
    const [id, pending, rejected] = [await solution(), await solution('pending'), await solution('rejected')];
    for (const actor of ['visitor', 'author', 'moderator'] as const) {
      for (const of of [id, pending, rejected]) expect(await related(of, 12, actor)).toEqual([]);
    }
  });
});
