import { beforeEach, describe, expect, it } from 'vitest';
import { type Actor, type Member, openDatabase, people } from '../fixtures.ts';

const { as, ask, owner, column, value, topic, post, verifyFactor } = openDatabase();

const mark = (actor: Actor, topicId: string, postId: string | null) =>
  as(actor, 'select mark_answer($1, $2)', [topicId, postId]);
const summarise = (actor: Actor, topicId: string, content: string | null) =>
  as(actor, 'select summarise_topic($1, $2)', [topicId, content]);
const answerOf = (topicId: string) =>
  value<string | null>('select answer_id from forum_topics where id = $1', [topicId]);
const summaryOf = (topicId: string) =>
  value<string | null>('select summary from forum_topics where id = $1', [topicId]);
const told = (type: string) =>
  column<string>('select user_id from notifications where type = $1 order by user_id', [type]);
const mailed = (type: string) =>
  value<number>("select count(*)::integer from private.mail_jobs where notice ->> 'type' = $1", [type]);
const logged = () => column<string>('select action from audit_events order by id');
const idsOf = (...members: Member[]) => members.map((member) => people[member]).toSorted();

beforeEach(() => owner('update profiles set email_notifications = true'));

describe('the answer that helped', () => {
  it('is marked by who opened the topic alone, changed and taken back, and its author is told once', async () => {
    const asked = await topic('author');
    const [first, second] = [await post(asked, 'colleague'), await post(asked, 'moderator')];
    for (const actor of ['visitor', 'colleague', 'moderator', 'admin'] as const)
      expect(await mark(actor, asked, first), actor).toMatchObject({ code: '42501' });
    expect(await answerOf(asked)).toBeNull();
    for (const reply of [first, first, second, null, first]) {
      expect(await mark('author', asked, reply)).toMatchObject({ rowCount: 1 });
      expect(await answerOf(asked)).toBe(reply);
    }
    expect(await told('answer_marked')).toEqual(idsOf('colleague', 'moderator'));
    expect(await mailed('answer_marked')).toBe(2);
    expect(await logged()).toEqual([]);
    expect(await ask('visitor', 'forum_topic', [asked])).toMatchObject({
      answer: { id: first, user_id: people.colleague, excerpt: 'A suction liner, mostly.' },
    });
    expect(await ask('visitor', 'browse_forum')).toMatchObject({ items: [{ id: asked, is_answered: true }] });
  });

  it('is a reply of the same topic that is there, and goes with it', async () => {
    const [asked, other] = [await topic('author'), await topic('author')];
    const elsewhere = await post(other);
    const held = await value(
      "insert into held_posts (user_id, topic_id, content) values ($1, $2, 'My first') returning id",
      [people.colleague, asked],
    );
    const gone = await post(asked);
    await as('moderator', 'delete from forum_posts where id = $1', [gone]);
    for (const reply of [elsewhere, held, gone, asked])
      expect(await mark('author', asked, reply)).toMatchObject({
        code: '23514',
        message: 'This reply has been removed',
      });
    const helpful = await post(asked);
    await mark('author', asked, helpful);
    await as('moderator', 'delete from forum_posts where id = $1', [helpful]);
    expect(await answerOf(asked)).toBeNull();
    expect(await told('answer_marked')).toEqual([]);
    expect(await ask('visitor', 'browse_forum')).toMatchObject({
      items: [{ is_answered: false }, { is_answered: false }],
    });
    expect(await mark('author', elsewhere, helpful)).toMatchObject({ code: 'PT404' });
  });

  it('is taken back by staff, with a trace, but not by others, and stays as it is in a locked topic', async () => {
    const asked = await topic('author');
    const own = await post(asked, 'author');
    await mark('author', asked, own);
    expect(await told('answer_marked')).toEqual([]);
    expect(await mark('colleague', asked, null)).toMatchObject({ code: '42501' });
    await owner('update forum_topics set is_locked = true');
    expect(await mark('author', asked, null)).toMatchObject({
      code: '42501',
      message: 'This topic is locked',
    });
    expect(await mark('moderator', asked, null)).toMatchObject({ rowCount: 1 });
    expect(await answerOf(asked)).toBeNull();
    expect(await logged()).toEqual(['answer_unmarked']);
  });

  it('takes the second step of who has one', async () => {
    const asked = await topic('author');
    const reply = await post(asked);
    await verifyFactor('author');
    expect(await mark('author', asked, reply)).toMatchObject({ code: '42501' });
    expect(await summarise('author', asked, 'Suction.')).toMatchObject({ code: '42501' });
    expect(await as('author', 'select mark_answer($1, $2)', [asked, reply], { aal: 'aal2' })).toMatchObject({
      rowCount: 1,
    });
  });
});

describe('the summary of a topic', () => {
  it('is told once to all who replied and want to hear, however often it is written', async () => {
    const asked = await topic('author');
    for (const by of ['colleague', 'colleague', 'moderator', 'admin', 'author'] as const)
      await post(asked, by);
    await owner('update profiles set allow_notifications = false where id = $1', [people.admin]);
    expect(await summarise('author', asked, ' A suction liner. \n')).toMatchObject({ rowCount: 1 });
    expect(await summaryOf(asked)).toBe('A suction liner.');
    expect(await told('topic_summarised')).toEqual(idsOf('colleague', 'moderator'));
    expect(await mailed('topic_summarised')).toBe(3);
    await post(asked, 'moderator2');
    for (const text of ['A suction liner, with a sleeve.', null, 'A suction liner again.'])
      await summarise('author', asked, text);
    expect(await told('topic_summarised')).toEqual(idsOf('colleague', 'moderator'));
    expect(await mailed('topic_summarised')).toBe(3);
    expect(await ask('visitor', 'forum_topic', [asked])).toMatchObject({
      summary: 'A suction liner again.',
      summary_by: people.author,
      summary_author: { username: 'author.one' },
    });
  });

  it('is written and removed by who opened the topic and by moderators, whose acts leave a trace', async () => {
    const asked = await topic('author');
    for (const actor of ['visitor', 'colleague'] as const)
      expect(await summarise(actor, asked, 'Mine'), actor).toMatchObject({ code: '42501' });
    expect(await summarise('moderator', asked, 'By a moderator')).toMatchObject({ rowCount: 1 });
    expect(await value('select summary_by from forum_topics')).toBe(people.moderator);
    expect(await summarise('author', asked, 'By the author')).toMatchObject({ rowCount: 1 });
    expect(await value('select summary_by from forum_topics')).toBe(people.author);
    await owner('update forum_topics set is_locked = true');
    expect(await summarise('author', asked, 'Changed')).toMatchObject({ message: 'This topic is locked' });
    expect(await summarise('moderator', asked, ' \n ')).toMatchObject({ rowCount: 1 });
    expect(await owner('select summary, summary_by, summary_at from forum_topics')).toEqual([
      { summary: null, summary_by: null, summary_at: null },
    ]);
    expect(await logged()).toEqual(['topic_summary_written', 'topic_summary_removed']);
    expect(await as('author', "update forum_topics set summary = 'x'")).toMatchObject({ code: '42501' });
  });

  it('is no way past a limit of forum texts, nor past the review of first posts', async () => {
    const asked = await topic('author');
    for (const text of ['x'.repeat(1001), '- '.repeat(12), `${'word '.repeat(400)}end.`, '\u200b'])
      expect(await summarise('author', asked, text)).toMatchObject({ code: '23514' });
    await owner('update site_settings set reviewed_first_posts = 3');
    expect(await summarise('author', asked, 'Suction.')).toMatchObject({
      code: '42501',
      message: 'A moderator reviews your first posts. You can write a summary after that.',
    });
    await post(asked, 'author');
    await post(asked, 'author');
    expect(await summarise('author', asked, 'Suction.')).toMatchObject({ rowCount: 1 });
  });

  it('is found by the search of the forum', async () => {
    const asked = await topic('author');
    await topic('author');
    await summarise('author', asked, 'A silicone sleeve does.');
    for (const search of ['sleeve', 'SILICONE limbs'])
      expect(await ask('visitor', 'browse_forum', { search })).toMatchObject({
        total: 1,
        items: [{ id: asked }],
      });
    await summarise('author', asked, null);
    expect(await ask('visitor', 'browse_forum', { search: 'sleeve' })).toMatchObject({ total: 0 });
  });

  it('is in its writer’s data, and goes or stays with what they shared', async () => {
    const [kept, removed] = [await topic('colleague'), await topic('author')];
    await post(removed, 'colleague');
    await summarise('moderator', kept, 'By a moderator');
    await summarise('author', removed, 'By the author');
    const data = await ask<Record<string, unknown[]>>('moderator', 'export_account');
    expect(data.topic_summaries).toMatchObject([{ topic_id: kept, summary: 'By a moderator' }]);
    expect(data.forum_topics).toEqual([]);
    await owner("select private.erase_account($1, 'remove')", [people.author]);
    expect(
      await owner('select title, summary, summary_at from forum_topics where id = $1', [removed]),
    ).toEqual([{ title: 'Removed topic', summary: null, summary_at: null }]);
    await owner("select private.erase_account($1, 'keep')", [people.moderator]);
    expect(await owner('select summary, summary_by from forum_topics where id = $1', [kept])).toEqual([
      { summary: 'By a moderator', summary_by: null },
    ]);
  });
});
