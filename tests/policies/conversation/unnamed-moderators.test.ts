import { beforeEach, expect, it } from 'vitest';
import { type Actor, type Member, openDatabase, people } from '../fixtures.ts';

const world = openDatabase();
const { as, ask, insert, owner, value, solution, topic, post, approve, reject, published, resubmit, upload } =
  world;

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
  const summarised = await topic('colleague');
  const replies = [
    await post(summarised, 'author'),
    await post(summarised, 'author'),
    await post(summarised, 'author'),
  ];
  await owner(
    `update forum_posts set images = '[{"media_url": "/full.webp"}]', image_consent = 'patient_written' where id = any ($1)`,
    [replies],
  );
  await as('colleague', 'select mark_answer($1, $2)', [summarised, replies[0]]);
  const pictured = await solution();
  const pictures = [
    await world.picture(pictured, await upload()),
    await world.picture(pictured, await upload()),
  ];
  const requests: string[] = [];
  for (const picture of pictures)
    requests.push(
      await value(
        `insert into removal_requests (tracking_id, solution_id, media_ids, asker)
         values (gen_random_uuid(), $1, array[$2::uuid], 'patient') returning id`,
        [pictured, picture],
      ),
    );
  const of = await published({ licence: 'CC BY 4.0' }, { actor: 'colleague' });
  const translations: string[] = [];
  for (const language of ['es', 'fr', 'it'])
    translations.push(
      await value(
        `insert into solution_translations (solution_id, version, language, user_id, texts)
         values ($1, 1, $2, $3, '{"title": "Casquillo", "description": "Un casquillo de dos piezas."}') returning id`,
        [of, language, author],
      ),
    );
  const decideTranslation = (at: number, change: string) =>
    as('moderator', `update solution_translations set ${change} where id = $1`, [translations[at]]);
  const revised = await published();
  await resubmit(revised, { title: 'A grip for the violin bow, again' });
  const removeRequest = (at: number, status: string, actor: Actor = 'moderator') =>
    as(actor, 'update removal_requests set status = $2, answer = $3 where id = $1', [
      requests[at],
      status,
      status === 'kept' ? 'Nobody can be recognised.' : null,
    ]);
  const done = [
    await as('moderator', "select summarise_topic($1, 'A suction liner helps.', 'en')", [summarised]),
    await as('moderator', 'select decide_images($1, false)', [replies[0]]),
    await as('moderator', 'select mark_answer($1)', [summarised]),
    await report('moderator2', replies[1]),
    await report('admin', replies[1]),
    await as('moderator', 'select decide_images($1, true, now())', [replies[1]]),
    await removeRequest(0, 'hidden'),
    await removeRequest(0, 'removed'),
    await removeRequest(1, 'hidden', 'moderator2'),
    await removeRequest(1, 'kept'),
    await decideTranslation(0, "status = 'approved'"),
    await decideTranslation(1, "status = 'rejected', rejection_reason = 'A machine wrote it.'"),
    await as(
      'moderator',
      "insert into part_notices (maker, part_number, kind, content) values ('Ottobock', '4R54', 'caution', 'It shears.')",
    ),
    await as('moderator', 'update part_notices set ended_at = now()'),
    await as('moderator', 'update forum_topics set is_pinned = true where id = $1', [summarised]),
    await insert('moderator', 'staff_notes', { about_id: author, content: 'Asked twice' }),
    await as('moderator', 'delete from staff_notes'),
    await approve(revised),
    await as(
      'moderator',
      'update solution_versions set content = null where solution_id = $1 and version = 1',
      [revised],
    ),
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
const report = (actor: Member, id: unknown) =>
  insert(actor, 'content_reports', {
    reporter_id: people[actor],
    content_type: 'post',
    content_id: id,
    reason: 'The face can be seen',
    shows_patient: true,
  });

/** Everything of the API that this member can read, and what mails would tell. */
async function seenBy(member: Member) {
  const tables = await world.column<string>(
    `select format('select %s from %I', string_agg(quote_ident(a.attname), ', '), c.relname)
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
       and has_column_privilege('authenticated', c.oid, a.attnum, 'select') group by c.relname order by c.relname`,
  );
  const seen: Record<string, string> = {};
  // Who moderates is not what they decided on, and a profile is its member's own.
  const own = ['profiles', 'public_profiles', 'user_roles', 'public_members'];
  for (const select of tables) {
    const table = select.replace(/.* from /, '');
    const { rows, code } = await as(member, select);
    expect(code, select).toBeUndefined();
    if (!own.includes(table)) seen[table] = JSON.stringify(rows);
  }
  for (const id of await world.column('select id from forum_topics'))
    seen.topic = `${seen.topic} ${JSON.stringify(await ask(member, 'forum_topic', [id]))}`;
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

beforeEach(() =>
  owner("update profiles set email_notifications = id = $1, registration_level = 'checked'", [author]),
);

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
    // They hear of all that they would hear of, and a rejection comes by the same way as its approval.
    const told = [...(await world.noticesOf('author')), ...(await world.noticesOf('colleague'))];
    const ofModerators = await world.column<string>(
      'select type from private.notice_types where by_moderator order by type',
    );
    expect(ofModerators.filter((type) => !told.includes(type))).toEqual([
      'part_notice',
      'registration_declined',
      'suggestion_rejected',
      'trial_rejected',
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

it('knows of each kind of notice, each act and each column whether a moderator stands behind it', async () => {
  // What members do, and the site itself.
  expect(
    await world.column('select type from private.notice_types where not by_moderator order by type'),
  ).toEqual([
    'adaptation',
    'answer_marked',
    'badge_earned',
    'comment',
    'comment_reply',
    'forum_reply',
    'licence_missing',
    'like',
    'message',
    'registration_lapsed',
    'removal_request',
    'sanction',
    'solution_translated',
    'still_in_use',
    'trial_answered',
    'trial_received',
  ]);
  await decideOnAll();
  // After a removal no row is left that could name anyone, a refusal is written where its approval is, and the others are about a person,
  // who may ask the one who decided, and not about what they sent.
  expect(
    await world.column(
      'select action from private.audited_acts where action not in (select action from audit_events) order by action',
    ),
  ).toEqual([
    'account_deleted',
    'account_disabled',
    'account_enabled',
    'comment_deleted',
    'held_post_removed',
    'invitation_withdrawn',
    'member_banned',
    'member_invited',
    'member_suspended',
    'member_warned',
    'post_deleted',
    'register_added',
    'register_changed',
    'registration_declined',
    'reported_message_read',
    'resource_rejected',
    'role_granted',
    'role_removed',
    'safety_notice_withdrawn',
    'sanction_lifted',
    'second_step_removed',
    'setting_changed',
    'solution_deleted',
    'topic_deleted',
    'topic_summary_removed',
    'translation_deleted',
    'trial_answer_removed',
    'trial_deleted',
    'trial_rejected',
  ]);
  // What these acts leave in every other column is looked for above. In these stand members themselves, what staff alone read, and who
  // has sanctioned a member.
  expect(
    await world.column(
      `select format('%s.%s', c.relname, a.attname)
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.atttypid = 'uuid'::regtype
         and has_column_privilege('authenticated', c.oid, a.attnum, 'select') and a.attname <> 'user_id'
         and (a.attname ~ '_by$' or exists (
           select from pg_constraint f
           where f.conrelid = c.oid and f.confrelid = 'public.profiles'::regclass and f.conkey = array[a.attnum]
         ))
         and (xpath('//n/text()', query_to_xml(
           format('select count(*) as n from public.%I where %I = %L', c.relname, a.attname, $1::text), true, false, ''
         )))[1]::text = '0'
       order by 1`,
      [moderator],
    ),
  ).toEqual([
    'content_reports.reporter_id',
    'follows.member_id',
    'member_blocks.blocked_id',
    'member_blocks.blocker_id',
    'messages.recipient_id',
    'review_claims.moderator_id',
    'sanctions.created_by',
    'sanctions.lifted_by',
    'solution_consents.recorded_by',
    'staff_notes.about_id',
    'staff_notes.created_by',
  ]);
});

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
