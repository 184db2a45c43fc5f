import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from './fixtures.ts';

const { as, owner, comment, message, post, solution, topic, upload } = openDatabase();

const report = async (kind: string, id: string, by: Actor = 'author') => {
  const inserted = await as<{ id: string }>(
    by,
    "insert into content_reports (content_type, content_id, reason) values ($1, $2, 'Rude') returning id",
    [kind, id],
  );
  return inserted.rows[0]?.id ?? '';
};
const close = (actor: Actor, id: string, response: string | null = 'Thank you, it is gone.') =>
  as(actor, 'update content_reports set status = $2, admin_response = $3 where id = $1', [
    id,
    response ? 'resolved' : 'dismissed',
    response,
  ]);

describe('a reported message', () => {
  const read = (actor: Actor, id: string) =>
    as<{ message: { content: string; sender: string } | null }>(
      actor,
      'select read_reported_message($1) as message',
      [id],
    );

  it('is read by moderators through its report alone, and each reading is in the log', async () => {
    const about = await message();
    const id = await report('message', about);
    expect((await as('moderator', 'select id from messages')).rows).toEqual([]);
    expect((await read('moderator', id)).rows[0]?.message).toMatchObject({
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
    for (const actor of ['visitor', 'author', 'colleague'] as const)
      expect((await read(actor, id)).code).toBe('42501');
    expect((await read('moderator', about)).rows[0]?.message).toBeNull();
    expect((await read('moderator', await report('topic', await topic()))).rows[0]?.message).toBeNull();
    await close('moderator', id, null);
    expect((await read('moderator', id)).rows[0]?.message).toBeNull();
    expect(await owner("select from audit_events where action = 'reported_message_read'")).toEqual([]);
  });
});

describe('a response to a report', () => {
  const received = () =>
    owner("select sender_id, recipient_id, content from messages where subject = 'About your report'");

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
    of: Exclude<Actor, 'visitor'> = 'colleague',
    until: string | null = kind === 'suspension' ? 'tomorrow' : null,
  ) =>
    as(
      by,
      "insert into sanctions (user_id, kind, reason, until) values ($1, $2, 'Advertising again', $3::timestamptz)",
      [people[of], kind, until],
    );
  const lift = (by: Actor) => as(by, 'update sanctions set lifted_at = $1', ['2000-01-01']);

  it('is a warning or suspension by moderators, a ban by admins, and never of admins or oneself', async () => {
    for (const actor of ['visitor', 'author'] as const)
      expect((await sanction(actor, 'warning')).code).toBe('42501');
    expect((await sanction('moderator', 'warning')).rowCount).toBe(1);
    expect((await sanction('moderator', 'suspension')).rowCount).toBe(1);
    expect((await sanction('moderator', 'ban')).code).toBe('42501');
    expect((await sanction('admin', 'ban')).rowCount).toBe(1);
    expect((await sanction('moderator', 'warning', 'moderator')).code).toBe('42501');
    expect((await sanction('moderator', 'warning', 'moderator2')).code).toBe('42501');
    expect((await sanction('admin', 'warning', 'moderator2')).rowCount).toBe(1);
    for (const actor of ['moderator', 'admin'] as const)
      expect((await sanction(actor, 'warning', 'admin2')).code).toBe('42501');
    expect((await sanction('moderator', 'warning', 'colleague', 'tomorrow')).message).toContain(
      'A suspension says until when',
    );
    for (const until of ['yesterday', '2099-01-01'])
      expect((await sanction('moderator', 'suspension', 'author', until)).message).toContain(
        'A suspension ends in the future, within a year',
      );
  });

  it('is told by a message, kept in the log, and seen by the member and moderators alone', async () => {
    await sanction('moderator', 'suspension');
    const [message] = await owner<{ subject: string; content: string }>(
      'select subject, content from messages where recipient_id = $1',
      [people.colleague],
    );
    expect(message?.subject).toMatch(/^You are suspended until \d+ \w+ \d{4}$/);
    expect(message?.content).toBe('Advertising again');
    expect(await owner('select actor_id, action, target_id from audit_events')).toEqual([
      { actor_id: people.moderator, action: 'member_suspended', target_id: people.colleague },
    ]);
    for (const actor of ['colleague', 'moderator2', 'admin'] as const)
      expect((await as(actor, 'select * from sanctions')).rows).toHaveLength(1);
    expect((await as('author', 'select * from sanctions')).rows).toEqual([]);
    expect((await as('visitor', 'select * from sanctions')).code).toBe('42501');
    expect((await as('moderator', 'delete from sanctions')).code).toBe('42501');
  });

  const writes: [string, (ids: Record<string, string>) => [string, unknown[]]][] = [
    [
      'comment',
      ({ solution }) => ["insert into comments (solution_id, content) values ($1, 'Hello')", [solution]],
    ],
    [
      'like',
      ({ solution }) => [
        'insert into likes (solution_id, user_id) values ($1, $2)',
        [solution, people.colleague],
      ],
    ],
    ['open a topic', () => ["insert into forum_topics (title) values ('Hello')", []]],
    ['edit a topic', ({ topic }) => ["update forum_topics set title = 'Hello' where id = $1", [topic]]],
    ['reply', ({ topic }) => ["insert into forum_posts (topic_id, content) values ($1, 'Hello')", [topic]]],
    [
      'write a message',
      () => ["insert into messages (recipient_id, content) values ($1, 'Hello')", [people.author]],
    ],
    [
      'report',
      ({ comment }) => [
        "insert into content_reports (content_type, content_id, reason) values ('comment', $1, 'Rude')",
        [comment],
      ],
    ],
    [
      'edit a solution',
      ({ pending }) => ["update solutions set title = 'Another title' where id = $1", [pending]],
    ],
    [
      'suggest a resource',
      () => [
        "insert into resource_suggestions (resource_name, resource_url, description, category) values ('ISPO', 'https://www.ispoint.org/', 'The international society.', 'Professional Organizations')",
        [],
      ],
    ],
  ];

  it.each(writes)('of the right kind keeps a member from this: %s', async (_what, write) => {
    const open = await solution();
    const [sql, values] = write({
      solution: open,
      comment: await comment(open, 'author'),
      topic: await topic('colleague'),
      pending: await solution('pending', 'colleague'),
    });
    const attempt = async () => {
      await owner('savepoint before');
      const outcome = await as('colleague', sql, values);
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
      as('colleague', "insert into messages (recipient_id, content) values ($1, 'It was a mistake')", [to]);
    expect((await answer(people.moderator)).rowCount).toBe(1);
    expect((await answer(people.moderator2)).code).toBe('42501');
    expect((await lift('colleague')).rowCount).toBe(0);
    await owner(
      "update sanctions set created_at = now() - interval '2 days', until = now() - interval '1 minute'",
    );
    expect((await answer(people.moderator2)).rowCount).toBe(1);
    expect((await lift('moderator2')).rowCount).toBe(1);
    expect(await owner("select lifted_by, lifted_at > '2020-01-01' as now from sanctions")).toEqual([
      { lifted_by: people.moderator2, now: true },
    ]);
    expect((await lift('moderator2')).rowCount).toBe(0);
  });
});

const suggestion = async () => {
  const [inserted] = await owner<{ id: string }>(
    `insert into resource_suggestions (user_id, resource_name, resource_url, description, category)
     values ($1, 'ISPO', 'https://www.ispoint.org', 'The international society.', 'Professional Organizations') returning id`,
    [people.author],
  );
  return inserted?.id ?? '';
};

describe('the queue', () => {
  const queue = (actor: Actor) =>
    as<{ kind: string; sender: string }>(
      actor,
      'select kind, id, title, sender, claimed_by from review_queue order by submitted_at, kind',
    );

  it('holds what waits, of all kinds, for moderators alone', async () => {
    const id = await solution('pending');
    await solution('approved');
    const suggested = await suggestion();
    const reported = await report('topic', await topic('colleague'));
    await as('moderator', "select claim_review('resource', $1)", [suggested]);
    expect((await queue('moderator2')).rows).toEqual([
      { kind: 'report', id: reported, title: 'Rude', sender: 'Dr author', claimed_by: null },
      { kind: 'resource', id: suggested, title: 'ISPO', sender: 'Dr author', claimed_by: people.moderator },
      {
        kind: 'solution',
        id,
        title: 'Printed socket for a violin bow',
        sender: 'Dr author',
        claimed_by: null,
      },
    ]);
    expect((await queue('author')).rows).toEqual([]);
    expect((await queue('visitor')).code).toBe('42501');
    await close('moderator', reported);
    await as('moderator', "update resource_suggestions set status = 'rejected'");
    await as('moderator', "update solutions set status = 'approved' where id = $1", [id]);
    expect((await queue('moderator')).rows).toEqual([]);
  });
});

describe('the checklist of a review', () => {
  const answers = { recognisable_person: true, identifiers: true, consent: true, claims: false };
  const decide = (actor: Actor, id: string, what: unknown = answers) =>
    as(actor, "update solutions set status = 'approved', checklist = $2 where id = $1", [
      id,
      JSON.stringify(what),
    ]);
  const check = (actor: Actor, id: string) =>
    as(actor, 'update solutions set checklist = $2 where id = $1', [id, JSON.stringify(answers)]);

  it('is kept with the decision of whoever checked, and in the log', async () => {
    const id = await solution('pending');
    expect((await decide('moderator2', id)).rowCount).toBe(1);
    expect(
      await owner('select reviewer_id, checklist from solution_reviews where decision = $1', ['approved']),
    ).toEqual([{ reviewer_id: people.moderator2, checklist: answers }]);
    expect(await owner("select after -> 'checklist' as kept from audit_events")).toEqual([{ kept: answers }]);
    expect(await owner('select checklist from solutions where id = $1', [id])).toEqual([{ checklist: null }]);
  });

  it('holds answers to its own questions, by moderators, about what is pending', async () => {
    const id = await solution('pending');
    for (const wrong of [{ price: true }, { consent: 'yes' }, ['consent'], 'consent', null])
      expect((await decide('moderator', id, wrong)).code).toMatch(/^23/);
    expect((await decide('author', id)).code).toBe('42501');
    expect((await decide('visitor', id)).code).toBe('42501');
    expect((await decide('moderator', await solution('approved'))).rowCount).toBe(0);
    expect((await decide('moderator', id)).rowCount).toBe(1);
  });

  it('comes with a decision alone, and no one can read it from the solution', async () => {
    const id = await solution('pending');
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      expect((await check(actor, id)).code).toMatch(/^(23514|42501)$/);
      expect((await as(actor, 'select checklist from solutions')).code).toBe('42501');
    }
    await expect(owner("update solutions set checklist = '{}' where id = $1", [id])).rejects.toThrow(
      'Only a decision has a checklist',
    );
  });
});

describe('a version that was sent again', () => {
  const media = async (id: string) =>
    as(
      'author',
      "insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type) values ($1, $2, $3, $4, 'image')",
      [id, ...Object.values(await upload())],
    );
  const replaced = (actor: Actor) =>
    as<{ replaced: { title: string; media: unknown[] } }>(
      actor,
      "select replaced from solution_reviews where decision = 'resubmitted'",
    );
  const edit = (id: string) =>
    as('author', "update solutions set title = 'A better socket for a violin bow' where id = $1", [id]);

  it('says what stood there before, until it is decided on', async () => {
    const id = await solution('rejected');
    await media(id);
    expect((await edit(id)).rowCount).toBe(1);
    const original = {
      title: 'Printed socket for a violin bow',
      materials: ['3D-Printed PLA', 'Silicone'],
      media: [{ id: expect.any(String), description: null }],
    };
    for (const actor of ['author', 'moderator'] as const)
      expect((await replaced(actor)).rows[0]?.replaced).toMatchObject(original);
    expect((await replaced('colleague')).rows).toEqual([]);
    await as('moderator', "update solutions set status = 'approved' where id = $1", [id]);
    expect((await replaced('author')).rows).toEqual([{ replaced: null }]);
  });

  it('is known by its time, which moves with its media too while it waits', async () => {
    const id = await solution('pending');
    const stamp = async () =>
      (await owner<{ updated_at: Date }>('select updated_at from solutions where id = $1', [id]))[0]
        ?.updated_at;
    await owner("update solutions set created_at = now() - interval '1 day' where id = $1", [id]);
    await owner('alter table solutions disable trigger solutions_touch');
    await owner("update solutions set updated_at = now() - interval '1 day' where id = $1", [id]);
    await owner('alter table solutions enable trigger solutions_touch');
    const before = await stamp();
    await owner('update solutions set likes_count = 1 where id = $1', [id]);
    expect(await stamp()).toEqual(before);
    await media(id);
    expect(await stamp()).not.toEqual(before);
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
    await owner('alter table review_claims disable trigger review_claims_stamp');
    await owner("update review_claims set claimed_at = now() - interval '16 minutes'");
    await owner('alter table review_claims enable trigger review_claims_stamp');
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
    await as('moderator2', "update solutions set status = 'approved' where id = $1", [decided]);
    await owner('delete from solutions where id = $1', [deleted]);
    await as('moderator2', "update resource_suggestions set status = 'approved'");
    await close('moderator2', reported);
    expect(await owner('select * from review_claims')).toEqual([]);
  });

  it('is for moderators and for what is pending alone', async () => {
    const id = await solution('pending');
    for (const actor of ['visitor', 'author'] as const) expect(await claim(actor, id)).toBe('42501');
    expect(await claim('moderator', await solution('approved'))).toBe('42501');
    expect(await claim('moderator', id, 'report')).toBe('42501');
    await claim('moderator', id);
    expect((await as('author', 'select * from review_claims')).rows).toEqual([]);
    expect((await as('moderator2', 'select * from review_claims')).rows).toHaveLength(1);
  });
});
