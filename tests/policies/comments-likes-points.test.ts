import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from './fixtures.ts';

const { as, owner, solution, comment, like } = openDatabase();
const addComment = (
  actor: Actor,
  id: string,
  content = 'Which liner did you use?',
  parent: string | null = null,
  who: string | null = people[actor] ?? null,
) =>
  as<{ id: string; depth: number }>(
    actor,
    'insert into comments (solution_id, user_id, content, parent_comment_id) values ($1, $2, $3, $4) returning *',
    [id, who, content, parent],
  );
const counts = async (id: string) =>
  (
    await owner<{ likes_count: number; comments_count: number }>(
      'select likes_count, comments_count from solutions where id = $1',
      [id],
    )
  )[0];
const points = async (member: string) =>
  (
    await owner<{ total_points: number }>('select total_points from user_points where user_id = $1', [member])
  )[0]?.total_points ?? 0;

describe('comments', () => {
  it('are written by members in their own name on approved solutions', async () => {
    const id = await solution('approved');
    expect((await addComment('colleague', id)).rows).toMatchObject([{ depth: 0 }]);
    expect((await addComment('visitor', id)).code).toBe('42501');
    expect((await addComment('colleague', id, 'Forged', null, people.author)).code).toBe('42501');
    expect((await addComment('colleague', await solution('pending'))).code).toBe('42501');
    expect((await addComment('author', await solution('pending'))).code).toBe('42501');
    expect(await counts(id)).toMatchObject({ comments_count: 1 });
  });

  it.each(['   ', '\u200B', '', 'x'.repeat(5001)])('are refused when blank or too long', async (content) => {
    expect((await addComment('colleague', await solution(), content)).code).toBe('23514');
  });

  it('hide with their solution', async () => {
    const id = await solution('approved');
    await comment(id);
    expect((await as('visitor', 'select * from comments')).rows).toHaveLength(1);
    await owner("update solutions set status = 'pending' where id = $1", [id]);
    expect((await as('visitor', 'select * from comments')).rows).toEqual([]);
  });

  it('reply to a comment of the same solution, to a bounded depth', async () => {
    const [id, other] = [await solution(), await solution()];
    let parent = await comment(id);
    expect((await addComment('author', other, 'Wrong place', parent)).code).toBe('23503');
    for (let depth = 1; depth <= 50; depth++) {
      const reply = await addComment('moderator', id, 'And further', parent);
      expect(reply.rows).toMatchObject([{ depth }]);
      parent = reply.rows[0]?.id ?? '';
    }
    expect((await addComment('author', id, 'Too deep', parent)).code).toBe('23514');
  });

  it('are edited by their author alone, for a quarter of an hour, and show it', async () => {
    const one = await comment(await solution());
    const edit = (actor: Actor, content: string) =>
      as<{ edited: boolean }>(
        actor,
        'update comments set content = $2 where id = $1 returning edited_at is not null as edited',
        [one, content],
      );
    expect((await edit('colleague', ' Which liner did you use? ')).rows).toEqual([{ edited: false }]);
    expect((await edit('colleague', 'Which sleeve did you use?')).rows).toEqual([{ edited: true }]);
    expect((await edit('colleague', '  ')).code).toBe('23514');
    for (const actor of ['author', 'moderator', 'admin'] as const)
      expect((await edit(actor, 'Forged')).rowCount, actor).toBe(0);
    expect((await edit('visitor', 'Forged')).code).toBe('42501');
    expect((await as('colleague', 'update comments set created_at = now()')).code).toBe('42501');
    await owner("update comments set created_at = now() - interval '15 minutes'");
    expect((await edit('colleague', 'Too late')).rowCount).toBe(0);
    expect(await owner('select content from comments')).toEqual([{ content: 'Which sleeve did you use?' }]);
  });

  it('are read newest or oldest first, with the number of replies, and by a link to any of them', async () => {
    const id = await solution();
    const [first, second] = [await comment(id), await comment(id)];
    await owner("update comments set created_at = created_at - interval '1 hour' where id = $1", [first]);
    const reply = await comment(id, 'author', first);
    const nested = await comment(id, 'colleague', reply);
    await comment(id, 'author', nested);
    await as('moderator', 'delete from comments where id = $1', [nested]);
    interface Threads {
      items: { id: string; reply_count: number }[];
      next_cursor: string | null;
    }
    const read = async (sort: string, cursor: string | null = null) => {
      const call = 'select comment_threads($1, $2, 1, $3) as page';
      const page = (await as<{ page: Threads }>('visitor', call, [id, cursor, sort])).rows[0]?.page;
      return {
        ids: page?.items.map((item) => [item.id, item.reply_count]),
        cursor: page?.next_cursor ?? null,
      };
    };
    for (const [sort, order] of [
      [
        'newest',
        [
          [second, 0],
          [first, 2],
        ],
      ],
      [
        'oldest',
        [
          [first, 2],
          [second, 0],
        ],
      ],
    ] as const) {
      const page = await read(sort);
      expect([page.ids, (await read(sort, page.cursor)).ids]).toEqual(order.map((one) => [one]));
    }
    const thread = async (of: string) =>
      (await as<{ thread: { id: string } | null }>('visitor', 'select comment_thread($1) as thread', [of]))
        .rows[0]?.thread;
    for (const of of [first, reply, nested]) expect(await thread(of)).toMatchObject({ id: first });
    expect(await thread(id)).toBeNull();
  });

  it('are deleted by their author or a moderator', async () => {
    const id = await solution();
    const one = await comment(id);
    expect((await as('author', 'delete from comments where id = $1', [one])).rowCount).toBe(0);
    expect((await as('visitor', 'delete from comments')).code).toBe('42501');
    expect((await as('moderator', 'delete from comments where id = $1', [one])).rowCount).toBe(1);
    expect((await as('colleague', 'delete from comments where id = $1', [await comment(id)])).rowCount).toBe(
      1,
    );
    expect(await counts(id)).toMatchObject({ comments_count: 0 });
    expect(await owner('select action from audit_events')).toEqual([{ action: 'comment_deleted' }]);
  });

  it('leave an empty place when they had replies', async () => {
    const id = await solution();
    const parent = await comment(id);
    await comment(id, 'author', parent);
    await as('moderator', 'delete from comments where id = $1', [parent]);
    expect(
      await owner('select content, user_id, deleted_at is not null as removed from comments where id = $1', [
        parent,
      ]),
    ).toEqual([{ content: '', user_id: null, removed: true }]);
    expect(await counts(id)).toMatchObject({ comments_count: 1 });
    expect((await addComment('author', id, 'Too late', parent)).code).toBe('23503');
  });
});

describe('likes', () => {
  const likeAs = (actor: Actor, id: string, who: string | undefined = people[actor]) =>
    as(actor, 'insert into likes (solution_id, user_id) values ($1, $2)', [id, who]);

  it('count once a member, for approved solutions', async () => {
    const id = await solution();
    expect((await likeAs('colleague', id)).rowCount).toBe(1);
    expect((await likeAs('colleague', id)).code).toBe('23505');
    expect((await likeAs('moderator', id, people.author)).code).toBe('42501');
    expect((await likeAs('visitor', id)).code).toBe('42501');
    expect((await likeAs('colleague', await solution('pending'))).code).toBe('42501');
    expect(await counts(id)).toMatchObject({ likes_count: 1 });
  });

  it('are taken back by their owner alone', async () => {
    const id = await solution();
    await like(id);
    expect((await as('moderator', 'delete from likes')).rowCount).toBe(0);
    expect(await counts(id)).toMatchObject({ likes_count: 1 });
    expect((await as('colleague', 'delete from likes where solution_id = $1', [id])).rowCount).toBe(1);
    expect(await counts(id)).toMatchObject({ likes_count: 0 });
  });
});

describe('points and badges', () => {
  it('are 50, 10 and 5 for solution, comment and like received, and go with their cause', async () => {
    const id = await solution();
    expect(await points(people.author)).toBe(50);
    for (let round = 0; round < 5; round++) {
      await like(id);
      await as('colleague', 'delete from likes');
    }
    expect(await points(people.author)).toBe(50);
    await like(id);
    await like(id, 'author');
    expect(await points(people.author)).toBe(55);
    const one = await comment(id);
    expect(await points(people.colleague)).toBe(10);
    await as('colleague', 'delete from comments where id = $1', [one]);
    expect(await points(people.colleague)).toBe(0);
  });

  it('are written by no member, moderator or admin', async () => {
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      for (const statement of [
        'insert into user_points (user_id, total_points) values (auth.uid(), 9)',
        'update user_points set total_points = 9',
        'delete from user_points',
        "insert into point_events (user_id, cause, source_id, points) values (auth.uid(), 'like', gen_random_uuid(), 9)",
        'insert into user_badges (user_id, badge_id) select auth.uid(), id from badges',
        'delete from user_badges',
        'update badges set tier = 3',
      ]) {
        expect((await as(actor, statement)).code, `${actor}: ${statement}`).toBe('42501');
      }
    }
  });

  it('show everyone totals and badges, and the ledger to its member alone', async () => {
    await solution();
    expect(
      (await as('visitor', 'select total_points from user_points where user_id = $1', [people.author])).rows,
    ).toEqual([{ total_points: 50 }]);
    expect(
      (
        await as(
          'visitor',
          'select b.name from user_badges u join badges b on b.id = u.badge_id where u.user_id = $1',
          [people.author],
        )
      ).rows,
    ).toEqual([{ name: 'First Solution' }]);
    expect((await as('author', 'select * from point_events')).rows).toHaveLength(1);
    expect((await as('colleague', 'select * from point_events')).rows).toEqual([]);
  });

  it('award a badge when its threshold is reached', async () => {
    const id = await solution();
    for (let n = 0; n < 5; n++) await comment(id);
    expect(
      await owner(
        'select b.name from user_badges u join badges b on b.id = u.badge_id where u.user_id = $1',
        [people.colleague],
      ),
    ).toEqual([{ name: 'Good Colleague' }]);
  });
});
