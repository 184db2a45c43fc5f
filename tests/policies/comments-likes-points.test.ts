import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from './fixtures.ts';

const { as, ask, owner, column, value, insert, solution, comment, like } = openDatabase();
const reply = (actor: Actor, id: string, parent: string) =>
  insert(actor, 'comments', { solution_id: id, content: 'And further', parent_comment_id: parent });
const counts = async (id: string) =>
  (
    await owner(
      'select s.likes_count, n.comments_count from solutions s left join comment_counts n on n.solution_id = s.id where s.id = $1',
      [id],
    )
  )[0];
const points = async (member: string) =>
  (await value<number>('select total_points from user_points where user_id = $1', [member])) ?? 0;

describe('comments', () => {
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
    // As one that is not there.
    for (const elsewhere of [parent, '99999999-9999-4999-8999-999999999999'])
      expect(await reply('author', other, elsewhere)).toMatchObject({
        code: '23503',
        message: 'The comment you reply to has been removed',
      });
    for (let depth = 1; depth <= 50; depth++) parent = await comment(id, 'moderator', parent);
    expect(await value('select depth from comments where id = $1', [parent])).toBe(50);
    expect((await reply('author', id, parent)).code).toBe('23514');
  });

  it('are edited for a quarter of an hour, and show it', async () => {
    const one = await comment(await solution());
    const edit = (actor: Actor, content: string) =>
      as<{ edited: boolean }>(
        actor,
        'update comments set content = $2 where id = $1 returning edited_at is not null as edited',
        [one, content],
      );
    expect((await edit('colleague', ' Which liner did you use? ')).rows).toEqual([{ edited: false }]);
    expect((await edit('colleague', 'Which sleeve did you use?')).rows).toEqual([{ edited: true }]);
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
    const read = async (sort: string, cursor: string | null = null) => {
      const page = await ask<{ items: { id: string; reply_count: number }[]; next_cursor: string | null }>(
        'visitor',
        'comment_threads',
        [id, cursor, 1, sort],
      );
      return { shown: page.items.map((item) => [item.id, item.reply_count]), cursor: page.next_cursor };
    };
    const newest = [[[second, 0]], [[first, 2]]];
    for (const [sort, order] of [
      ['newest', newest],
      ['oldest', newest.toReversed()],
    ] as const) {
      const page = await read(sort);
      expect([page.shown, (await read(sort, page.cursor)).shown]).toEqual(order);
    }
    for (const of of [first, reply, nested])
      expect(await ask('visitor', 'comment_thread', [of])).toMatchObject({ id: first });
    expect(await ask('visitor', 'comment_thread', [id])).toBeNull();
  });

  it('are taken off the count by their author or a moderator, who leaves a trace', async () => {
    const id = await solution();
    for (const actor of ['moderator', 'colleague'] as const) {
      const one = await comment(id);
      expect(await counts(id)).toMatchObject({ comments_count: 1 });
      expect((await as(actor, 'delete from comments where id = $1', [one])).rowCount).toBe(1);
      expect(await counts(id)).toMatchObject({ comments_count: 0 });
    }
    expect(await column('select action from audit_events')).toEqual(['comment_deleted']);
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
    expect((await reply('author', id, parent)).code).toBe('23503');
  });
});

describe('likes', () => {
  it('count once a member, until they are taken back', async () => {
    const id = await solution();
    const likeIt = () => insert('colleague', 'likes', { solution_id: id });
    expect((await likeIt()).rowCount).toBe(1);
    expect((await likeIt()).code).toBe('23505');
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

  it('award a badge when its threshold is reached', async () => {
    const id = await solution();
    for (let n = 0; n < 5; n++) await comment(id);
    expect(
      await column(
        'select b.name from user_badges u join badges b on b.id = u.badge_id where u.user_id = $1',
        [people.colleague],
      ),
    ).toEqual(['Good Colleague']);
  });
});
