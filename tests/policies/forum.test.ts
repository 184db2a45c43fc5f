import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formattingProblem } from '../../app/ui/texts/formatting.ts';
import { hostileTexts, UNITS } from '../hostile-texts.ts';
import { type Actor, openDatabase, people } from './fixtures.ts';

const { as, ask, owner, column, value, insert, topic, post } = openDatabase();

const postReply = (to: string, content: string) =>
  value('insert into forum_posts (topic_id, content, user_id) values ($1, $2, $3) returning id', [
    to,
    content,
    people.colleague,
  ]);
const reply = (actor: Actor, to: string, content: string) =>
  insert(actor, 'forum_posts', { topic_id: to, content });

describe('the forum', () => {
  it('counts each visit, at most 30 a minute for a visitor', async () => {
    const id = await topic();
    for (let visit = 0; visit < 35; visit++) await as('author', 'select increment_topic_views($1)', [id]);
    await as('visitor', 'select increment_topic_views($1)', [id]);
    expect(await owner('select views_count from forum_topics')).toEqual([{ views_count: 31 }]);
  });

  it('takes no text with more formatting than can be shown, and says what is too much', async () => {
    const id = await topic();
    for (const [text, problem] of [
      [`${'- '.repeat(8)}eight levels`, undefined],
      [`${'- '.repeat(9)}nine levels`, 'Please nest lists and quotes less deeply'],
      ['*a* '.repeat(500), undefined],
      ['*a* '.repeat(501), 'Please use fewer lists, links and other formatting'],
      ['a > b '.repeat(250), undefined],
      ['a > b '.repeat(251), 'Please use fewer lists, links and other formatting'],
      ['x'.repeat(1000), undefined],
      ['x'.repeat(1001), 'Please use no word or link over 1000 characters'],
    ] as const) {
      expect(formattingProblem(text)).toBe(problem);
      const refusal = problem
        ? { code: '23514', message: expect.stringContaining(`"${problem}"`) }
        : { rowCount: 1 };
      expect(await insert('author', 'forum_topics', { title: 'Liners', description: text })).toMatchObject(
        refusal,
      );
      expect(await reply('colleague', id, text)).toMatchObject(refusal);
    }
  });

  it('judges the formatting of a text as the form does', async () => {
    const pieces = fc
      .array(fc.tuple(fc.constantFrom(...UNITS), fc.integer({ min: 1, max: 300 })), {
        minLength: 1,
        maxLength: 6,
      })
      .map((runs) => runs.map(([unit, times]) => unit.repeat(times)).join(''));
    // PostgreSQL stores neither NUL nor half a character.
    const texts = [...hostileTexts(10_000).map(([, text]) => text), ...fc.sample(pieces, 200)].map((text) =>
      text.slice(0, 10_000).replaceAll('\0', '').toWellFormed(),
    );
    const judged = await column<string | null>(
      `select case when private.is_nested_deeply(t) then 'Please nest lists and quotes less deeply'
         when private.formatting_marks(t) > 1000 then 'Please use fewer lists, links and other formatting'
         when private.longest_word(t) > 1000 then 'Please use no word or link over 1000 characters' end
       from unnest($1::text[]) with ordinality as u (t, place) order by place`,
      [texts],
    );
    expect(judged.map((problem) => problem ?? undefined)).toEqual(texts.map(formattingProblem));
  });

  it('leaves a trace of what a moderator does, and takes the points along', async () => {
    const id = await topic();
    const written = await post(id);
    await as('moderator', 'update forum_topics set is_pinned = true, is_locked = true');
    expect((await as('moderator', 'delete from forum_posts where id = $1', [written])).rowCount).toBe(1);
    expect((await as('moderator', 'delete from forum_topics where id = $1', [id])).rowCount).toBe(1);
    expect(await column('select action from audit_events order by id')).toEqual([
      'topic_changed',
      'post_deleted',
      'topic_deleted',
    ]);
    expect(await owner('select * from point_events')).toEqual([]);
  });
});

describe('points', () => {
  it('are 20 for a topic and 10 for a reply, and go with them', async () => {
    const id = await topic();
    await post(id);
    await as('author', "update forum_topics set title = 'Edited'");
    expect(await owner('select user_id, points from point_events order by points')).toEqual([
      { user_id: people.colleague, points: 10 },
      { user_id: people.author, points: 20 },
    ]);
    await as('moderator', 'delete from forum_topics');
    expect(await owner('select * from point_events')).toEqual([]);
  });
});

describe('an author', () => {
  const later = (table: string) => owner(`update ${table} set created_at = now() - interval '16 minutes'`);

  it('edits a reply for 15 minutes, which leaves a mark', async () => {
    await post(await topic());
    const edit = () => as('colleague', "update forum_posts set content = ' A locking liner. '");
    expect((await as('colleague', 'update forum_posts set content = content')).rowCount).toBe(1);
    expect(await owner('select edited_at from forum_posts')).toEqual([{ edited_at: null }]);
    expect((await edit()).rowCount).toBe(1);
    expect(await owner('select content, edited_at = now() as marked from forum_posts')).toEqual([
      { content: 'A locking liner.', marked: true },
    ]);
    await owner('update forum_topics set is_locked = true');
    expect((await edit()).rowCount).toBe(0);
    await owner('update forum_topics set is_locked = false');
    await later('forum_posts');
    expect((await edit()).rowCount).toBe(0);
  });

  it('edits a topic’s own text for 15 minutes, which leaves a mark', async () => {
    await topic();
    const edit = "update forum_topics set title = 'Short limbs', category = 'technical'";
    expect((await as('author', edit)).rowCount).toBe(1);
    expect(await owner('select title, category, edited_at = now() as marked from forum_topics')).toEqual([
      { title: 'Short limbs', category: 'technical', marked: true },
    ]);
    await later('forum_topics');
    expect((await as('author', edit)).rowCount).toBe(0);
  });

  it('who moderates edits their own text only', async () => {
    await topic('moderator');
    expect((await as('moderator', "update forum_topics set title = 'Mine'")).rowCount).toBe(1);
    await later('forum_topics');
    expect((await as('moderator', "update forum_topics set title = 'Late'")).code).toBe('42501');
  });
});

it.each(['author', 'moderator', 'admin'] as const)(
  'a locked topic says so to the %s who replies',
  async (actor) => {
    expect(await reply(actor, await topic('author', true), 'x')).toMatchObject({
      code: '42501',
      message: 'This topic is locked',
    });
  },
);

describe('a mention', () => {
  const notified = async () => {
    const told = await column("select user_id from notifications where type = 'forum_reply'");
    return told.map((member) => Object.entries(people).find(([, id]) => id === member)?.[0]).sort();
  };

  it('tells each member once for a reply, never oneself, and the topic’s author not twice', async () => {
    const id = await topic();
    await postReply(id, '@mona.one @MONA.one, @author.one and @colleague.one: see @ada.one.');
    expect(await notified()).toEqual(['admin', 'author', 'moderator']);
    await as('colleague', "update forum_posts set content = 'Nobody.'");
    await as('colleague', "update forum_posts set content = '@mona.one and @abel.one'");
    expect(await notified()).toEqual(['admin', 'admin2', 'author', 'moderator']);
  });

  it('is none in quotes, code, addresses and longer names', async () => {
    const id = await topic();
    await postReply(
      id,
      '> @ada.one wrote\n`@ada.one` x@ada.one /@ada.one @ada.onetwo @@ada.one\n```\n@ada.one\n```',
    );
    expect(await notified()).toEqual(['author']);
  });

  it('in a topic tells the member of the topic, as long as they want to be told', async () => {
    await owner('update profiles set allow_notifications = false where id = $1', [people.admin]);
    const description = 'For @colleague.one, @ada.one, @author.one';
    expect((await insert('author', 'forum_topics', { title: 'Sockets', description })).rowCount).toBe(1);
    expect(await notified()).toEqual(['colleague']);
    expect(await column('select forum_post_id from notifications where forum_topic_id is not null')).toEqual([
      null,
    ]);
  });
});

interface List {
  items: { title: string; found: { excerpt: string } | null }[];
  next_cursor: string | null;
  total: number | null;
  partial: boolean;
}

describe('browse_forum', () => {
  const browse = (options = {}) => ask<List>('visitor', 'browse_forum', options);
  const titles = (list: List) => list.items.map(({ title }) => title);
  const make = (title: string, minutes: number, changes: { pinned?: boolean; category?: string } = {}) =>
    value(
      "insert into forum_topics (title, description, category, is_pinned, user_id, created_at) values ($1, 'Été à la clinique', $2, $3, $4, now() - make_interval(mins => $5)) returning id",
      [title, changes.category ?? 'general', changes.pinned ?? false, people.author, minutes],
    );

  it('lists pinned topics first, then the newest, page by page and each once', async () => {
    for (const n of [1, 2, 3, 4, 5]) await make(`Topic ${n}`, n * 10);
    await make('Pinned', 900, { pinned: true });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const list: List = await browse({ page_size: 2, cursor });
      seen.push(...titles(list));
      cursor = list.next_cursor;
    } while (cursor);
    expect(seen).toEqual(['Pinned', 'Topic 1', 'Topic 2', 'Topic 3', 'Topic 4', 'Topic 5']);
  });

  it('keeps to a category', async () => {
    await make('Research', 1, { category: 'research' });
    await make('General', 2);
    expect(titles(await browse({ category: 'research' }))).toEqual(['Research']);
    expect(titles(await browse({ category: 'x' }))).toEqual([]);
  });

  it('searches title, text and replies for every word, ignoring case and accents', async () => {
    const id = await make('Thread lock on titanium', 1);
    await make('Covers that live in hot cars', 2);
    await postReply(id, 'Medium strength, and anti-seize on the blade bolts. '.repeat(8));
    expect(titles(await browse({ search: 'TITÁN' }))).toEqual(['Thread lock on titanium']);
    expect(titles(await browse({ search: 'clinique ete' }))).toHaveLength(2);
    const list = await browse({ search: 'thread bolts' });
    expect(list).toMatchObject({ total: 1 });
    expect(list.items[0]?.found?.excerpt).toContain('bolts');
    expect(titles(await browse({ search: 'thread bolts', category: 'research' }))).toEqual([]);
    for (const search of ['%', '_', '\\', '()', 'nothing-like-this'])
      expect(titles(await browse({ search }))).toEqual([]);
    expect(titles(await browse({ search: '  ' }))).toHaveLength(2);
  });

  it('looks for what no index finds in what was written last, and says when that is not all', async () => {
    const id = await make('Old grip', 100_000);
    await postReply(id, 'A qx joint of osseointegrated bone, and the usual.');
    await owner("update forum_posts set created_at = now() - interval '1 year'");
    const busy = await make('Busy', 1);
    const replies =
      "insert into forum_posts (topic_id, content) select $1, 'The usual xq talk no. ' || n from generate_series(1, $2::int) n";
    const chat = async (count: number) => {
      await owner('set local session_replication_role = replica');
      await owner(replies, [busy, count]);
      await owner('set local session_replication_role = default');
    };
    await chat(1500);
    const all = { items: [{ title: 'Old grip' }], total: 1, partial: false };
    for (const search of ['qx', 'usual qx', 'osseointegrated qx usual'])
      expect(await browse({ search }), search).toMatchObject(all);
    expect(await browse({ search: 'ab cd ef gh ij kl mn op' })).toMatchObject({ total: 0, partial: false });

    await chat(10_000);
    expect(await browse({ search: 'usual' })).toMatchObject({ items: [{ title: 'Busy' }], partial: true });
    expect(await browse({ search: 'qx' })).toMatchObject({ items: [], total: 0, partial: true });
    // A word the index covers is found in any topic, and the other words are looked for within those.
    expect(await browse({ search: 'osseointegrated qx usual' })).toMatchObject(all);
    const many = await browse({ search: 'one two three four five six seven eight nine' });
    expect(many).toMatchObject({ total: 0, partial: true });
    expect(await browse()).toMatchObject({ partial: false });
  });

  it('refuses a damaged cursor', async () => {
    await expect(browse({ cursor: 'x' })).rejects.toThrow(/invalid input syntax/);
  });
});

describe('forum_replies', () => {
  interface Piece {
    items: { id: string; mentions: string[]; author: { username: string } }[];
    previous_cursor: string | null;
    next_cursor: string | null;
  }
  const read = (topicId: string, { cursor = null as string | null, post = null as string | null } = {}) =>
    ask<Piece>('visitor', 'forum_replies', [topicId, cursor, post, 4]);
  const ids = (piece: Piece) => piece.items.map(({ id }) => id);

  it('reads a topic from the start, around a reply, and back from the end', async () => {
    const id = await topic();
    const replies: string[] = [];
    for (let n = 0; n < 10; n++) replies.push(await postReply(id, `Reply ${n}`));
    await owner(
      "update forum_posts set created_at = now() - interval '1 hour' + make_interval(mins => substr(content, 7)::int)",
    );
    const start = await read(id);
    expect([ids(start), start.previous_cursor]).toEqual([replies.slice(0, 4), null]);
    const second = await read(id, { cursor: start.next_cursor });
    expect(ids(second)).toEqual(replies.slice(4, 8));
    const around = await read(id, { post: replies[6] });
    expect(ids(around)).toEqual(replies.slice(3, 7));
    const before = await read(id, { cursor: around.previous_cursor });
    expect([ids(before), before.previous_cursor]).toEqual([replies.slice(0, 3), null]);
    expect(ids(await read(id, { cursor: before.next_cursor }))).toEqual(replies.slice(3, 7));
    const end = await read(id, { cursor: 'latest' });
    expect([ids(end), end.next_cursor]).toEqual([replies.slice(6), null]);
    expect(ids(await read(id, { post: people.author }))).toEqual(replies.slice(0, 4));
    expect(await read(await topic())).toEqual({ items: [], previous_cursor: null, next_cursor: null });
  });

  it('says who wrote, and which of the names mentioned are members', async () => {
    const id = await topic();
    await postReply(id, 'Ask @Author.one or @nobody.here');
    expect((await read(id)).items).toMatchObject([
      { author: { username: 'colleague.one' }, mentions: ['author.one'] },
    ]);
    expect(await ask('visitor', 'forum_topic', [id])).toMatchObject({
      posts_count: 1,
      author: { username: 'author.one' },
      mentions: [],
    });
    expect(await ask('visitor', 'forum_topic', [people.author])).toBeNull();
  });
});
