import { describe, expect, it } from 'vitest';
import { reportedKinds, waitingKinds } from '#app/kinds.ts';
import { SOLUTION } from '../solution.ts';
import { removalRequest } from './access/scene.ts';
import { type Actor, type Member, openDatabase, people } from './fixtures.ts';

const world = openDatabase();
const { as, ask, owner, column, value, insert, approve, backdate } = world;
const { comment, message, post, solution, topic, upload } = world;

const report = (kind: string, id: string, by: Member = 'author') =>
  value(
    "insert into content_reports (content_type, content_id, reason, reporter_id) values ($1, $2, 'Rude', $3) returning id",
    [kind, id, people[by]],
  );
const close = (actor: Actor, id: string, response: string | null = 'Thank you, it is gone.') =>
  as(actor, 'update content_reports set status = $2, admin_response = $3 where id = $1', [
    id,
    response ? 'resolved' : 'dismissed',
    response,
  ]);

describe('a reported message', () => {
  const read = (id: string) => ask('moderator', 'read_reported_message', [id]);

  it('is read by moderators through its report alone, and each reading is in the log', async () => {
    const about = await message();
    const id = await report('message', about);
    expect(await read(id)).toMatchObject({
      content: 'Could you share the drawing?',
      sender: 'Dr colleague',
    });
    expect(await owner('select actor_id, action, target_id, after from audit_events')).toEqual([
      {
        actor_id: people.moderator,
        action: 'reported_message_read',
        target_id: about,
        after: { report: id },
      },
    ]);
  });

  it('stays closed to others, without a report, and once the report is closed', async () => {
    const about = await message();
    const id = await report('message', about);
    for (const actor of ['author', 'colleague'] as const)
      await expect(ask(actor, 'read_reported_message', [id])).rejects.toThrow();
    for (const other of [about, await report('topic', await topic())]) expect(await read(other)).toBeNull();
    await close('moderator', id, null);
    expect(await read(id)).toBeNull();
    expect(await owner("select from audit_events where action = 'reported_message_read'")).toEqual([]);
  });
});

describe('a response to a report', () => {
  const received = () =>
    owner("select sender_id, recipient_id, content from messages where subject like 'About your report: %'");

  it('reaches the reporter as a message, also one who allows none', async () => {
    await owner('update profiles set allow_messages = false where id = $1', [people.author]);
    await close('moderator', await report('topic', await topic('colleague')));
    expect(await received()).toEqual([
      { sender_id: people.moderator, recipient_id: people.author, content: 'Thank you, it is gone.' },
    ]);
  });

  it('is not sent for a dismissal, nor to oneself', async () => {
    await close('moderator', await report('topic', await topic('colleague')), null);
    await close('moderator', await report('topic', await topic('colleague'), 'moderator'));
    expect(await received()).toEqual([]);
  });

  it('names what was reported, and what is no more by what the reporter wrote of it', async () => {
    const about = await topic('colleague');
    const gone = await post(about);
    const [first, second] = [await report('topic', about), await report('post', gone)];
    await owner('delete from forum_posts where id = $1', [gone]);
    await close('moderator', first);
    await close('moderator', second);
    expect(await owner('select subject from messages order by subject')).toEqual([
      { subject: 'About your report: Rude' },
      { subject: 'About your report: Suspension for short residual limbs' },
    ]);
  });

  it('closes all reports of one thing at once, and only once', async () => {
    const about = await post(await topic());
    await report('post', about);
    await report('post', about, 'admin');
    const closeAll = (actor: Actor) =>
      as(
        actor,
        "update content_reports set status = 'resolved', admin_response = 'Removed' where content_type = 'post' and content_id = $1 and status = 'pending'",
        [about],
      );
    expect((await closeAll('colleague')).rowCount).toBe(0);
    expect((await closeAll('moderator')).rowCount).toBe(2);
    expect((await closeAll('moderator2')).rowCount).toBe(0);
    expect(await received()).toHaveLength(2);
  });
});

describe('a sanction', () => {
  const sanction = (
    by: Actor,
    kind: string,
    of: Member = 'colleague',
    until: string | null = kind === 'suspension' ? 'tomorrow' : null,
  ) => insert(by, 'sanctions', { user_id: people[of], kind, reason: 'Advertising again', until });
  const lift = (by: Actor) => as(by, 'update sanctions set lifted_at = $1', ['2000-01-01']);

  it('is never of oneself; a suspension ends in the future, and nothing else has an end', async () => {
    expect((await sanction('admin', 'warning', 'moderator2')).rowCount).toBe(1);
    expect((await sanction('moderator', 'warning', 'moderator2')).code).toBe('42501');
    expect((await sanction('moderator', 'warning', 'colleague', 'tomorrow')).message).toContain(
      'A suspension says until when',
    );
    for (const until of ['yesterday', '2099-01-01'])
      expect((await sanction('moderator', 'suspension', 'author', until)).message).toContain(
        'A suspension ends in the future, within a year',
      );
  });

  it('is told by a message, and kept in the log', async () => {
    await sanction('moderator', 'suspension');
    expect(
      await owner('select subject, content from messages where recipient_id = $1', [people.colleague]),
    ).toEqual([
      {
        subject: expect.stringMatching(/^You are suspended until \d+ \w+ \d{4}$/),
        content: 'Advertising again',
      },
    ]);
    expect(await owner('select actor_id, action, target_id from audit_events')).toEqual([
      { actor_id: people.moderator, action: 'member_suspended', target_id: people.colleague },
    ]);
  });

  it('warns by a notification of its own, and its end by an ordinary one', async () => {
    await sanction('moderator', 'warning');
    await lift('moderator');
    expect(
      await world.column('select type from notifications where message_id is not null order by type'),
    ).toEqual(['message', 'sanction']);
  });

  it('of the right kind says why a member can no longer write, until it is lifted', async () => {
    const attempt = async () => {
      await owner('savepoint before');
      const outcome = await insert('colleague', 'forum_topics', { title: 'Hello' });
      await owner('rollback to savepoint before');
      return outcome;
    };
    await sanction('moderator', 'warning');
    expect((await attempt()).rowCount).toBe(1);
    await sanction('moderator', 'suspension');
    expect((await attempt()).message).toMatch(/^You are suspended until/);
    await lift('moderator2');
    expect((await attempt()).rowCount).toBe(1);
    await sanction('admin', 'ban');
    expect(await attempt()).toMatchObject({ code: '42501', message: 'You are banned from taking part' });
    expect((await lift('moderator')).rowCount).toBe(0);
    expect((await lift('admin')).rowCount).toBe(1);
    expect((await attempt()).rowCount).toBe(1);
  });

  it('can be answered, ends by itself, and is lifted by others with the server’s stamp', async () => {
    await sanction('moderator', 'suspension');
    const answer = (to: string) =>
      insert('colleague', 'messages', { recipient_id: to, content: 'A mistake' });
    expect((await answer(people.moderator)).rowCount).toBe(1);
    expect((await answer(people.moderator2)).code).toBe('42501');
    expect((await lift('colleague')).rowCount).toBe(0);
    await owner(
      "update sanctions set created_at = now() - interval '2 days', until = now() - interval '1 minute'",
    );
    expect((await answer(people.moderator2)).rowCount).toBe(1);
    const unread = () =>
      world.column(
        "select m.subject from notifications n join messages m on m.id = n.message_id where n.type = 'sanction' and not n.is_read",
      );
    expect(await unread()).toEqual([expect.stringMatching(/^You are suspended/)]);
    expect((await lift('moderator2')).rowCount).toBe(1);
    expect(await unread()).toEqual([]);
    expect(await owner("select lifted_by, lifted_at > '2020-01-01' as now from sanctions")).toEqual([
      { lifted_by: people.moderator2, now: true },
    ]);
    expect((await lift('moderator2')).rowCount).toBe(0);
  });
});

const suggestion = () =>
  value(
    `insert into resource_suggestions (user_id, resource_name, resource_url, description, category)
     values ($1, 'ISPO', 'https://www.ispoint.org', 'The international society.', 'Professional Organizations') returning id`,
    [people.author],
  );

describe('the kinds', () => {
  const listed = (constraint: string) =>
    column(
      `select m[1] from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''', 'g') m
       where conname = $1 order by 1`,
      [constraint],
    );

  it('that wait and that can be reported are the same for the site and the database', async () => {
    expect(await listed('review_claims_kind_check')).toEqual([...waitingKinds.keys()].toSorted());
    expect(await listed('content_reports_content_type_check')).toEqual([...reportedKinds.keys()].toSorted());
  });

  it('that wait have a review each', () => {
    const without = [...waitingKinds.values()].filter(({ review }) => !review).map(({ kind }) => kind);
    // A report is reviewed by the kind of what it is about.
    expect(without).toEqual(['report']);
  });
});

describe('the queue', () => {
  const queue = (actor: Actor) =>
    as<{ kind: string; title: string; sender: string }>(
      actor,
      'select kind, id, title, sender, claimed_by from review_queue order by due_at, kind',
    );
  const summary = (actor: Actor) => ask(actor, 'review_summary');

  it('holds what waits, of all kinds, first what is to be decided first', async () => {
    const id = await solution('pending');
    await solution('approved');
    const suggested = await suggestion();
    const reported = await report('topic', await topic('colleague'));
    // The time of a claim is the server's.
    await as(
      'moderator',
      "insert into review_claims (kind, item_id, claimed_at) values ('resource', $1, now() - interval '1 day')",
      [suggested],
    );
    expect((await queue('moderator2')).rows).toEqual([
      {
        kind: 'report',
        id: reported,
        title: 'Suspension for short residual limbs',
        sender: 'Dr author',
        claimed_by: null,
      },
      { kind: 'resource', id: suggested, title: 'ISPO', sender: 'Dr author', claimed_by: people.moderator },
      { kind: 'solution', id, title: SOLUTION.title, sender: 'Dr author', claimed_by: null },
    ]);
    expect(await summary('moderator')).toMatchObject({
      counts: { report: 1, resource: 1, solution: 1 },
      at_risk: [],
      first: { kind: 'report', id: reported },
    });
    const nothing = { counts: {}, at_risk: [], first: null };
    expect(await summary('author')).toEqual(nothing);
    await close('moderator', reported);
    await as('moderator', "update resource_suggestions set status = 'rejected'");
    await approve(id);
    expect((await queue('moderator')).rows).toEqual([]);
    expect(await summary('moderator')).toEqual(nothing);
  });

  it('has first where a patient may be recognised or harmed, also behind a hundred other reports', async () => {
    const about = await topic('colleague');
    await owner(
      `insert into content_reports (content_type, content_id, reason, reporter_id, created_at)
       select 'topic', $1, 'Rude', null, now() - interval '3 days' from generate_series(1, 100)`,
      [about],
    );
    const shown = await insert('author', 'content_reports', {
      reporter_id: people.author,
      content_type: 'solution',
      content_id: await solution('approved'),
      reason: 'A tattoo',
      shows_patient: true,
    });
    expect(shown.rowCount).toBe(1);
    await owner("update content_reports set created_at = now() - interval '2 hours' where shows_patient");
    const hurt = await insert('colleague', 'content_reports', {
      reporter_id: people.colleague,
      content_type: 'topic',
      content_id: about,
      reason: 'The wearer fell downstairs',
      tells_of_harm: true,
    });
    expect(hurt.rowCount).toBe(1);
    await owner("update content_reports set created_at = now() - interval '1 hour' where tells_of_harm");
    await owner(removalRequest('received', await solution('approved')));
    const { rows } = await as(
      'moderator',
      'select kind, at_risk, tells_of_harm from review_queue order by at_risk desc, due_at limit 4',
    );
    expect(rows).toEqual([
      { kind: 'report', at_risk: true, tells_of_harm: false },
      { kind: 'report', at_risk: true, tells_of_harm: true },
      { kind: 'removal_request', at_risk: true, tells_of_harm: false },
      { kind: 'report', at_risk: false, tells_of_harm: false },
    ]);
    expect(await summary('moderator')).toMatchObject({
      counts: { report: 102, removal_request: 1 },
      at_risk: [{ kind: 'report' }, { kind: 'report' }, { kind: 'removal_request' }],
      first: { kind: 'report' },
    });
  });

  it('counts the notes of colleagues on an item, on a new version those on its solution', async () => {
    const id = await solution('pending');
    const note = (subject: Record<string, string>) =>
      insert('moderator2', 'staff_notes', { ...subject, content: 'Asked for the torque.' });
    const reported = await report('topic', await topic('colleague'));
    await note({ solution_id: id });
    await note({ solution_id: id });
    await note({ content_report_id: reported });
    // One on the member is on none of what they sent.
    await note({ about_id: people.author });
    const { rows } = await as('moderator', 'select id, notes from review_queue order by kind');
    expect(rows).toEqual([
      { id: reported, notes: 1 },
      { id, notes: 2 },
    ]);
  });

  it('tells moderators who decided what on an item that is no longer in it', async () => {
    const outcome = (actor: Actor, item: string) => ask(actor, 'review_outcome', [item]);
    const id = await solution('pending');
    expect(await outcome('moderator', id)).toBeNull();
    await as('moderator2', "update solutions set status = 'approved' where id = $1", [id]);
    const reported = await report('topic', await topic('colleague'));
    await close('moderator', reported, null);
    expect(await outcome('moderator', id)).toMatchObject({
      action: 'solution_approved',
      by: 'Dr milo',
      mine: false,
    });
    expect(await outcome('moderator', reported)).toMatchObject({ action: 'report_dismissed', mine: true });
    await owner("insert into member_registrations (user_id, register, number) values ($1, 'HCPC', 'PO1')", [
      people.author,
    ]);
    const registration = await value('select id from member_registrations');
    await as(
      'moderator',
      "update member_registrations set state = 'declined', decline_reason = 'Another name' where id = $1",
      [registration],
    );
    expect(await outcome('moderator2', registration)).toMatchObject({ action: 'registration_declined' });
    for (const actor of ['author', 'colleague'] as const) expect(await outcome(actor, id)).toBeNull();
  });

  it('counts what waits of each kind, until it is decided on or gone', async () => {
    const id = await solution('approved');
    const counts = async () => (await ask<{ counts: unknown }>('moderator', 'review_summary')).counts;
    const trial = () =>
      owner(
        `insert into solution_trials (solution_id, version, user_id, status, result, amputation_level, age_group, prosthesis_type)
         values ($1, 1, $2, 'pending', 'worked', 'Transtibial (Below Knee)', 'Adults', 'Passive')`,
        [id, people.colleague],
      );
    const registration = () =>
      owner("insert into member_registrations (user_id, register, number) values ($1, 'HCPC', 'PO1')", [
        people.author,
      ]);
    const all = { trial: 1, translation: 1, removal_request: 1, registration: 1 };
    const translation = () =>
      owner(
        `insert into solution_translations (solution_id, version, user_id, language, texts) values ($1, 1, $2, 'es', '{}')`,
        [id, people.colleague],
      );
    await trial();
    await translation();
    await registration();
    await owner(removalRequest('received', id));
    expect(await counts()).toEqual(all);
    await owner(
      `update solution_trials set status = 'approved';
       update member_registrations set state = 'lapsed', decided_at = now();
       update removal_requests set status = 'removed', resolved_at = now();
       delete from solution_trials; delete from solution_translations; delete from member_registrations; delete from removal_requests`,
    );
    expect(await counts()).toEqual({});
    await trial();
    await translation();
    await registration();
    await owner(removalRequest('received', id));
    const waiting = await solution('pending');
    await suggestion();
    await report('profile', people.colleague);
    expect(await counts()).toEqual({ ...all, solution: 1, resource: 1, report: 1 });
    await owner(
      `delete from solutions where id in ('${id}', '${waiting}');
       delete from member_registrations; delete from resource_suggestions; delete from content_reports`,
    );
    expect(await counts()).toEqual({});
  });

  it('names what was reported by its title, or that of what it stands in, and what is no more by its kind', async () => {
    const of = await solution();
    const inTopic = await post(await topic('colleague'));
    for (const [kind, id] of [
      ['solution', of],
      ['comment', await world.comment(of)],
      ['post', inTopic],
      ['profile', people.colleague],
    ] as const)
      await report(kind, id);
    await owner('delete from forum_posts where id = $1', [inTopic]);
    expect((await queue('moderator')).rows.map(({ title }) => title).toSorted()).toEqual([
      'Deleted post',
      'Dr colleague',
      SOLUTION.title,
      SOLUTION.title,
    ]);
  });
});

describe('the checklist of a review', () => {
  const answers = { recognisable_person: true, identifiers: true, consent: true, claims: false };
  const decide = (actor: Actor, id: string, what: unknown = answers) =>
    as(actor, "update solutions set status = 'approved', checklist = $2 where id = $1", [
      id,
      JSON.stringify(what),
    ]);
  it('is kept with the decision of whoever checked, and in the log', async () => {
    const id = await solution('pending');
    expect((await decide('moderator2', id)).rowCount).toBe(1);
    expect(
      await owner('select reviewer_id, checklist from solution_reviews where decision = $1', ['approved']),
    ).toEqual([{ reviewer_id: people.moderator2, checklist: answers }]);
    expect(await owner("select after -> 'checklist' as kept from audit_events")).toEqual([{ kept: answers }]);
    expect(await owner('select checklist from solutions where id = $1', [id])).toEqual([{ checklist: null }]);
  });

  it('holds answers to its own questions', async () => {
    const id = await solution('pending');
    for (const wrong of [{ price: true }, { consent: 'yes' }, ['consent'], 'consent', null])
      expect((await decide('moderator', id, wrong)).code).toMatch(/^23/);
    expect((await decide('moderator', id)).rowCount).toBe(1);
  });

  it('comes with a decision alone', async () => {
    await solution('pending');
    await expect(owner("update solutions set checklist = '{}'")).rejects.toThrow(
      'Only a decision has a checklist',
    );
  });
});

describe('a version that was sent again', () => {
  const replaced = (actor: Actor) =>
    as<{ replaced: { title: string; media: unknown[] } }>(
      actor,
      "select replaced from solution_reviews where decision = 'resubmitted'",
    );
  const edit = (id: string) =>
    as('author', "update solutions set title = 'A better socket for a violin bow' where id = $1", [id]);

  it('is in its history, whichever of its columns was edited', async () => {
    const id = await solution('rejected');
    await as('author', "update solutions set custom_tags = '{bow}' where id = $1", [id]);
    expect((await replaced('moderator')).rowCount).toBe(1);
  });

  it('says what stood there before, until it is decided on', async () => {
    const id = await solution('rejected');
    await world.attach('author', id, await upload());
    expect((await edit(id)).rowCount).toBe(1);
    const original = {
      title: 'Printed socket for a violin bow',
      materials: ['3D-Printed PLA', 'Silicone'],
      media: [{ id: expect.any(String), description: null }],
    };
    for (const actor of ['author', 'moderator'] as const)
      expect((await replaced(actor)).rows[0]?.replaced).toMatchObject(original);
    expect((await replaced('colleague')).rows).toEqual([]);
    await approve(id);
    expect((await replaced('author')).rows).toEqual([{ replaced: null }]);
  });

  it('is known by its time, which moves with its media too while it waits', async () => {
    const id = await solution('pending');
    const stamp = () => value<Date>('select updated_at from solutions where id = $1', [id]);
    await backdate(
      'solutions',
      "created_at = now() - interval '1 day', updated_at = now() - interval '1 day'",
    );
    const before = await stamp();
    await owner('update solutions set likes_count = 1 where id = $1', [id]);
    expect(await stamp()).toEqual(before);
    await world.attach('author', id, await upload());
    expect(await stamp()).not.toEqual(before);
  });
});

describe('reports of what hung below deleted content', () => {
  it('are closed with it, and name no one who does not moderate', async () => {
    const discussed = await topic('author');
    const reply = await post(discussed);
    const about = await solution();
    const remark = await comment(about);
    const other = await comment(await solution());
    const report = (content_type: string, content_id: unknown) =>
      insert('moderator2', 'content_reports', {
        reporter_id: people.moderator2,
        content_type,
        content_id,
        reason: 'Rude',
      });
    for (const [kind, id] of [
      ['post', reply],
      ['comment', remark],
      ['comment', other],
    ])
      expect((await report(kind ?? '', id)).rowCount).toBe(1);
    await as('moderator', 'delete from forum_topics where id = $1', [discussed]);
    await as('author', 'delete from solutions where id = $1', [about]);
    // One that is deleted by itself is for a moderator to close, with an answer.
    await as('colleague', 'delete from comments where id = $1', [other]);
    expect(
      await owner(
        'select content_id, status, resolved_by from content_reports order by array_position($1, content_id)',
        [[reply, remark, other]],
      ),
    ).toEqual([
      { content_id: reply, status: 'resolved', resolved_by: people.moderator },
      { content_id: remark, status: 'resolved', resolved_by: null },
      { content_id: other, status: 'pending', resolved_by: null },
    ]);
    expect(
      await owner(
        "select actor_id from notifications where type = 'report_resolved' order by actor_id nulls last",
      ),
    ).toEqual([{ actor_id: people.moderator }, { actor_id: null }]);
  });

  it('are told once of one event, on the site and by mail', async () => {
    const discussed = await topic('author');
    for (const reply of [await post(discussed), await post(discussed)])
      await report('post', reply, 'moderator2');
    await owner('update profiles set email_notifications = true where id = $1', [people.moderator2]);
    await as('moderator', 'delete from forum_topics where id = $1', [discussed]);
    expect(await owner('select status from content_reports')).toEqual([
      { status: 'resolved' },
      { status: 'resolved' },
    ]);
    expect(
      await owner(
        `select private.is_notification_current(n, n.id) as current from notifications n where n.user_id = $1`,
        [people.moderator2],
      ),
    ).toEqual([{ current: true }]);
  });
});

describe('a claim of a review', () => {
  const claim = async (actor: Actor, id: string, kind = 'solution') => {
    const outcome = await as<{ held: { name: string } | null }>(
      actor,
      'select claim_review($1, $2) as held',
      [kind, id],
    );
    return outcome.code ?? outcome.rows[0]?.held?.name ?? 'mine';
  };

  it('ends when who has it moderates no more', async () => {
    const id = await solution('pending');
    expect(await claim('moderator', id)).toBe('mine');
    await as('moderator', "delete from user_roles where role = 'moderator' and user_id = $1", [
      people.moderator,
    ]);
    expect(await owner('select from review_claims')).toEqual([]);
    expect(await claim('moderator2', id)).toBe('mine');
  });

  it('is the first moderator’s, who can renew it and give it up', async () => {
    const id = await solution('pending');
    expect(await claim('moderator', id)).toBe('mine');
    expect(await claim('moderator2', id)).toBe('Dr mona');
    expect(await claim('moderator', id)).toBe('mine');
    expect((await as('moderator2', 'delete from review_claims')).rowCount).toBe(0);
    expect((await as('moderator', 'delete from review_claims')).rowCount).toBe(1);
    expect(await claim('moderator2', id)).toBe('mine');
  });

  it('can be taken over after 15 minutes, not before, and never for someone else', async () => {
    const id = await solution('pending');
    await claim('moderator', id);
    const reassign = (whose: string) =>
      as('moderator2', 'update review_claims set moderator_id = $1', [whose]);
    expect((await reassign(people.moderator2)).rowCount).toBe(0);
    await backdate('review_claims', "claimed_at = now() - interval '16 minutes'");
    expect((await reassign(people.admin)).code).toBe('42501');
    expect(await claim('moderator2', id)).toBe('mine');
    expect(await claim('moderator', id)).toBe('Dr milo');
  });

  it('ends when what was claimed is decided on or gone', async () => {
    const [decided, deleted] = [await solution('pending'), await solution('pending')];
    const suggested = await suggestion();
    const reported = await report('topic', await topic('colleague'));
    for (const id of [decided, deleted]) await claim('moderator', id);
    expect(await claim('moderator', suggested, 'resource')).toBe('mine');
    expect(await claim('moderator', reported, 'report')).toBe('mine');
    await approve(decided, 'moderator2');
    await owner('delete from solutions where id = $1', [deleted]);
    await as('moderator2', "update resource_suggestions set status = 'approved'");
    await close('moderator2', reported);
    expect(await owner('select * from review_claims')).toEqual([]);
  });

  it('is for moderators and for what is pending alone', async () => {
    const id = await solution('pending');
    expect(await claim('author', id)).toBe('42501');
    expect(await claim('moderator', await solution('approved'))).toBe('42501');
    expect(await claim('moderator', id, 'report')).toBe('42501');
  });
});
