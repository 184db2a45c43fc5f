import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const world = openDatabase();
const { as, ask, owner, value, insert } = world;

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

const follow = (actor: Actor, subject: Record<string, unknown>) => insert(actor, 'follows', subject);
const search = (text: string, filters: string[] = [], match = 'all') => ({ search: text, filters, match });
const news = async (actor: Actor, days = 7) =>
  ask<Subject[]>(actor, 'following_news', [await value(`select now() - interval '${days} days'`)]);
/** The ids of the solutions that are news, by what is followed. */
const found = async (actor: Actor) =>
  Object.fromEntries(
    (await news(actor)).map(({ label, items }) => [label, items.map(({ solution_id }) => solution_id)]),
  );
const describeAs = (id: string, text: string) =>
  owner('update solutions set title = $2 where id = $1', [id, text]);

describe('following', () => {
  it('refuses a filter that Browse does not offer', async () => {
    expect((await follow('colleague', search('', ['Wood']))).message).toContain(
      'A saved search can use only the filters that Browse offers',
    );
  });

  it('has each subject once', async () => {
    const [solution_id, topic_id] = [await solution(), await world.topic('author')];
    for (const subject of [
      { tag: 'liners' },
      { member_id: people.author },
      { solution_id },
      { topic_id },
      search('liner'),
    ]) {
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
    expect(await ask('colleague', 'export_account')).toMatchObject({
      follows: [{ member_id: people.author }],
    });
    expect(await ask('author', 'export_account')).toMatchObject({ follows: [] });
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
    const longer = await news('colleague', 9);
    expect(longer.find(({ kind }) => kind === 'member')?.items).toHaveLength(2);
  });

  it('finds by a saved search what its filters and terms of the same meaning find', async () => {
    const id = await solution();
    const [level = '', occupation = ''] = await value<string[]>(
      'select facets from solutions where id = $1',
      [id],
    );
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
    for (const who of ['colleague', 'author'] as const) await world.comment(id, who);
    await owner(
      'insert into solution_versions (solution_id, version, content) values ($1, 2, \'{"media": []}\')',
      [id],
    );
    const topic = await world.topic('colleague');
    await world.post(topic, 'author');
    const items = (await news('colleague')).flatMap((subject) => subject.items);
    expect(items.map(({ kind, number }) => [kind, number]).sort()).toEqual([
      ['comments', 1],
      ['replies', 1],
      ['version', 2],
    ]);
    expect(items.find(({ kind }) => kind === 'replies')?.topic_id).toBe(topic);
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
    await insert('author', 'safety_notices', { solution_id: id, kind: 'recall', content: 'It breaks' });
    expect(await owner("select user_id from notifications where type = 'safety_notice'")).toEqual([
      { user_id: people.colleague },
    ]);
    const { unfollow } = await value<{ unfollow: Record<string, string> }>('select claim_mail()');
    const followed = await value('select id from follows where user_id = $1', [people.colleague]);
    expect(await ask('visitor', 'unsubscribe_from_mail', [unfollow[followed]])).toBe(true);
    expect((await as('colleague', 'select from follows')).rowCount).toBe(0);
  });
});

describe('the weekly digest', () => {
  const want = (wanted = true) =>
    as('colleague', 'update profiles set weekly_digest = $2 where id = $1', [people.colleague, wanted]);
  const due = () =>
    value<Date | null>('select digest_due_at from profiles where id = $1', [people.colleague]);
  const letWeekPass = () =>
    owner("update profiles set digest_due_at = digest_due_at - interval '7 days' where weekly_digest");
  const claim = async () => {
    await owner('select mail_due()');
    return value<Record<'since' | 'until' | 'unsubscribe', string> | null>('select claim_mail()');
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
    expect(await ask('visitor', 'unsubscribe_from_mail', [token])).toBe(true);
    expect(await due()).toBeNull();
    expect(await ask('visitor', 'unsubscribe_from_mail', [token.replace('.digest.', '.')])).toBe(false);
    await owner('update private.mail_jobs set due_at = now()');
    expect(await claim()).toBeNull();
  });

  it('holds what the member may read', async () => {
    const id = await solution();
    const hidden = await solution('pending');
    await follow('colleague', { member_id: people.author });
    const digest = async (until: string) => {
      const found = await value<Subject[]>(`select weekly_digest($1, now() - interval '7 days', ${until})`, [
        people.colleague,
      ]);
      await owner('reset role');
      expect(JSON.stringify(found)).not.toContain(hidden);
      return found.flatMap(({ items }) => items.map((item) => item.solution_id));
    };
    expect(await digest('now()')).toEqual([id]);
    expect(await digest("now() - interval '1 minute'")).toEqual([]);
  });
});
