import { beforeEach, expect, it } from 'vitest';
import { type Member, openDatabase, people } from '../fixtures.ts';

const world = openDatabase();
const { as, ask, insert, owner, value, solution, topic, post, approve, reject } = world;

const name = (on: boolean) => as('admin', 'update site_settings set names_moderators = $1', [on]);
const { moderator, author } = people;

/** All that a moderator can decide on, once, so that the author and a colleague hear of each. */
async function decideOnAll() {
  const [approved, rejected] = [await solution('pending'), await solution('pending')];
  const registration = await value(
    "insert into member_registrations (user_id, register, number) values ($1, 'HCPC', 'PO31415') returning id",
    [author],
  );
  const suggestion = await value(
    `insert into resource_suggestions (user_id, resource_name, resource_url, description, category)
     values ($1, 'ISPO', 'https://www.ispoint.org/', 'The international society.', 'Professional Organizations') returning id`,
    [author],
  );
  const discussed = await topic('colleague');
  const reply = await post(discussed, 'author');
  const reports = [];
  for (const reason of ['Rude', 'Off topic'])
    reports.push(
      await value(
        'insert into content_reports (reporter_id, content_type, content_id, reason) values ($1, $2, $3, $4) returning id',
        [author, reason === 'Rude' ? 'topic' : 'post', reason === 'Rude' ? discussed : reply, reason],
      ),
    );
  const held = await value(
    "insert into held_posts (user_id, topic_id, content) values ($1, $2, 'My first') returning id",
    [author, discussed],
  );
  const collection = await value(
    "insert into collections (user_id, title, is_shared) values ($1, 'Straps', true) returning id",
    [author],
  );
  const trial = await value(
    `insert into solution_trials (solution_id, version, user_id, result, amputation_level, age_group, prosthesis_type)
     values ($1, 1, $2, 'worked', 'Partial Foot', 'Adults', 'Passive') returning id`,
    [await solution('approved', 'colleague'), author],
  );
  const done = [
    await approve(approved),
    await reject(rejected),
    await insert('moderator', 'safety_notices', {
      solution_id: approved,
      user_id: moderator,
      kind: 'caution',
      content: 'The pin shears.',
    }),
    await insert('moderator', 'safety_notices', {
      solution_id: approved,
      user_id: moderator,
      kind: 'recall',
      content: 'The pin shears off.',
    }),
    await as(
      'moderator',
      `update member_registrations set state = 'checked', checklist = '{"name": true, "number": true, "current": true}' where id = $1`,
      [registration],
    ),
    await as('moderator', "update resource_suggestions set status = 'approved' where id = $1", [suggestion]),
    await as(
      'moderator',
      "update content_reports set status = 'resolved', admin_response = 'Thank you' where id = $1",
      [reports[0]],
    ),
    await as('moderator', "update content_reports set status = 'dismissed' where id = $1", [reports[1]]),
    await as('moderator', 'select decide_held_post($1, true, 1)', [held]),
    await as('moderator', "select stop_sharing($1, 'Names a patient')", [collection]),
    await as('moderator', "update solution_trials set status = 'approved', checklist = '{}' where id = $1", [
      trial,
    ]),
    await insert('moderator', 'notifications', {
      user_id: author,
      actor_id: moderator,
      type: 'content_deleted',
      forum_topic_id: discussed,
    }),
  ];
  expect(done).toEqual(done.map(() => expect.objectContaining({ rowCount: 1 })));
  return approved;
}

/** Everything of the API that this member can read, and what mails would tell. */
async function seenBy(member: Member) {
  const tables = await world.column<string>(
    `select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
       and has_table_privilege('authenticated', c.oid, 'select') order by 1`,
  );
  const seen: Record<string, string> = {};
  // Who moderates is not what they decided on, and a profile is its member's own.
  for (const table of tables.filter(
    (one) => !['profiles', 'public_profiles', 'user_roles', 'public_members'].includes(one),
  ))
    seen[table] = JSON.stringify((await as(member, `select * from ${table}`)).rows);
  seen.export = JSON.stringify(await ask(member, 'export_account'));
  seen.mail = JSON.stringify(
    await owner('select notice from private.mail_jobs where user_id = $1', [people[member]]),
  );
  return seen;
}
const naming = (seen: Record<string, string>) =>
  Object.entries(seen)
    .filter(([, text]) => text.includes(moderator) || text.includes('mona'))
    .map(([where]) => where);

beforeEach(() => owner('update profiles set email_notifications = true where id = $1', [author]));

it('names the moderator to authors, as long as the site does', async () => {
  const decided = await decideOnAll();
  expect(naming(await seenBy('author'))).toEqual(
    expect.arrayContaining([
      'content_reports',
      'mail',
      'member_registrations',
      'messages',
      'notifications',
      'safety_notices',
      'solution_reviews',
    ]),
  );
  expect((await as('author', 'select reviewer from review_history($1)', [decided])).rows).toEqual([
    { reviewer: 'Dr author' },
    { reviewer: 'Dr mona' },
  ]);
});

it.each([
  [
    'before the decisions',
    async () => {
      await name(false);
      return decideOnAll();
    },
  ],
  [
    'after them',
    async () => {
      const decided = await decideOnAll();
      await name(false);
      return decided;
    },
  ],
] as const)(
  'names none when that is turned off %s, in no row, mail or export, and says all else',
  async (_when, act) => {
    const decided = await act();
    expect(naming(await seenBy('author'))).toEqual([]);
    expect(naming(await seenBy('colleague'))).toEqual([]);
    expect((await world.noticesOf('author')).toSorted()).toEqual([
      'badge_earned',
      'collection_unshared',
      'content_deleted',
      'post_published',
      'registration_checked',
      'report_dismissed',
      'report_resolved',
      'safety_notice',
      'solution_approved',
      'solution_rejected',
      'suggestion_approved',
      'trial_approved',
    ]);
    const history = 'select decision, reviewer from review_history($1)';
    expect((await as('author', history, [decided])).rows).toEqual([
      { decision: 'submitted', reviewer: 'Dr author' },
      { decision: 'approved', reviewer: null },
    ]);
    expect((await as('colleague', history, [decided])).rows).toEqual([]);
    expect((await as('moderator2', history, [decided])).rows).toMatchObject([{}, { reviewer: 'Dr mona' }]);
    const acts = await as<{ action: string }>(
      'admin',
      'select action from audit_events where actor_id = $1',
      [moderator],
    );
    expect(acts.rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'solution_approved',
        'report_resolved',
        'registration_checked',
        'safety_notice_written',
      ]),
    );
  },
);

it('keeps the names of members, of an author’s own warning and of what a moderator writes themselves', async () => {
  await name(false);
  const id = await solution();
  await as('colleague', 'insert into likes (solution_id) values ($1)', [id]);
  await insert('author', 'safety_notices', {
    solution_id: id,
    user_id: author,
    kind: 'caution',
    content: 'The pin shears.',
  });
  await insert('moderator', 'messages', {
    sender_id: moderator,
    recipient_id: author,
    content: 'May I ask?',
  });
  expect(await owner('select user_id from safety_notices')).toEqual([{ user_id: author }]);
  expect(
    await owner('select type, actor_id from notifications where user_id = $1 order by type', [author]),
  ).toEqual([
    { type: 'badge_earned', actor_id: null },
    { type: 'like', actor_id: people.colleague },
    { type: 'message', actor_id: moderator },
  ]);
  expect(await owner("select actor_id from notifications where type = 'safety_notice'")).toEqual([
    { actor_id: author },
  ]);
  // Nor may a member leave out their name where a moderator's would be.
  expect(
    await insert('colleague', 'safety_notices', { solution_id: id, kind: 'recall', content: 'No' }),
  ).toMatchObject({
    code: '42501',
  });
});

it('is an admin’s to decide', async () => {
  expect(await as('moderator', 'update site_settings set names_moderators = false')).toMatchObject({
    rowCount: 0,
  });
  expect(await name(false)).toMatchObject({ rowCount: 1 });
});
