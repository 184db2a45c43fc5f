import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const world = openDatabase();
const { as, owner } = world;

/** A solution of the author's; an approved one was approved just now. */
async function solution(status: 'pending' | 'approved' = 'approved') {
  const id = await world.solution(status);
  await owner("update solutions set approved_at = now() where id = $1 and status = 'approved'", [id]);
  return id;
}

interface Subject {
  id: string;
  kind: string;
  label: string;
  filters: string[] | null;
  is_known: boolean;
  items: { kind: string; solution_id: string | null; topic_id: string | null; number: number | null }[];
}

const follow = (actor: Actor, subject: Record<string, string | string[]>) => {
  const columns = Object.keys(subject);
  return as(
    actor,
    `insert into follows (${columns}) values (${columns.map((_, i) => `$${i + 1}`)})`,
    Object.values(subject),
  );
};
const search = (text: string, filters: string[] = [], match = 'all') => ({ search: text, filters, match });
const news = async (actor: Actor, since = "now() - interval '7 days'") =>
  (await as<{ news: Subject[] }>(actor, `select following_news(${since}) as news`)).rows[0]?.news ?? [];
/** The ids of the solutions that are news, by what is followed. */
const found = async (actor: Actor) =>
  Object.fromEntries(
    (await news(actor)).map(({ label, items }) => [label, items.map(({ solution_id }) => solution_id)]),
  );
const describeAs = (id: string, text: string) =>
  owner('update solutions set title = $2 where id = $1', [id, text]);
const idOf = async (actor: Actor) =>
  (await as<{ id: string }>(actor, 'select id from follows')).rows[0]?.id ?? '';

describe('following', () => {
  it('is the member’s alone, of what they can see', async () => {
    const open = await solution();
    const pending = await solution('pending');
    expect((await follow('visitor', { tag: 'liners' })).code).toBe('42501');
    expect((await follow('colleague', { solution_id: open })).rowCount).toBe(1);
    expect((await follow('colleague', { solution_id: pending })).code).toBe('42501');
    expect((await follow('author', { tag: 'x', user_id: people.colleague })).code).toBe('42501');
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      expect((await as(actor, 'select from follows')).rowCount).toBe(0);
      expect((await as(actor, 'delete from follows')).rowCount).toBe(0);
      expect(await news(actor)).toEqual([]);
    }
    expect((await as('colleague', "update follows set tag = 'x'")).code).toBe('42501');
    expect((await as('colleague', 'delete from follows')).rowCount).toBe(1);
  });

  it.each([
    [{ tag: 'x', member_id: people.author }, 'Follow one thing at a time'],
    [{ tag: 'Upper Case' }, 'A tag must be 1 to 40 characters'],
    [{ member_id: people.colleague }, 'You cannot follow yourself'],
    [search(' '), 'Please search or filter before you save a search'],
    [search('x'.repeat(201)), 'A search must be at most 200 characters'],
    [search('', ['Wood']), 'A saved search can use only the filters that Browse offers'],
    [search('', ['Silicone'], 'some'), 'Match must be all or any'],
    [{ search: 'knee' }, 'Only a saved search has filters'],
  ])('refuses %j', async (subject, message) => {
    expect((await follow('colleague', subject)).message).toContain(message);
    expect((await as('colleague', 'select from follows')).rowCount).toBe(0);
  });

  it('has each subject once', async () => {
    const subjects: Parameters<typeof follow>[1][] = [
      { tag: 'liners' },
      { member_id: people.author },
      { solution_id: await solution() },
      search('liner'),
    ];
    for (const subject of subjects) {
      expect((await follow('colleague', subject)).rowCount).toBe(1);
      expect((await follow('colleague', subject)).code).toBe('23505');
    }
  });

  it('has up to 200 subjects, 100 of them in a day', async () => {
    expect((await follow('colleague', { tag: 'liners' })).rowCount).toBe(1);
    const tags = (from: number, to: number, at: string) =>
      owner(
        `insert into follows (user_id, tag, created_at) select $1, 'tag ' || n, ${at} from generate_series(${from}, ${to}) n`,
        [people.colleague],
      );
    await tags(1, 99, 'now()');
    expect((await follow('colleague', { tag: 'more' })).message).toContain('PT429');
    expect((await follow('author', { tag: 'more' })).rowCount).toBe(1);
    await owner("update follows set created_at = now() - interval '2 days'");
    await tags(100, 199, "now() - interval '2 days'");
    expect((await follow('colleague', { tag: 'more' })).message).toContain('up to 200');
  });

  it('has up to 50 searches, each compared by its first eight words, as Browse reads them', async () => {
    const id = await solution();
    await describeAs(id, 'one two three four five six seven eight');
    await owner("update profiles set created_at = now() - interval '9 days'");
    expect((await follow('colleague', search('one two three four five six seven eight nine'))).rowCount).toBe(
      1,
    );
    expect((await follow('colleague', search('one two nine'))).rowCount).toBe(1);
    expect(await found('colleague')).toMatchObject({
      'one two three four five six seven eight nine': [id],
      'one two nine': [],
    });
    await owner(
      `insert into follows (user_id, search, filters, match, created_at)
       select $1, 'word ' || n, '{}', 'all', now() - interval '2 days' from generate_series(1, 48) n`,
      [people.colleague],
    );
    expect((await follow('colleague', search('one more'))).message).toContain('up to 50 searches');
    expect((await follow('colleague', { tag: 'liners' })).rowCount).toBe(1);
    expect((await follow('author', search('one more'))).rowCount).toBe(1);
  });

  it('is exported to the member and not to those who are followed, and goes with the account', async () => {
    await follow('colleague', { member_id: people.author });
    const exported = async (actor: Actor) =>
      (await as<{ data: { follows: unknown[] } }>(actor, 'select export_account() as data')).rows[0]?.data
        .follows;
    expect(await exported('colleague')).toHaveLength(1);
    expect(await exported('author')).toEqual([]);
    await owner("select private.erase_account($1, 'keep')", [people.colleague]);
    expect(await owner('select from follows')).toEqual([]);
  });
});

describe('what is new', () => {
  it('names the solutions of a member, a tag and a search that were approved lately, and no others', async () => {
    const [shared, old, hidden] = [await solution(), await solution(), await solution('pending')];
    await describeAs(shared, 'A cello bow that a child can hold');
    await owner("update solutions set custom_tags = '{Bow Holds}' where id = any ($1)", [[shared, hidden]]);
    await owner("update solutions set approved_at = now() - interval '8 days' where id = $1", [old]);
    await follow('colleague', { member_id: people.author });
    await follow('colleague', { tag: 'bow holds' });
    await follow('colleague', search('cello bow'));
    await follow('colleague', search('violin'));
    expect(await found('colleague')).toEqual({
      'Dr author': [shared],
      'bow holds': [shared],
      'cello bow': [shared],
      violin: [],
    });
    const longer = await news('colleague', "now() - interval '9 days'");
    expect(longer.find(({ kind }) => kind === 'member')?.items).toHaveLength(2);
  });

  it('finds by a saved search what its filters and terms of the same meaning find', async () => {
    const id = await solution();
    const [row] = await owner<{ facets: string[] }>('select facets from solutions where id = $1', [id]);
    const [level = '', occupation = ''] = row?.facets ?? [];
    await describeAs(id, 'A trans tibial socket for a runner');
    await follow('colleague', search('bka'));
    await follow('colleague', search('', [level, occupation]));
    await follow('colleague', search('socket', [level, 'Titanium']));
    await follow('colleague', search('runner', [level, 'Full Limb'], 'any'));
    await follow('colleague', search('', [level, 'Titanium'], 'any'));
    const found = (await news('colleague')).map(
      ({ label, filters, items }) => [label, filters?.includes('Titanium'), items.length] as const,
    );
    expect(new Set(found.map(String))).toEqual(
      new Set(['bka,false,1', ',false,1', 'socket,true,0', 'runner,false,1', ',true,0']),
    );
  });

  it('says which saved search has a filter that is no longer offered', async () => {
    await solution();
    await owner("insert into follows (user_id, search, filters, match) values ($1, '', '{Wood}', 'all')", [
      people.colleague,
    ]);
    expect(await news('colleague')).toMatchObject([{ kind: 'search', is_known: false, items: [] }]);
  });

  it('names new versions and comments of a solution, and replies to a topic, of others alone', async () => {
    const id = await solution();
    await follow('colleague', { solution_id: id });
    for (const who of ['colleague', 'author'] as const)
      await owner("insert into comments (solution_id, user_id, content) values ($1, $2, 'Good')", [
        id,
        people[who],
      ]);
    await owner(
      'insert into solution_versions (solution_id, version, content) values ($1, 2, \'{"media": []}\')',
      [id],
    );
    const [topic] = await owner<{ id: string }>(
      "insert into forum_topics (user_id, title, description, category) values ($1, 'Liners', 'Which?', 'general') returning id",
      [people.colleague],
    );
    await owner("insert into forum_posts (topic_id, user_id, content) values ($1, $2, 'Gel')", [
      topic?.id,
      people.author,
    ]);
    const items = (await news('colleague')).flatMap((subject) => subject.items);
    expect(items.map(({ kind, number }) => [kind, number]).sort()).toEqual([
      ['comments', 1],
      ['replies', 1],
      ['version', 2],
    ]);
    expect(items.find(({ kind }) => kind === 'replies')?.topic_id).toBe(topic?.id);
  });

  it('forgets what the member may no longer see', async () => {
    const id = await solution();
    await follow('colleague', { solution_id: id });
    await follow('colleague', { member_id: people.author });
    await owner("update solutions set status = 'rejected', rejection_reason = 'Unsafe' where id = $1", [id]);
    expect(await news('colleague')).toMatchObject([{ kind: 'member', items: [] }]);
  });
});

describe('a safety notice', () => {
  const warn = (id: string) =>
    as(
      'author',
      "insert into safety_notices (solution_id, user_id, kind, content) values ($1, $2, 'recall', 'It breaks')",
      [id, people.author],
    );
  it.each([
    ['the solution', async (id: string) => ({ solution_id: id })],
    ['its author', async () => ({ member_id: people.author })],
    ['one of its tags', async () => ({ tag: 'bow' })],
    ['a search that finds it', async () => search('cello')],
  ])('reaches those who follow %s', async (_what, subject) => {
    const id = await solution();
    await describeAs(id, 'A cello bow that a child can hold');
    await owner("update solutions set custom_tags = '{Bow}' where id = $1", [id]);
    await owner('update profiles set email_notifications = true where id = any ($1)', [
      [people.colleague, people.moderator],
    ]);
    await owner('update auth.users set email_confirmed_at = now()');
    await follow('colleague', await subject(id));
    await follow('moderator', { tag: 'feet' });
    expect((await warn(id)).rowCount).toBe(1);
    expect(await owner("select user_id from notifications where type = 'safety_notice'")).toEqual([
      { user_id: people.colleague },
    ]);
    const [mail] = await owner<{ mail: { to: string; unfollow: Record<string, string> } }>(
      'select claim_mail() as mail',
    );
    const token = mail?.mail.unfollow[await idOf('colleague')] ?? '';
    expect((await as('visitor', 'select unsubscribe_from_mail($1)', [token])).rowCount).toBe(1);
    expect((await as('colleague', 'select from follows')).rowCount).toBe(0);
  });
});

describe('the weekly digest', () => {
  const want = (wanted = true) =>
    as('colleague', 'update profiles set weekly_digest = $2 where id = $1', [people.colleague, wanted]);
  const due = async () =>
    (
      await owner<{ digest_due_at: Date | null }>('select digest_due_at from profiles where id = $1', [
        people.colleague,
      ])
    )[0]?.digest_due_at;
  const letWeekPass = () =>
    owner("update profiles set digest_due_at = digest_due_at - interval '7 days' where weekly_digest");
  const claim = async () => {
    await owner('select mail_due()');
    return (
      await owner<{
        mail: { member: string; since: string; until: string; unsubscribe: string; to: string } | null;
      }>('select claim_mail() as mail')
    )[0]?.mail;
  };

  it('comes on Monday to members who asked for it, once a week, each week after the one before', async () => {
    await owner('update auth.users set email_confirmed_at = now()');
    expect(await claim()).toBeNull();
    expect((await want()).rowCount).toBe(1);
    const monday = await due();
    expect([monday?.getUTCDay(), monday?.getUTCHours()]).toEqual([1, 7]);
    expect(await claim()).toBeNull();
    await letWeekPass();
    const before = await due();
    const mail = await claim();
    expect(mail).toMatchObject({ to: 'colleague@clinic.example', member: people.colleague });
    expect(new Date(mail?.since ?? '').getTime()).toBe((before?.getTime() ?? 0) - 7 * 86_400_000);
    expect(new Date(mail?.until ?? '')).toEqual(before);
    expect(await due()).toEqual(monday);
    expect(await owner('select mail_due()')).toEqual([{ mail_due: '(0,0)' }]);
    // After three weeks without the site it covers them all, up to this week.
    await owner('delete from private.mail_jobs');
    for (let week = 0; week < 3; week++) await letWeekPass();
    const late = await claim();
    expect(new Date(late?.since ?? '').getTime()).toBe((before?.getTime() ?? 0) - 21 * 86_400_000);
    expect(new Date(late?.until ?? '')).toEqual(before);
    expect(await due()).toEqual(monday);
    expect((await want(false)).rowCount).toBe(1);
    expect(await due()).toBeNull();
  });

  it('is not sent to a member who has ended it in the meantime, by its link too', async () => {
    await owner('update auth.users set email_confirmed_at = now()');
    await want();
    await letWeekPass();
    const token = (await claim())?.unsubscribe ?? '';
    await want();
    expect(
      (await as<{ done: boolean }>('visitor', 'select unsubscribe_from_mail($1) as done', [token])).rows,
    ).toEqual([{ done: true }]);
    expect(await due()).toBeNull();
    const swapped = token.replace('.digest.', '.');
    expect(
      (await as<{ done: boolean }>('visitor', 'select unsubscribe_from_mail($1) as done', [swapped])).rows,
    ).toEqual([{ done: false }]);
    await owner('update private.mail_jobs set due_at = now()');
    expect(await claim()).toBeNull();
  });

  it('holds what the member may read, and is asked for by the site alone', async () => {
    const id = await solution();
    const hidden = await solution('pending');
    await follow('colleague', { member_id: people.author });
    const sql = "select weekly_digest($1, now() - interval '7 days', now()) as news";
    for (const actor of ['visitor', 'author', 'colleague', 'admin'] as const)
      expect((await as(actor, sql, [people.colleague])).code).toBe('42501');
    const [row] = await owner<{ news: Subject[] }>(sql, [people.colleague]);
    await owner('reset role');
    expect(row?.news.flatMap(({ items }) => items.map((item) => item.solution_id))).toEqual([id]);
    expect(JSON.stringify(row)).not.toContain(hidden);
    const before = await owner<{ news: Subject[] }>(
      "select weekly_digest($1, now() - interval '7 days', now() - interval '1 minute') as news",
      [people.colleague],
    );
    await owner('reset role');
    expect(before[0]?.news.flatMap(({ items }) => items)).toEqual([]);
  });
});
