import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, ask, column, comment, insert, owner, post, solution, topic, value } = openDatabase();

const review = (count: number) => owner('update site_settings set reviewed_first_posts = $1', [count]);
const answered = async (actor: Actor, on: string) =>
  (await insert(actor, 'comments', { solution_id: on, content: ' How wide is it? ' })).rowCount;
/** Comments before replies before topics: all of a test are made at one time. */
const waiting = () => column('select id from held_posts order by solution_id, topic_id, id');
const decide = (id: unknown, publish: boolean, actor: Actor = 'moderator', version = 1) =>
  as(actor, 'select decide_held_post($1, $2, $3)', [id, publish, version]);
/** What tells others of a post, by where it stands. */
const traces = () =>
  owner<Record<string, unknown>>(
    `select (select count(*)::int from comments) as comments, (select count(*)::int from forum_topics) as topics,
       (select count(*)::int from forum_posts) as replies, (select coalesce(sum(comments_count), 0)::int from comment_counts) as counted,
       (select coalesce(sum(total_points), 0)::int from user_points where user_id = $1) as points,
       (select count(*)::int from notifications) as notifications, (select count(*)::int from private.mail_jobs) as mails,
       (select count(*)::int from follows) as follows`,
    [people.colleague],
  );

describe('the first posts of a new member', () => {
  it('are public at once unless the site has them reviewed', async () => {
    expect(await answered('colleague', await solution('approved'))).toBe(1);
    expect(await waiting()).toEqual([]);
  });

  it('leave no trace for others while they wait, and all of it once they are published', async () => {
    const on = await solution('approved');
    const inTopic = await topic('author');
    await owner('delete from notifications; delete from private.mail_jobs');
    await review(3);
    const before = await traces();
    expect(await answered('colleague', on)).toBe(0);
    await insert('colleague', 'forum_posts', { topic_id: inTopic, content: 'Ask @author.one' });
    await insert('colleague', 'forum_topics', {
      title: 'Liners',
      description: 'Which?',
      category: 'general',
    });
    expect(await traces()).toEqual(before);
    expect(await owner('select content, title, user_id from held_posts order by content')).toEqual([
      { content: 'Ask @author.one', title: null, user_id: people.colleague },
      { content: 'How wide is it?', title: null, user_id: people.colleague },
      { content: 'Which?', title: 'Liners', user_id: people.colleague },
    ]);
    const seen = async (actor: Actor) => (await as(actor, 'select from held_posts')).rowCount;
    expect([await seen('colleague'), await seen('moderator'), await seen('author')]).toEqual([3, 3, 0]);
    expect((await as('visitor', 'select from held_posts')).code).toBe('42501');

    for (const id of await waiting()) expect((await decide(id, true)).code).toBeUndefined();
    expect(await waiting()).toEqual([]);
    const [after] = await traces();
    expect(after).toMatchObject({ comments: 1, topics: 2, replies: 1, counted: 1, follows: 2 });
    expect(after?.points).toBeGreaterThan(0);
    expect(
      await column(
        "select distinct type from notifications where user_id = $1 and type <> 'badge_earned' order by 1",
        [people.author],
      ),
    ).toEqual(['comment', 'forum_reply']);
    expect(
      await column("select type from notifications where user_id = $1 and type <> 'badge_earned'", [
        people.colleague,
      ]),
    ).toEqual(['post_published', 'post_published', 'post_published']);
    expect(
      await owner("select distinct action, actor_id from audit_events where action <> 'setting_changed'"),
    ).toEqual([{ action: 'held_post_published', actor_id: people.moderator }]);
    // The third was the last that waits.
    expect(await answered('colleague', on)).toBe(1);
  });

  it('are not those of members with a role or a checked registration, or with as many posts already', async () => {
    const on = await solution('approved');
    await review(2);
    expect(await answered('moderator', on)).toBe(1);
    await owner(
      `insert into member_registrations (user_id, register, number, state, decided_at, checklist)
       values ($1, 'HCPC', 'PO1', 'checked', now(), '{"name": true, "number": true, "current": true}')`,
      [people.author],
    );
    expect(await answered('author', on)).toBe(1);
    await post(await topic('colleague'), 'colleague');
    expect(await answered('colleague', on)).toBe(1);
  });

  it('wait only where the member could post', async () => {
    await review(1);
    const closed = await solution('pending');
    expect((await insert('colleague', 'comments', { solution_id: closed, content: 'Good' })).code).toBe(
      '42501',
    );
    const locked = await topic('author', true);
    expect((await insert('colleague', 'forum_posts', { topic_id: locked, content: 'Good' })).code).toBe(
      '42501',
    );
    const on = await solution('approved');
    expect(
      (await insert('colleague', 'comments', { solution_id: on, content: 'Good', user_id: people.author }))
        .code,
    ).toBe('42501');
    expect((await insert('colleague', 'comments', { solution_id: on, content: ' ' })).message).toContain(
      'A post cannot be empty',
    );
    expect(await waiting()).toEqual([]);
  });

  it('are written once however often they are sent, also after they were published', async () => {
    const on = await solution('approved');
    await review(5);
    const send = () =>
      insert('colleague', 'comments', { solution_id: on, content: 'Good', submission_id: SENT });
    const SENT = randomUUID();
    await send();
    expect((await send()).code).toBeUndefined();
    const ids = await waiting();
    expect(ids).toHaveLength(1);
    await decide(ids[0], true);
    expect((await send()).code).toBe('23505');
    expect(await waiting()).toEqual([]);
  });

  it('are twenty a day', async () => {
    const on = await solution('approved');
    await review(1);
    for (let count = 0; count < 20; count++) await answered('colleague', on);
    expect((await insert('colleague', 'comments', { solution_id: on, content: 'More' })).message).toContain(
      'You have 20 posts waiting for review',
    );
  });
});

describe('a post that waits', () => {
  it('is removed with word to its author and a trace, and decided on once', async () => {
    await review(1);
    await answered('colleague', await solution('approved'));
    const [id] = await waiting();
    expect((await decide(id, false, 'author')).code).toBe('42501');
    expect((await decide(id, false)).code).toBeUndefined();
    expect((await decide(id, true, 'moderator2')).message).toBe('This post no longer waits for review');
    expect(await column('select content from comments')).toEqual([]);
    expect(await owner("select user_id, type from notifications where type <> 'badge_earned'")).toEqual([
      { user_id: people.colleague, type: 'content_deleted' },
    ]);
    expect(await owner("select action, before from audit_events where action <> 'setting_changed'")).toEqual([
      { action: 'held_post_removed', before: { content: 'How wide is it?', user_id: people.colleague } },
    ]);
  });

  it('is not published where its place is gone', async () => {
    const on = await solution('approved');
    const parent = await comment(on, 'author');
    await review(1);
    await insert('colleague', 'comments', { solution_id: on, content: 'Why?', parent_comment_id: parent });
    await owner("update solutions set status = 'pending' where id = $1", [on]);
    const [id] = await waiting();
    expect((await decide(id, true)).message).toContain('can only be removed');
    await owner('delete from comments where id = $1', [parent]);
    expect(await waiting()).toEqual([]);
  });

  it('stands in the queue with its place, can be claimed, and is counted until it is decided on', async () => {
    const inTopic = await topic('author');
    await review(1);
    await insert('colleague', 'forum_posts', { topic_id: inTopic, content: 'Good' });
    const id = await value('select id from held_posts');
    const queue = () => as('moderator', 'select kind, title, sender, claimed_by from review_queue');
    await ask('moderator', 'claim_review', ['post', id]);
    expect((await queue()).rows).toEqual([
      {
        kind: 'post',
        title: 'Reply in: Suspension for short residual limbs',
        sender: 'Dr colleague',
        claimed_by: people.moderator,
      },
    ]);
    expect(await ask('moderator', 'review_summary')).toMatchObject({ counts: { post: 1 } });
    expect(await ask('service', 'queue_metrics')).toMatchObject({ first_posts: { waiting: 1 } });
    await decide(id, true);
    expect((await queue()).rows).toEqual([]);
    expect(await ask('moderator', 'review_summary')).toMatchObject({ counts: {} });
    expect(await owner('select from review_claims')).toEqual([]);
  });

  it('is edited and withdrawn by its author alone, in its place, also when no more are reviewed', async () => {
    const on = await solution('approved');
    const inTopic = await topic('author');
    await review(5);
    await answered('colleague', on);
    await insert('colleague', 'forum_topics', {
      title: 'Liners',
      description: 'Which?',
      category: 'general',
    });
    await review(0);
    const [commented, asked] = await waiting();
    const edit = (actor: Actor, change: string, id = commented) =>
      as(actor, `update held_posts set ${change} where id = $1 returning content, title`, [id]);
    const withdraw = (actor: Actor) => as(actor, 'delete from held_posts where id = $1', [commented]);
    for (const other of ['author', 'moderator'] as const) {
      expect((await edit(other, "content = 'Mine now'")).rowCount).toBe(0);
      expect((await withdraw(other)).rowCount).toBe(0);
    }
    for (const elsewhere of [
      'solution_id = null',
      `topic_id = '${inTopic}'`,
      'version = 1',
      'user_id = null',
    ])
      expect((await edit('colleague', elsewhere)).code).toBe('42501');
    expect((await edit('colleague', "title = 'A topic', category = 'general'")).message).toContain(
      'A post is a comment, a reply or a topic',
    );
    expect((await edit('colleague', "content = ' '")).message).toContain('A post cannot be empty');
    await owner("insert into sanctions (user_id, kind, reason, created_by) values ($1, 'ban', 'Spam', $2)", [
      people.colleague,
      people.moderator,
    ]);
    expect((await edit('colleague', "content = 'Buy this'")).rowCount).toBe(0);
    await owner('delete from sanctions');
    expect((await edit('colleague', "content = ' How tall? '")).rows).toEqual([
      { content: 'How tall?', title: null },
    ]);
    expect((await edit('colleague', "title = ' Sockets ', content = ' '", asked)).rows).toEqual([
      { content: null, title: 'Sockets' },
    ]);
    expect((await withdraw('colleague')).rowCount).toBe(1);
    expect((await decide(commented, true, 'moderator', 2)).message).toBe(
      'This post no longer waits for review',
    );
    expect(await ask('moderator', 'review_summary')).toMatchObject({ counts: { post: 1 } });
    expect((await decide(asked, true, 'moderator', 2)).code).toBeUndefined();
    expect(await column('select title from forum_topics where user_id = $1', [people.colleague])).toEqual([
      'Sockets',
    ]);
  });

  it('is decided on as the moderator has read it', async () => {
    await review(1);
    await answered('colleague', await solution('approved'));
    const [id] = await waiting();
    await as('colleague', "update held_posts set content = 'Buy this' where id = $1", [id]);
    for (const publish of [true, false])
      expect((await decide(id, publish)).message).toContain('changed this post since you opened it');
    expect(await column('select content from comments')).toEqual([]);
    expect(await waiting()).toEqual([id]);
    expect((await decide(id, true, 'moderator', 2)).code).toBeUndefined();
    expect(await column('select content from comments')).toEqual(['Buy this']);
  });
});
