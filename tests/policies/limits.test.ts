import { describe, expect, it } from 'vitest';
import { openDatabase, people } from './fixtures.ts';

const { as, ask, owner, column, submit, solution, topic } = openDatabase();

const joinedLongAgo = () =>
  owner("update profiles set created_at = '2026-01-01' where id = $1", [people.author]);
const detailOf = (message: string | undefined): unknown => JSON.parse(message ?? '{}');

const FORM = 'title, description, occupation, amputation_level, age_group, prosthesis_type, cost_range';
const approved = () => solution('approved', 'admin2');
/** What a row of each kind says, from `given`, which is one for each row; and how many an old account and a new one may add in a day. */
const kinds = [
  {
    noun: 'solutions',
    table: 'solutions',
    most: [20, 5],
    columns: FORM,
    from: async () => `select ${FORM} from solutions, given where id = '${await approved()}'`,
  },
  {
    noun: 'comments',
    table: 'comments',
    most: [200, 30],
    columns: 'solution_id, content',
    from: async () => `select '${await approved()}'::uuid, 'Good' from given`,
  },
  {
    noun: 'likes',
    table: 'likes',
    most: [300, 50],
    columns: 'solution_id',
    from: async () => `select '${await approved()}'::uuid from given`,
  },
  {
    noun: 'topics',
    table: 'forum_topics',
    most: [20, 5],
    columns: 'title',
    from: async () => "select 'Liners' from given",
  },
  {
    noun: 'replies',
    table: 'forum_posts',
    most: [200, 30],
    columns: 'topic_id, content',
    from: async () => `select '${await topic('colleague')}'::uuid, 'Suction' from given`,
  },
] as const;

describe.each(kinds)('$noun', ({ noun, table, most: [most, atFirst], columns, from }) => {
  const add = async () => `with given as (select 1) insert into ${table} (${columns}) ${await from()}`;
  /** This many of the member's own rows from half a day ago, without the triggers and keys that keep counts. */
  const own = async (count: number) => {
    const rows =
      table === 'likes'
        ? `with given as (
             insert into solutions (user_id, status, ${FORM}) select user_id, 'approved', ${FORM}
             from solutions, generate_series(1, ${count}) where id = '${await approved()}' returning id
           ), said as (select id from given)`
        : `with given as (select generate_series(1, ${count})), said as (${await from()})`;
    await owner("set local session_replication_role = 'replica'");
    await owner(
      `${rows} insert into ${table} (user_id, created_at, ${columns}) select '${people.author}', now() - interval '12 hours', * from said`,
    );
    await owner("set local session_replication_role = 'origin'");
  };

  it('are limited on the first day of an account, with the time to wait', async () => {
    await own(atFirst - 1);
    expect((await as('author', await add())).rowCount).toBe(1);
    const refused = await as('author', await add());
    expect(refused.code).toBe('PGRST');
    expect(detailOf(refused.message)).toEqual({
      code: 'PT429',
      message: `On your first day you can add ${atFirst} ${noun}. Please wait until tomorrow to add more.`,
    });
    await joinedLongAgo();
    expect((await as('author', await add())).rowCount).toBe(1);
  });

  if (table === 'solutions')
    it('are refused in advance, in the same words', async () => {
      const refusal = (who: 'author' | 'moderator') => ask(who, 'solution_limit_refusal');
      await own(atFirst - 1);
      expect(await refusal('author')).toBeNull();
      expect((await as('author', await add())).rowCount).toBe(1);
      expect(await refusal('author')).toBe(
        `On your first day you can add ${atFirst} ${noun}. Please wait until tomorrow to add more.`,
      );
      expect(await refusal('moderator')).toBeNull();
      await joinedLongAgo();
      expect(await refusal('author')).toBeNull();
      await own(most - atFirst);
      expect(await refusal('author')).toBe(
        `You have added ${most} ${noun} within a day. Please wait before the next one.`,
      );
    });

  it('are limited later too, by day and by member, and not for moderators', async () => {
    await joinedLongAgo();
    await own(most - 1);
    expect((await as('author', await add())).rowCount).toBe(1);
    expect(detailOf((await as('author', await add())).message)).toEqual({
      code: 'PT429',
      message: `You have added ${most} ${noun} within a day. Please wait before the next one.`,
    });
    expect((await as('colleague', await add())).rowCount).toBe(1);
    await owner("insert into user_roles (user_id, role) values ($1, 'moderator')", [people.author]);
    expect((await as('author', await add())).rowCount).toBe(1);
    await owner('delete from user_roles where user_id = $1', [people.author]);
    await owner(`update ${table} set created_at = created_at - interval '13 hours' where user_id = $1`, [
      people.author,
    ]);
    expect((await as('author', await add())).rowCount).toBe(1);
  });
});

it('a solution that is sent again at the limit is answered with what it made', async () => {
  const ids = Array.from({ length: 6 }, () => crypto.randomUUID());
  const submitted = [];
  for (const submission of ids) submitted.push((await submit({}, { submission })).rows[0]?.id);
  expect(submitted.filter(Boolean)).toHaveLength(5);
  expect((await submit({}, { submission: ids[4] })).rows[0]?.id).toBe(submitted[4]);
});

it.each([
  ['comments', 'user_id, solution_id, content', (id: string) => `'${id}', 'Which liner?'`],
  ['forum_topics', 'user_id, title', () => "'Liners for hot days'"],
  ['forum_posts', 'user_id, topic_id, content', (_id: string, about: string) => `'${about}', 'Suction.'`],
  ['messages', 'sender_id, recipient_id, content', () => `'${people.admin}', 'Hello'`],
])(
  '%s that are sent twice with one number are written once, also at a limit',
  async (table, columns, values) => {
    const rest = values(await solution(), await topic('admin'));
    const insert = (who: string) =>
      `insert into ${table} (${columns}, submission_id) select ${who}, ${rest}, $1::uuid`;
    const send = (actor: 'author' | 'colleague', id: string | null) => as(actor, insert('auth.uid()'), [id]);
    const id = crypto.randomUUID();
    await owner("update profiles set created_at = now() - interval '2 days'");
    expect((await send('author', id)).rowCount).toBe(1);
    expect(await send('author', id)).toMatchObject({
      code: '23505',
      message: expect.stringContaining('submission_id'),
    });
    for (const [actor, number] of [
      ['colleague', id],
      ['author', crypto.randomUUID()],
      ['author', null],
      ['author', null],
    ] as const)
      expect((await send(actor, number)).rowCount).toBe(1);
    await owner(`${insert(`'${people.author}'`)} from generate_series(1, 200)`, [null]);
    expect((await send('author', crypto.randomUUID())).code).toBe('PGRST');
    expect((await send('author', id)).code).toBe('23505');
  },
);

describe('page views', () => {
  const from = (address: string) =>
    owner("select set_config('request.headers', $1, true)", [JSON.stringify({ 'x-forwarded-for': address })]);
  const views = (actor: 'visitor' | 'author', count: number) =>
    as(actor, "insert into page_views (page_path) select '/browse' from generate_series(1, $1::int)", [
      count,
    ]);

  it('are at most 600 a minute from an address, and others are not held back by it', async () => {
    await from('203.0.113.7');
    expect((await views('visitor', 600)).rowCount).toBe(600);
    const refused = await views('visitor', 1);
    expect(detailOf(refused.message)).toEqual({
      code: 'PT429',
      message: 'Too many page views within a minute',
    });
    expect((await views('author', 1)).rowCount).toBe(1);
    await from('203.0.113.8');
    expect((await views('visitor', 1)).rowCount).toBe(1);
  });

  it('count the networks of IPv6, and those around them together', async () => {
    await from('2001:db8:0:1::1');
    expect((await views('visitor', 600)).rowCount).toBe(600);
    await from('[2001:db8:0:1:ffff::2]:8080');
    expect((await views('visitor', 1)).code).toBe('PGRST');
    for (const network of [2, 3, 4]) {
      await from(`2001:db8:0:${network}::1`);
      expect((await views('visitor', 600)).rowCount).toBe(600);
    }
    await from('2001:db8:0:5::1');
    expect((await views('visitor', 1)).code).toBe('PGRST');
    await from('2001:db8:0:100::1');
    expect((await views('visitor', 1)).rowCount).toBe(1);
  });

  it('are at most 120 a minute of a member, whatever the address', async () => {
    await from('203.0.113.7');
    expect((await views('author', 120)).rowCount).toBe(120);
    await from('203.0.113.8');
    expect((await views('author', 1)).code).toBe('PGRST');
    await owner("update private.rate_limit_counters set minute = minute - interval '3 minutes'");
    expect((await views('author', 1)).rowCount).toBe(1);
    expect(await column('select count from private.rate_limit_counters')).toEqual([1]);
  });
});

it.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['203.0.113.7:54321', ['203.0.113.7']],
  [' "203.0.113.7"', ['203.0.113.7']],
  ['203.0.113.7, 10.0.0.1', ['203.0.113.7']],
  ['::ffff:203.0.113.7', ['203.0.113.7']],
  ['[::ffff:cb00:7107]:443', ['203.0.113.7']],
  ['2001:db8:1:2ff:3::4', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56']],
  ['[2001:db8:1:2ff:3::4]', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56']],
  ['[2001:DB8:1:2ff:3::4%eth0]:443', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56']],
  ['2001:db8:1:2ff::/32', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56']],
  ['', ['']],
  ['unknown', ['']],
  ['1.2.3', ['']],
])('a client at %j is counted by %j', async (address, networks) => {
  await owner("select set_config('request.headers', $1, true)", [
    JSON.stringify({ 'x-forwarded-for': address }),
  ]);
  for (const actor of ['visitor', 'author'] as const)
    expect((await as(actor, 'select private.client_networks() as networks')).rows).toEqual([{ networks }]);
});

it('a client that no gateway names is counted with all of those', async () => {
  for (const headers of ['', '{}']) {
    await owner("select set_config('request.headers', $1, true)", [headers]);
    expect((await as('visitor', 'select private.client_networks() as networks')).rows).toEqual([
      { networks: [''] },
    ]);
  }
});
