import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenAmong, INVARIANTS } from '../invariants.ts';
import { seededRandom } from '../seeded-random.ts';
import { insertConsented, SOLUTION } from '../solution.ts';
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

const value = async <Value = string>(sql: string, values: unknown[] = []): Promise<Value> =>
  Object.values((await owner(sql, values))[0] ?? {})[0];
/** The number of times that each answer was given. */
const tally = (answers: unknown[]) => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[`${answer}`] = (counts[`${answer}`] ?? 0) + 1;
  return counts;
};
const times = <Answer>(count: number, run: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, run));

const DEADLOCK = '40P01';

/**
 * As this member in a separate transaction: how many rows were reached, or the refusal's code.
 *
 * @param beforeCommit runs while the transaction holds what it has taken
 */
async function act(
  member: string,
  sql: string,
  values: unknown[],
  beforeCommit?: () => Promise<void>,
): Promise<number | string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query("select set_config('request.jwt.claims', $1, true)", [
      JSON.stringify({ role: 'authenticated', sub: member, aal: 'aal1' }),
    ]);
    await client.query('set local role authenticated');
    const { rowCount } = await client.query(sql, values);
    await beforeCommit?.();
    await client.query('commit');
    return rowCount ?? 0;
  } catch (error) {
    await client.query('rollback');
    if (!(error instanceof pg.DatabaseError)) throw error;
    // The API sends the statement again.
    return error.code === DEADLOCK ? act(member, sql, values, beforeCommit) : (error.code ?? '');
  } finally {
    client.release();
  }
}

function share(status: 'pending' | 'approved', author: string = people.author): Promise<string> {
  const { text, values } = insertConsented({ user_id: author, status });
  return value(text, values);
}

const total = (search: string) =>
  value<number>("select (browse_solutions($1) ->> 'total')::integer", [search]);
const LOCKED =
  "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

describe('at the same moment', () => {
  it('one moderator approves and another rejects, again and again: one of them wins, and is all that is heard of', async () => {
    const races = 40;
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
    const answers = await times(100, () =>
      act(people.colleague, 'insert into likes (solution_id) values ($1)', [solution]),
    );
    expect(tally(answers)).toEqual({ 1: 1, 23505: 99 });
    expect(await value('select likes_count from solutions where id = $1', [solution])).toBe(1);
  });

  it('fifty members like: every one counts, and earns the author 5 points', async () => {
    const solution = await share('approved');
    const total = () =>
      value<number>('select sum(total_points)::int from user_points where user_id = $1', [people.author]);
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
    expect(tally(answers)).toEqual({ 1: 50 });
    expect(await value('select likes_count from solutions where id = $1', [solution])).toBe(50);
    expect((await total()) - before).toBe(250);
  });

  it('twenty servers ask what is due: each member is asked about their case once, and reminded once', async () => {
    const solution = await share('approved');
    const members = [people.colleague, people.moderator, people.moderator2, people.admin, people.admin2];
    await owner(
      `insert into solution_trials (solution_id, version, user_id, status, approved_at, result, amputation_level, age_group, prosthesis_type)
       select $1, 1, m, 'approved', now() - interval '100 days', 'worked', 'Transtibial (Below Knee)', 'Adults', 'Passive' from unnest($2::uuid[]) m`,
      [solution, members],
    );
    const asked = () =>
      owner<{ asked: number; told: number; reminded: number }>(
        `select count(*)::int as asked, count(n.id)::int as told, count(q.reminded_at)::int as reminded
         from use_questions q left join notifications n on n.use_question_id = q.id where q.solution_id = $1`,
        [solution],
      );
    await times(20, () => owner('select mail_due()'));
    expect(await asked()).toEqual([{ asked: 5, told: 5, reminded: 0 }]);
    await owner("update use_questions set asked_at = asked_at - interval '15 days' where solution_id = $1", [
      solution,
    ]);
    await owner('update profiles set email_notifications = true where id = any ($1)', [members]);
    await times(20, () => owner('select mail_due()'));
    expect(await asked()).toEqual([{ asked: 5, told: 5, reminded: 5 }]);
    expect(
      await value<number>(
        "select count(*)::int from private.mail_jobs j join use_questions q on q.id::text = j.notice ->> 'use_question_id' where q.solution_id = $1",
        [solution],
      ),
    ).toBe(5);
    await owner('update profiles set email_notifications = false where id = any ($1)', [members]);
  });

  it('members comment for the first time on a solution, twenty at once: every comment is counted', async () => {
    const solution = await share('approved');
    const answers = await times(20, () =>
      act(people.colleague, "insert into comments (solution_id, content) values ($1, 'Good')", [solution]),
    );
    expect(tally(answers)).toEqual({ 1: 20 });
    expect(await value('select comments_count from comment_counts where solution_id = $1', [solution])).toBe(
      20,
    );
  });

  it('an admin gives a role fifty times: it is there once', async () => {
    const answers = await times(50, () =>
      act(people.admin, "insert into user_roles (user_id, role) values ($1, 'moderator')", [people.author]),
    );
    expect(tally(answers)).toEqual({ 1: 1, 23505: 49 });
    expect(await owner('select role from user_roles where user_id = $1', [people.author])).toEqual([
      { role: 'moderator' },
    ]);
  });

  it('an asker marks and summarises from twenty tabs, while a moderator deletes the reply: each is told once, and no mark leads nowhere', async () => {
    const { author, colleague, moderator } = people;
    const reply = (asked: string, by: string) =>
      value("insert into forum_posts (topic_id, content, user_id) values ($1, 'Webbing.', $2) returning id", [
        asked,
        by,
      ]);
    for (let race = 0; race < 20; race++) {
      const asked = await value(
        "insert into forum_topics (title, user_id) values ('Straps', $1) returning id",
        [author],
      );
      const [kept, doomed] = [await reply(asked, colleague), await reply(asked, moderator)];
      const [deleted, ...answers] = await Promise.all([
        act(moderator, 'delete from forum_posts where id = $1', [doomed]),
        ...Array.from({ length: 20 }, (_, tab) =>
          tab % 2
            ? act(author, 'select summarise_topic($1, $2)', [asked, `Webbing, ${tab}.`])
            : act(author, 'select mark_answer($1, $2)', [asked, tab % 4 ? kept : doomed]),
        ),
      ]);
      expect(deleted).toBe(1);
      expect(answers.every((answer) => answer === 1 || answer === '23514')).toBe(true);
      await act(author, 'select mark_answer($1, $2)', [asked, kept]);
      expect(
        await owner(
          `select t.answer_id, t.summary is not null as summarised,
             (select array_agg(n.user_id || ' ' || n.type order by n.type) from notifications n where n.forum_topic_id = t.id and n.user_id = $2) as told
           from forum_topics t where t.id = $1`,
          [asked, colleague],
        ),
      ).toEqual([
        {
          answer_id: kept,
          summarised: true,
          told: [`${colleague} answer_marked`, `${colleague} topic_summarised`],
        },
      ]);
    }
  });

  it('an admin has moderators no longer named while one rejects: the author reads no name, whichever was first', async () => {
    for (let race = 0; race < 10; race++) {
      const id = await share('pending');
      expect(
        await Promise.all([
          act(
            people.moderator,
            "update solutions set status = 'rejected', rejection_reason = 'No' where id = $1",
            [id],
          ),
          act(people.admin, 'update site_settings set names_moderators = false', []),
        ]),
      ).toEqual([1, 1]);
      expect(
        await owner(
          'select m.sender_id, n.actor_id from messages m join notifications n on n.message_id = m.id where m.solution_id = $1',
          [id],
        ),
      ).toEqual([{ sender_id: null, actor_id: null }]);
      await owner('update site_settings set names_moderators = true');
    }
  });

  it('a moderator warns of a part, or withdraws it, while others write and take away that part: each solution is marked as its parts are', async () => {
    const shared: string[] = [];
    for (let one = 0; one < 6; one++) shared.push(await share('approved'));
    for (const id of shared) await owner('insert into solution_fabrication (solution_id) values ($1)', [id]);
    const build = (id: string, number: string) =>
      owner(
        `delete from solution_parts where solution_id = '${id}';
         insert into solution_parts (solution_id, position, component, maker, part_number, quantity)
         values ('${id}', 0, 'Adapter', 'Ottobock', '${number}', 1)`,
      );
    const warn = () =>
      act(
        people.moderator,
        "insert into part_notices (maker, part_number, kind, content) values ('Ottobock', '4R54', 'recall', 'It shears.')",
        [],
      );
    const withdraw = () =>
      act(people.moderator2, 'update part_notices set ended_at = now() where ended_at is null', []);
    for (let race = 0; race < 20; race++) {
      await Promise.all([
        race % 2 ? withdraw() : warn(),
        ...shared.map((id, place) => build(id, (race + place) % 3 ? '4R54' : '4R55')),
        act(
          people.author,
          "insert into safety_notices (solution_id, user_id, kind, content) values ($1, auth.uid(), 'caution', 'It bends.')",
          [shared[0]],
        ),
      ]);
      expect(
        await owner(
          'select id, safety_kind from solutions where safety_kind is distinct from private.safety_kind_of(id)',
        ),
      ).toEqual([]);
    }
  });

  it('a new member opens twenty topics: five are taken', async () => {
    const answers = await times(20, () =>
      act(people.colleague, "insert into forum_topics (title) values ('Liners')", []),
    );
    expect(tally(answers)).toEqual({ 1: 5, PGRST: 15 });
  });

  it('the sets are made again and a solution is edited: searches and comments go on, and the edit counts once', async () => {
    const [solution, other] = [await share('approved'), await share('approved')];
    const client = await pool.connect();
    await client.query('begin');
    await client.query('select private.reindex_solutions(0)');
    const edit = owner("update solutions set custom_tags = '{zither,zithers}' where id = $1", [solution]);
    await expect.poll(() => owner(`${LOCKED} and wait_event = 'advisory'`)).toHaveLength(1);
    expect(
      await act(people.colleague, "insert into comments (solution_id, content) values ($1, 'Good')", [other]),
    ).toBe(1);
    expect(await total('zither')).toBe(0);
    await client.query('commit');
    client.release();
    await edit;
    expect(await total('zither')).toBe(1);
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

it('two members write to each other at once, and each is shown the latest message', async () => {
  const both = [people.author, people.colleague];
  for (let round = 0; round < 20; round++)
    await Promise.all(
      both.map((sender, at) =>
        owner('insert into messages (sender_id, recipient_id, content) values ($1, $2, $3)', [
          sender,
          both[1 - at],
          `${round}`,
        ]),
      ),
    );
  expect(await brokenAmong(INVARIANTS, owner)).toEqual([]);
});

// What is published is what the moderator saw: each rule that asks for the state of what a row belongs to holds it, so that a
// change comes before the decision, which then finds another version, or after it, and is refused.
/** A file that processing has made for this member, as the row of a form names it. */
async function upload(member: string): Promise<string> {
  const url = `/storage/v1/object/authenticated/pending-media/${member}/${randomUUID()}/full.webp`;
  await owner(
    `insert into pending_uploads (user_id, urls, byte_size, made) values ($1, array[$2], 8,
       jsonb_build_object('media_url', $2, 'compressed_url', $2, 'thumbnail_url', $2, 'media_type', 'image'))`,
    [member, url],
  );
  return url;
}

const SEEN = 'Seen by the moderator';
const attached = (solution: string, trial: string | null, url: string, description: string | null) =>
  value(
    `insert into solution_media (solution_id, trial_id, media_url, compressed_url, thumbnail_url, media_type, description)
     values ($1, $2, $3, $3, $3, 'image', $4) returning id`,
    [solution, trial, url, description],
  );

/** What waits for a decision, by whom it was written, with a picture, a source, and another one that could be added. */
interface Waiting {
  table: 'solutions' | 'solution_trials';
  id: string;
  solution: string;
  trial: string | null;
  author: string;
  picture: string;
  source: string;
  other: string;
  upload: string;
}

async function waiting(kind: 'solution' | 'version' | 'report'): Promise<Waiting> {
  const [source, other] = [await share('approved', people.admin), await share('approved', people.admin)];
  const author = kind === 'report' ? people.colleague : people.author;
  let solution = await share(kind === 'solution' ? 'pending' : 'approved');
  let trial: string | null = null;
  if (kind === 'version') {
    await act(author, RESUBMIT, [solution, SOLUTION]);
    solution = await value('select id from solutions where revises = $1', [solution]);
  } else if (kind === 'report')
    trial = await value(
      `insert into solution_trials (solution_id, user_id, version, result, amputation_level, age_group, prosthesis_type, consent_basis, consent_version)
       values ($1, $2, 1, 'worked', $3, $4, $5, 'patient_written', '2026-11-01') returning id`,
      [solution, author, SOLUTION.amputation_level, SOLUTION.age_group, SOLUTION.prosthesis_type],
    );
  // The first is the one on the card.
  await attached(solution, trial, await upload(author), null);
  const picture = await attached(solution, trial, await upload(author), SEEN);
  if (!trial)
    await owner('insert into solution_sources (solution_id, source_id) values ($1, $2)', [solution, source]);
  return {
    table: trial ? 'solution_trials' : 'solutions',
    id: trial ?? solution,
    solution,
    trial,
    author,
    picture,
    source,
    other,
    upload: await upload(author),
  };
}

const RESUBMIT = "select resubmit_solution($1, $2, '[]', 'no_identifiable_person', '2026-11-01')";

/** What its author changes at the moment of the decision. */
const CHANGES: Record<string, (of: Waiting) => [string, unknown[]]> = {
  'adds a picture': ({ solution, trial, upload: url }) => [
    "insert into solution_media (solution_id, trial_id, media_url, compressed_url, thumbnail_url, media_type) values ($1, $2, $3, $3, $3, 'image')",
    [solution, trial, url],
  ],
  'describes a picture': ({ picture }) => [
    "update solution_media set description = 'Unseen' where id = $1",
    [picture],
  ],
  'removes a picture': ({ picture }) => ['delete from solution_media where id = $1', [picture]],
  'bases it on another': ({ solution, other }) => [
    'insert into solution_sources (solution_id, source_id, position) values ($1, $2, 1)',
    [solution, other],
  ],
  'bases it on the other instead': ({ solution, other }) => [
    'update solution_sources set source_id = $2 where solution_id = $1',
    [solution, other],
  ],
  'bases it on no other': ({ solution }) => [
    'delete from solution_sources where solution_id = $1',
    [solution],
  ],
  'states another consent': ({ solution }) => [
    "update solution_consents set basis = 'guardian_written', recorded_by = auth.uid() where solution_id = $1",
    [solution],
  ],
  'sends it again': ({ solution }) => [
    RESUBMIT,
    [solution, { ...SOLUTION, title: 'A title that no moderator saw' }],
  ],
};

/** What readers see of it. */
const CONTENT = {
  solutions: 'select private.solution_content(s) as content from solutions s where s.id = $1',
  solution_trials: 'select private.trial_content(t) as content from solution_trials t where t.id = $1',
};
const contentOf = ({ table }: Waiting, id: string) => value<unknown>(CONTENT[table], [id]);

describe.each(['solution', 'version', 'report'] as const)('a %s that is approved', (kind) => {
  const changes = Object.entries(CHANGES).filter(([name]) => kind !== 'report' || name.endsWith('a picture'));
  /** What readers get of it: that of the solution that a version was of. */
  const published = async (of: Waiting, revised: string | null) => ({
    content: await contentOf(of, revised ?? of.id),
    version: await value<unknown>(
      'select content from solution_versions where solution_id = $1 order by version desc limit 1',
      [revised ?? of.solution],
    ),
  });
  /** The approval of the version that the moderator saw, as their page sends it. */
  const approval = async (of: Waiting): Promise<[string, unknown[]]> => [
    `update ${of.table} set status = 'approved' where id = $1 and updated_at = $2`,
    [of.id, await value(`select updated_at::text from ${of.table} where id = $1`, [of.id])],
  ];
  const revisedBy = async ({ solution }: Waiting) =>
    kind === 'version' ? await value('select revises as id from solutions where id = $1', [solution]) : null;

  it.each(changes)('while its author %s: is what was seen, or waits', async (name, sql) => {
    const random = seededRandom(name.length);
    for (let race = 0; race < 6; race++) {
      const of = await waiting(kind);
      const revised = await revisedBy(of);
      const [decision, change] = [await approval(of), sql(of)];
      const seen = await contentOf(of, of.id);
      let answers: (number | string)[];
      if (race % 2 === 0) {
        // The decision is made and not at its end yet, when the change arrives and waits for it, or is refused at once.
        let changing: Promise<number | string> = Promise.resolve(0);
        const decided = await act(people.moderator, ...decision, async () => {
          let over = false;
          changing = act(of.author, ...change).finally(() => {
            over = true;
          });
          await expect.poll(async () => over || (await owner(LOCKED)).length > 0, { interval: 5 }).toBe(true);
        });
        answers = [decided, await changing];
      } else {
        const late = random(5);
        answers = await Promise.all([
          act(people.moderator, ...decision),
          pause(late).then(() => act(of.author, ...change)),
        ]);
      }
      const [decided = '', changed = ''] = answers;
      if (decided === 1 && changed === 1 && name === 'removes a picture') {
        expect(JSON.stringify(await published(of, revised))).not.toContain(SEEN);
        continue;
      }
      // What is sent again waits as a new version.
      if (!(decided === 1 && changed === 1 && name === 'sends it again'))
        expect(
          [decided, changed].filter((answer) => answer === 1),
          `${decided} ${changed}`,
        ).toHaveLength(1);
      if (decided !== 1) continue;
      const { content, version } = await published(of, revised);
      expect(content).toEqual(seen);
      if (kind !== 'report') expect(version).toEqual(seen);
    }
  });
});
