import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inEachRun } from '../runner/sample.ts';
import { insertConsented } from '../solution.ts';
import { openDatabase, people } from './fixtures.ts';

// Rules that no single transaction can show: concurrent statements, each over a separate connection.
const { databaseUrl } = openDatabase({ commits: true });
let pool: pg.Pool;
beforeAll(() => {
  pool = new pg.Pool({ connectionString: databaseUrl(), max: 20 });
  // The database is dropped with its remaining connections, which may still be closing.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
});
afterAll(() => pool.end());

const owner = async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
  (await pool.query<Row>(sql, values)).rows;

/** As this member in a separate transaction: how many rows were reached, or the refusal's code. */
async function act(member: string, sql: string, values: unknown[]): Promise<number | string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query("select set_config('request.jwt.claims', $1, true)", [
      JSON.stringify({ role: 'authenticated', sub: member, aal: 'aal1' }),
    ]);
    await client.query('set local role authenticated');
    const { rowCount } = await client.query(sql, values);
    await client.query('commit');
    return rowCount ?? 0;
  } catch (error) {
    await client.query('rollback');
    if (error instanceof pg.DatabaseError) return error.code ?? '';
    throw error;
  } finally {
    client.release();
  }
}

async function share(status: 'pending' | 'approved'): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(insertConsented({ user_id: people.author, status }));
  return rows[0]?.id ?? '';
}

describe('at the same moment', () => {
  it('one moderator approves and another rejects, again and again: one of them wins, and is all that is heard of', async () => {
    const races = inEachRun(40, 200);
    const solutions: string[] = [];
    let approved = 0;
    for (let race = 0; race < races; race++) {
      const id = await share('pending');
      solutions.push(id);
      const [first, second] = await Promise.all([
        act(people.moderator, "update solutions set status = 'approved' where id = $1", [id]),
        act(
          people.moderator2,
          "update solutions set status = 'rejected', rejection_reason = 'A name can be read.' where id = $1",
          [id],
        ),
      ]);
      expect([first, second].toSorted()).toEqual([0, 1]);
      if (first === 1) approved += 1;
    }
    expect(
      await owner(
        `select s.status, count(*)::int,
           bool_and((select array_agg(r.decision order by r.id) from solution_reviews r where r.solution_id = s.id) = array['submitted', s.status]) as one_review,
           bool_and((select array_agg(a.action) from audit_events a where a.target_id = s.id::text) = array['solution_' || s.status]) as one_event,
           bool_and((select array_agg(n.type) from notifications n where n.solution_id = s.id and n.type like 'solution%') = array['solution_' || s.status]) as one_notice
         from solutions s where s.id = any ($1) group by 1 order by 1`,
        [solutions],
      ),
    ).toEqual(
      [
        { status: 'approved', count: approved },
        { status: 'rejected', count: races - approved },
      ]
        .filter(({ count }) => count > 0)
        .map((row) => ({ ...row, one_review: true, one_event: true, one_notice: true })),
    );
  });

  it('a member likes a hundred times: it counts once', async () => {
    const solution = await share('approved');
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        act(people.colleague, 'insert into likes (solution_id) values ($1)', [solution]),
      ),
    );
    expect(answers.filter((answer) => answer === 1)).toHaveLength(1);
    expect(answers.filter((answer) => answer === '23505')).toHaveLength(99);
    expect(await owner('select likes_count from solutions where id = $1', [solution])).toEqual([
      { likes_count: 1 },
    ]);
  });

  it('fifty members like: every one counts, and earns the author 5 points', async () => {
    const solution = await share('approved');
    const total = async () =>
      (
        await owner<{ sum: number }>('select total_points as sum from user_points where user_id = $1', [
          people.author,
        ])
      )[0]?.sum ?? 0;
    const before = await total();
    const members = await owner<{ id: string }>(
      `insert into auth.users (id, email, raw_user_meta_data)
       select gen_random_uuid(), 'fan' || n || '@clinic.example', '{"declaration_version": "2026-11-01"}' from generate_series(1, 50) n returning id`,
    );
    await owner(
      "update profiles set full_name = 'Fan', username = 'fan-' || left(md5(id::text), 12) where full_name is null",
    );
    const answers = await Promise.all(
      members.map(({ id }) => act(id, 'insert into likes (solution_id) values ($1)', [solution])),
    );
    expect(answers).toEqual(members.map(() => 1));
    expect(await owner('select likes_count from solutions where id = $1', [solution])).toEqual([
      { likes_count: 50 },
    ]);
    expect((await total()) - before).toBe(250);
  });

  it('an admin gives a role fifty times: it is there once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        act(people.admin, "insert into user_roles (user_id, role) values ($1, 'moderator')", [people.author]),
      ),
    );
    expect(answers.filter((answer) => answer === 1)).toHaveLength(1);
    expect(answers.filter((answer) => answer === '23505')).toHaveLength(49);
    expect(await owner('select role from user_roles where user_id = $1', [people.author])).toEqual([
      { role: 'moderator' },
    ]);
  });

  it('a new member opens twenty topics: five are taken', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        act(people.colleague, 'insert into forum_topics (title) values ($1)', ['Liners']),
      ),
    );
    expect(answers.filter((answer) => answer === 1)).toHaveLength(5);
    expect(answers.filter((answer) => answer === 'PGRST')).toHaveLength(15);
  });

  it('the sets are made again and a solution is edited: searches and comments go on, and the edit counts once', async () => {
    const [solution, other] = [await share('approved'), await share('approved')];
    const total = async (search: string) =>
      (await owner<{ total: number }>("select browse_solutions($1) ->> 'total' as total", [search]))[0]
        ?.total;
    const client = await pool.connect();
    await client.query('begin');
    await client.query('select private.reindex_solutions(0)');
    const edit = owner("update solutions set custom_tags = '{zither,zithers}' where id = $1", [solution]);
    const waiting = () =>
      owner(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'",
      );
    await expect.poll(waiting).toHaveLength(1);
    expect(
      await act(people.colleague, "insert into comments (solution_id, content) values ($1, 'Good')", [other]),
    ).toBe(1);
    expect(await total('zither')).toBe('0');
    await client.query('commit');
    client.release();
    await edit;
    expect(await total('zither')).toBe('1');
    expect(
      await owner("select word, solutions from private.search_words where word like 'zither%' order by word"),
    ).toEqual([
      { word: 'zither', solutions: 1 },
      { word: 'zithers', solutions: 1 },
    ]);
  });

  it('the sets of three chunks are made again at once and a solution in each is edited: each edit counts once', async () => {
    const edited: string[] = [];
    for (const chunk of [0, 1, 2]) {
      if (chunk > 0)
        await owner("select setval(pg_get_serial_sequence('public.solutions', 'number'), $1)", [
          chunk * 32_000,
        ]);
      edited.push(await share('approved'));
    }
    const remake = (chunk: number) => owner('select private.reindex_solutions($1)', [chunk]);
    await Promise.all([
      ...[0, 1, 2].map(remake),
      ...edited.map((id, at) =>
        owner("update solutions set custom_tags = array['quokka', $2] where id = $1", [id, `quoll${at}`]),
      ),
      ...[2, 1, 0].map(remake),
    ]);
    const total = async (search: string) =>
      (
        await owner<{ total: number }>("select (browse_solutions($1) ->> 'total')::integer as total", [
          search,
        ])
      )[0]?.total;
    expect(await Promise.all(['quokka', 'quoll0', 'quoll1', 'quoll2'].map(total))).toEqual([3, 1, 1, 1]);
    const wrong = await owner(
      `select word from private.search_words w
       where solutions <> (select sum(size) from private.word_sets s where s.key = w.word)
       union all
       select value from private.facet_counts c
       where solutions <> (select coalesce(sum(bit_count(a.bits & b.bits)), 0) from private.facet_sets a
         join private.facet_sets b using (chunk) where a.value = c.value and b.value = c.other)`,
    );
    expect(wrong).toEqual([]);
  });
});
