import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formattingProblem } from '../../app/ui/texts/formatting.ts';
import { hostileTexts, UNITS } from '../hostile-texts.ts';
import { type Actor, type Member, openDatabase, people } from './fixtures.ts';

const { as, owner, topic, post } = openDatabase();

const postReply = async (to: string, content: string, by: Member = 'colleague') => {
  const { rows } = await as<{ id: string }>(
    by,
    'insert into forum_posts (topic_id, content, user_id) values ($1, $2, $3) returning id',
    [to, content, people[by]],
  );
  return rows[0]?.id ?? '';
};

describe('the forum', () => {
  const open = (actor: Actor, changes: Record<string, unknown> = {}) => {
    const row: Record<string, unknown> = {
      title: 'Suspension',
      description: 'What works?',
      category: 'technical',
      user_id: people[actor] ?? null,
      ...changes,
    };
    return as(
      actor,
      `insert into forum_topics (${Object.keys(row).join(', ')}) values (${Object.keys(row)
        .map((_, i) => `$${i + 1}`)
        .join(', ')})`,
      Object.values(row),
    );
  };

  it('takes topics from members in their own name', async () => {
    expect((await open('author')).rowCount).toBe(1);
    expect((await open('visitor')).code).toBe('42501');
    expect((await open('author', { user_id: people.colleague })).code).toBe('42501');
    expect((await open('author', { title: '  ' })).code).toBe('23514');
    expect((await open('author', { category: 'x' })).code).toBe('23514');
    for (const forged of [
      { is_pinned: true },
      { is_locked: true },
      { views_count: 1e6 },
      { created_at: '2099-01-01' },
    ]) {
      expect((await open('author', forged)).code).toBe('42501');
    }
  });

  it('counts each visit through its function alone, at most 30 a minute for a visitor', async () => {
    const id = await topic();
    expect((await as('visitor', 'update forum_topics set views_count = 9999')).code).toBe('42501');
    expect((await as('admin', 'update forum_topics set views_count = 9999')).code).toBe('42501');
    for (let visit = 0; visit < 35; visit++) await as('author', 'select increment_topic_views($1)', [id]);
    await as('visitor', 'select increment_topic_views($1)', [id]);
    expect(await owner('select views_count from forum_topics')).toEqual([{ views_count: 31 }]);
  });

  it('takes replies to open topics', async () => {
    const reply = (
      actor: Actor,
      to: string,
      content = 'A suction liner.',
      who: string | undefined = people[actor],
    ) =>
      as(actor, 'insert into forum_posts (topic_id, content, user_id) values ($1, $2, $3)', [
        to,
        content,
        who,
      ]);
    const id = await topic();
    expect((await reply('colleague', id)).rowCount).toBe(1);
    expect((await reply('visitor', id)).code).toBe('42501');
    expect((await reply('colleague', id, 'x', people.author)).code).toBe('42501');
    expect((await reply('colleague', id, ' \u200B ')).code).toBe('23514');
    expect((await reply('colleague', await topic('author', true))).code).toBe('42501');
    expect(await owner('select posts_count from forum_topics where id = $1', [id])).toEqual([
      { posts_count: 1 },
    ]);
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
      expect(await open('author', { description: text })).toMatchObject(refusal);
      expect(
        await as('colleague', 'insert into forum_posts (topic_id, content, user_id) values ($1, $2, $3)', [
          id,
          text,
          people.colleague,
        ]),
      ).toMatchObject(refusal);
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
    const judged = await owner<{ problem: string | null }>(
      `select case when private.is_nested_deeply(t) then 'Please nest lists and quotes less deeply'
         when private.formatting_marks(t) > 1000 then 'Please use fewer lists, links and other formatting'
         when private.longest_word(t) > 1000 then 'Please use no word or link over 1000 characters' end as problem
       from unnest($1::text[]) with ordinality as u (t, place) order by place`,
      [texts],
    );
    expect(judged.map(({ problem }) => problem ?? undefined)).toEqual(texts.map(formattingProblem));
  });

  it('is cleared by moderators alone', async () => {
    const id = await topic();
    const reply = await post(id);
    for (const actor of ['author', 'colleague'] as const) {
      expect((await as(actor, 'delete from forum_posts')).rowCount).toBe(0);
      expect((await as(actor, 'delete from forum_topics')).rowCount).toBe(0);
      expect((await as(actor, 'update forum_topics set is_pinned = true')).rowCount).toBe(0);
    }
    expect(
      (await as('moderator', 'update forum_topics set is_pinned = true, is_locked = true')).rowCount,
    ).toBe(1);
    expect((await as('moderator', 'delete from forum_posts where id = $1', [reply])).rowCount).toBe(1);
    expect((await as('moderator', 'delete from forum_topics where id = $1', [id])).rowCount).toBe(1);
    expect(await owner('select action from audit_events order by id')).toEqual([
      { action: 'topic_changed' },
      { action: 'post_deleted' },
      { action: 'topic_deleted' },
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
    const id = await topic();
    await post(id);
    const edit = (actor: Actor) => as(actor, "update forum_posts set content = ' A locking liner. '");
    for (const actor of ['author', 'moderator', 'admin'] as const)
      expect((await edit(actor)).rowCount).toBe(0);
    expect((await edit('visitor')).code).toBe('42501');
    expect((await as('colleague', 'update forum_posts set content = content')).rowCount).toBe(1);
    expect(await owner('select edited_at from forum_posts')).toEqual([{ edited_at: null }]);
    expect((await edit('colleague')).rowCount).toBe(1);
    expect(await owner('select content, edited_at = now() as marked from forum_posts')).toEqual([
      { content: 'A locking liner.', marked: true },
    ]);
    expect((await as('colleague', "update forum_posts set content = ' '")).code).toBe('23514');
    for (const forged of ['edited_at = null', 'created_at = now()', 'user_id = null', `topic_id = '${id}'`])
      expect((await as('colleague', `update forum_posts set ${forged}`)).code).toBe('42501');
    await owner('update forum_topics set is_locked = true');
    expect((await edit('colleague')).rowCount).toBe(0);
    await owner('update forum_topics set is_locked = false');
    await later('forum_posts');
    expect((await edit('colleague')).rowCount).toBe(0);
  });

  it('edits a topic’s own text for 15 minutes, and never its place; moderators the other way round', async () => {
    await topic();
    const edit = "update forum_topics set title = 'Short limbs', category = 'technical'";
    expect((await as('colleague', edit)).rowCount).toBe(0);
    for (const actor of ['moderator', 'admin'] as const) expect((await as(actor, edit)).code).toBe('42501');
    expect((await as('author', edit)).rowCount).toBe(1);
    expect(await owner('select title, category, edited_at = now() as marked from forum_topics')).toEqual([
      { title: 'Short limbs', category: 'technical', marked: true },
    ]);
    for (const forged of ['is_pinned = true', 'is_locked = true'])
      expect((await as('author', `update forum_topics set ${forged}`)).code).toBe('42501');
    expect((await as('author', "update forum_topics set title = '\u200B'")).code).toBe('23514');
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

describe('a locked topic', () => {
  it('says so to whoever replies, moderators included', async () => {
    const id = await topic('author', true);
    for (const actor of ['author', 'moderator', 'admin'] as const)
      expect(
        await as(actor, 'insert into forum_posts (topic_id, content, user_id) values ($1, $2, $3)', [
          id,
          'x',
          people[actor],
        ]),
      ).toMatchObject({ code: '42501', message: 'This topic is locked' });
  });
});

describe('a mention', () => {
  const notified = async () =>
    (
      await owner<{ user_id: string }>(
        "select user_id from notifications where type = 'forum_reply' order by user_id",
      )
    ).map(({ user_id }) => Object.entries(people).find(([, id]) => id === user_id)?.[0]);

  it('tells each member once for a reply, never oneself, and the topic’s author not twice', async () => {
    const id = await topic();
    await postReply(id, '@mona.one @MONA.one, @author.one and @colleague.one: see @ada.one.');
    expect((await notified()).sort()).toEqual(['admin', 'author', 'moderator']);
    await as('colleague', "update forum_posts set content = 'Nobody.'");
    await as('colleague', "update forum_posts set content = '@mona.one and @abel.one'");
    expect((await notified()).sort()).toEqual(['admin', 'admin2', 'author', 'moderator']);
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
    const open = await as(
      'author',
      "insert into forum_topics (title, description, user_id) values ('Sockets', 'For @colleague.one, @ada.one, @author.one', $1)",
      [people.author],
    );
    expect(open.rowCount).toBe(1);
    expect(await notified()).toEqual(['colleague']);
    expect(await owner('select forum_post_id from notifications where forum_topic_id is not null')).toEqual([
      { forum_post_id: null },
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
  const browse = async (changes: Record<string, unknown> = {}) => {
    const names = Object.keys(changes);
    const { rows, message } = await as<{ list: List }>(
      'visitor',
      `select browse_forum(${names.map((name, i) => `${name} => $${i + 1}`).join(', ')}) as list`,
      Object.values(changes),
    );
    if (!rows[0]) throw new Error(message);
    return rows[0].list;
  };
  const titles = (list: List) => list.items.map(({ title }) => title);
  const make = (title: string, minutes: number, changes: { pinned?: boolean; category?: string } = {}) =>
    owner<{ id: string }>(
      "insert into forum_topics (title, description, category, is_pinned, user_id, created_at) values ($1, 'Été à la clinique', $2, $3, $4, now() - make_interval(mins => $5)) returning id",
      [title, changes.category ?? 'general', changes.pinned ?? false, people.author, minutes],
    ).then(([row]) => row?.id ?? '');

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
    await owner('set local session_replication_role = replica');
    await owner(replies, [busy, 2000]);
    await owner('set local session_replication_role = default');
    for (const search of ['qx', 'usual qx', 'osseointegrated qx usual'])
      expect(await browse({ search }), search).toMatchObject({
        items: [{ title: 'Old grip' }],
        total: 1,
        partial: false,
      });
    expect(await browse({ search: 'ab cd ef gh ij kl mn op' })).toMatchObject({ total: 0, partial: false });

    await owner('set local session_replication_role = replica');
    await owner(replies, [busy, 10_000]);
    await owner('set local session_replication_role = default');
    expect(await browse({ search: 'usual' })).toMatchObject({ items: [{ title: 'Busy' }], partial: true });
    expect(await browse({ search: 'qx' })).toMatchObject({ items: [], total: 0, partial: true });
    // A word the index covers is found in any topic, and the other words are looked for within those.
    expect(await browse({ search: 'osseointegrated qx usual' })).toMatchObject({
      items: [{ title: 'Old grip' }],
      total: 1,
      partial: false,
    });
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
  const read = async (
    topicId: string,
    changes: { cursor?: string | null; post?: string; size?: number } = {},
  ) => {
    const { rows, message } = await as<{ piece: Piece }>(
      'visitor',
      'select forum_replies($1, $2, $3, $4) as piece',
      [topicId, changes.cursor ?? null, changes.post ?? null, changes.size ?? 4],
    );
    if (!rows[0]) throw new Error(message);
    return rows[0].piece;
  };
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
    const around = await read(id, { post: replies[6] ?? '' });
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
    const whole = await as<{ topic: unknown }>('visitor', 'select forum_topic($1) as topic', [id]);
    expect(whole.rows).toMatchObject([
      { topic: { posts_count: 1, author: { username: 'author.one' }, mentions: [] } },
    ]);
    expect((await as('visitor', 'select forum_topic($1) as topic', [people.author])).rows).toEqual([
      { topic: null },
    ]);
  });
});
