import { expect, it } from 'vitest';
import { acts } from '#app/kinds.ts';
import { REPEATS } from '#server/backup/deletions.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const world = openDatabase();
const { as, ask, owner, column, value, insert, solution, topic, post, comment } = world;

const REMOVED = 'Mrs Smith of Elm Street';
/** What is removed, as a member reads it, and the act that removes it. */
interface Example {
  reads: [actor: Actor, sql: string, values: unknown[]];
  remove: () => Promise<unknown>;
  /** That it is given back at once, which is repeated as well. */
  comesBack?: boolean;
}
const deletion = (
  table: string,
  id: string,
  reader: Actor = 'visitor',
  by: Actor = 'moderator',
): Example => ({
  reads: [reader, `select id from ${table} where id = $1`, [id]],
  remove: () => as(by, `delete from ${table} where id = $1`, [id]),
});

async function trial() {
  const id = await value(
    `insert into solution_trials (solution_id, version, user_id, status, result, amputation_level, age_group, prosthesis_type, consent_basis,
       consent_version)
     values ($1, 1, $2, 'approved', 'worked', 'Transtibial (Below Knee)', 'Adults', 'Passive', 'patient_written', '2026-11-01') returning id`,
    [await solution(), people.colleague],
  );
  await as('author', 'update solution_trials set author_answer = $2 where id = $1', [id, REMOVED]);
  return id;
}

async function translation(of: string, description: string): Promise<string> {
  const texts = { title: 'Casquillo impreso para el arco', description };
  const id = await ask<string>('colleague', 'submit_translation', [of, 1, 'es', JSON.stringify(texts)]);
  await as('moderator', "update solution_translations set status = 'approved' where id = $1", [id]);
  return id;
}

/** What a moderator's or a member's power lets them do, and the acts of an admin that take it, the last of which may give it back. */
const power = (
  reads: Example['reads'],
  acts: [sql: string, values: unknown[]][],
  comesBack = false,
): Example => ({
  reads,
  remove: async () => {
    for (const act of acts) expect((await as('admin', ...act)).rowCount).toBe(1);
  },
  comesBack,
});
const sanction = (kind: string, until: string | null): [string, unknown[]] => [
  "insert into sanctions (user_id, kind, reason, until) values ($1, $2, 'Advertising', $3)",
  [people.colleague, kind, until],
];
const takesPart: Example['reads'] = [
  'colleague',
  'select from (select private.is_sanctioned() as held) i where not i.held',
  [],
];
const signsIn: Example['reads'] = [
  'admin',
  "select from (select member_account($1) as a) i where i.a ->> 'disabled' = 'false'",
  [people.colleague],
];
const setDisabled = (disabled: boolean): [string, unknown[]] => [
  'select set_account_disabled($1, $2)',
  [people.colleague, disabled],
];
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

async function request(status: 'hidden' | 'removed' | 'kept'): Promise<Example> {
  const of = await solution();
  const picture = await world.picture(of, await world.upload());
  const id = await value(
    `insert into removal_requests (tracking_id, solution_id, media_ids, asker) values (gen_random_uuid(), $1, array[$2::uuid], 'patient')
     returning id`,
    [of, picture],
  );
  // Whose decision is another moderator's.
  const decide = (to: string) =>
    as(
      to === 'kept' ? 'moderator2' : 'moderator',
      'update removal_requests set status = $2, answer = $3 where id = $1',
      [id, to, to === 'kept' ? 'Nobody can be recognised.' : null],
    );
  return {
    reads: ['visitor', 'select id from solution_media where id = $1', [picture]],
    remove: async () => {
      if (status === 'kept') await decide('hidden');
      await decide(status);
    },
    comesBack: status === 'kept',
  };
}

/** A text with a detail about a patient, of a version that is not the last or of the one that readers see. */
async function version(actor: Actor | undefined, isCurrent: boolean): Promise<Example> {
  const id = await world.published({
    description: `${REMOVED}, D.O.B. 12/03/1961, has used it for a year, and the grip has held the bow.`,
  });
  const revise = async (change: object) => {
    await world.resubmit(id, change);
    await world.approve(id);
  };
  if (!isCurrent)
    await revise({ description: `${REMOVED}, D.O.B. 12/03/1961, has used it for two years now, every day.` });
  const where = isCurrent
    ? 'solutions where id = $1 and description'
    : 'solution_versions where solution_id = $1 and content::text';
  return {
    reads: ['visitor', `select from ${where} like $2`, [id, `%${REMOVED}%`]],
    remove: async () => {
      await revise({});
      for (const each of [1, 2])
        if (actor)
          await as(
            actor,
            'update solution_versions set content = null where solution_id = $1 and version = $2',
            [id, each],
          );
    },
  };
}

async function images(act: 'images_kept' | 'images_removed' | 'images_hidden'): Promise<Example> {
  const id = await post(await topic());
  await owner(
    `update forum_posts set images = '[{"media_url": "/full.webp"}]', image_consent = 'patient_written' where id = $1`,
    [id],
  );
  await owner("update profiles set registration_level = 'checked'");
  return {
    reads: ['visitor', "select from (select private.sees_image('/full.webp') as sees) i where i.sees", []],
    remove: async () => {
      for (const actor of ['moderator2', 'author'] as const)
        await insert(actor, 'content_reports', {
          reporter_id: people[actor],
          content_type: 'post',
          content_id: id,
          reason: 'The face can be seen',
          shows_patient: true,
        });
      if (act !== 'images_hidden')
        await as('moderator', 'select decide_images($1, $2, now())', [id, act === 'images_kept']);
    },
    comesBack: act === 'images_kept',
  };
}

async function summary(instead: string | null): Promise<Example> {
  const id = await topic();
  await ask('author', 'summarise_topic', [id, REMOVED, 'en']);
  return {
    reads: ['visitor', 'select from forum_topics where summary = $1', [REMOVED]],
    remove: () => ask('moderator', 'summarise_topic', [id, instead, 'en']),
  };
}

/** A first post that waits for review. */
async function held(): Promise<string> {
  const of = await solution();
  await owner('update site_settings set reviewed_first_posts = 3');
  await insert('colleague', 'comments', { solution_id: of, content: REMOVED });
  return value('select id from held_posts');
}
const decideHeld = (id: string, publish: boolean) =>
  as('moderator', 'select decide_held_post($1, $2, 1)', [id, publish]);

/** One or more of each act that removes something. */
const EXAMPLES: Record<string, () => Promise<Example[]>> = {
  account_disabled: async () => [power(signsIn, [setDisabled(true)])],
  account_enabled: async () => [power(signsIn, [setDisabled(true), setDisabled(false)], true)],
  account_deleted: async () => [
    {
      reads: ['visitor', 'select from public_profiles where id = $1', [people.colleague]],
      remove: () => owner("select private.erase_account($1, 'keep')", [people.colleague]),
    },
  ],
  collection_unshared: async () => {
    const id = await value(
      'insert into collections (user_id, title, is_shared) values ($1, $2, true) returning id',
      [people.colleague, REMOVED],
    );
    return [
      {
        reads: ['visitor', 'select from (select collection_page($1) as c) o where o.c is not null', [id]],
        remove: () => ask('moderator', 'stop_sharing', [id, 'Its title names a patient.']),
      },
    ];
  },
  comment_deleted: async () => {
    const waiting = await held();
    const leaf = await comment(await solution());
    const answered = await comment(await solution());
    await comment(
      await value('select solution_id from comments where id = $1', [answered]),
      'author',
      answered,
    );
    return [
      deletion('comments', leaf),
      {
        ...deletion('comments', answered),
        reads: ['visitor', "select from comments where id = $1 and content <> ''", [answered]],
      },
      {
        reads: ['moderator', 'select from held_posts where id = $1', [waiting]],
        remove: async () => {
          await decideHeld(waiting, true);
          await as('moderator', 'delete from comments where id = $1', [waiting]);
        },
      },
    ];
  },
  held_post_removed: async () => {
    const id = await held();
    return [
      {
        reads: ['moderator', 'select from held_posts where id = $1', [id]],
        remove: () => decideHeld(id, false),
      },
    ];
  },
  images_hidden: async () => [await images('images_hidden')],
  images_kept: async () => [await images('images_kept')],
  images_removed: async () => [await images('images_removed')],
  member_banned: async () => [power(takesPart, [sanction('ban', null)])],
  member_suspended: async () => [power(takesPart, [sanction('suspension', inDays(9))])],
  post_deleted: async () => [deletion('forum_posts', await post(await topic()))],
  removal_request_hidden: async () => [await request('hidden')],
  removal_request_kept: async () => [await request('kept')],
  removal_request_removed: async () => [await request('removed')],
  role_removed: async () => [
    power(
      ['moderator2', 'select from (select private.is_moderator() as may) i where i.may', []],
      [["delete from user_roles where user_id = $1 and role = 'moderator'", [people.moderator2]]],
    ),
  ],
  sanction_lifted: async () =>
    [sanction('ban', null), sanction('suspension', inDays(9))].map((given) =>
      power(
        takesPart,
        [given, ['update sanctions set lifted_at = now() where user_id = $1', [people.colleague]]],
        true,
      ),
    ),
  // An author's own is not in the audit log, but among what was withdrawn.
  solution_deleted: async () => [
    deletion('solutions', await solution()),
    deletion('solutions', await solution(), 'visitor', 'author'),
  ],
  staff_note_removed: async () => [
    deletion(
      'staff_notes',
      await value(
        'insert into staff_notes (about_id, content, created_by) values ($1, $2, $3) returning id',
        [people.author, REMOVED, people.moderator],
      ),
      'moderator2',
    ),
  ],
  topic_deleted: async () => [deletion('forum_topics', await topic())],
  topic_summary_removed: async () => [await summary(null)],
  topic_summary_written: async () => [await summary('A suction liner helps.')],
  translation_approved: async () => {
    const of = await world.published({ licence: 'CC BY 4.0' });
    await translation(of, REMOVED);
    return [
      {
        reads: ['visitor', "select from solution_translations where texts ->> 'description' = $1", [REMOVED]],
        remove: () => translation(of, 'Un casquillo de dos piezas que sujeta el arco.'),
      },
    ];
  },
  translation_deleted: async () => [
    deletion(
      'solution_translations',
      await translation(await world.published({ licence: 'CC BY 4.0' }), REMOVED),
    ),
  ],
  trial_answer_removed: async () => {
    const id = await trial();
    return [
      {
        reads: ['visitor', 'select from solution_trials where author_answer = $1', [REMOVED]],
        remove: () => as('moderator', 'update solution_trials set author_answer = null where id = $1', [id]),
      },
    ];
  },
  trial_approved: async () => {
    const id = await trial();
    await owner('update solution_trials set experience = $2 where id = $1', [id, REMOVED]);
    return [
      {
        reads: ['visitor', 'select from solution_trials where experience = $1', [REMOVED]],
        remove: async () => {
          await as('colleague', "update solution_trials set experience = 'It held.' where id = $1", [id]);
          await as('moderator', "update solution_trials set status = 'approved' where id = $1", [id]);
        },
      },
    ];
  },
  trial_deleted: async () => [deletion('solution_trials', await trial())],
  version_removed: async () => [
    await version('author', false),
    await version('moderator', false),
    await version(undefined, false),
    await version(undefined, true),
  ],
};

it('every act that can be logged has a name in the audit log, and no other is logged', async () => {
  expect(Object.keys(acts).sort()).toEqual(
    await column('select action from private.audited_acts order by action'),
  );
  await expect(owner("select private.audit('badge_taken', 'profile', 'x')")).rejects.toThrow(
    'An act is one of those that are listed',
  );
});

it('what was removed is not there after a backup from before is restored, whatever it was', async () => {
  const removing = await column<string>(
    'select action from private.audited_acts where removes is not null order by action',
  );
  expect(Object.keys(EXAMPLES).sort()).toEqual(removing);
  // The others are shown where sign-ins are.
  const ofSignIns = ['identity', 'passkey', 'service_ban'];
  expect(Object.keys(REPEATS).sort()).toEqual(
    [
      ...(await column('select distinct removes from private.audited_acts where removes is not null')),
      ...ofSignIns,
    ].sort(),
  );
  for (const [action, examples] of Object.entries(EXAMPLES)) {
    await owner('savepoint example');
    for (const { reads, remove, comesBack = false } of await examples()) {
      const isRead = async () => (await as(...reads)).rowCount > 0;
      expect(await isRead(), action).toBe(true);
      await owner('savepoint backup');
      await remove();
      expect(await isRead(), action).toBe(comesBack);
      const deletions = await owner<{ at: Date; kind: string; id: string; shared: 'keep' }>(
        "select * from private.deletions_since('-infinity')",
      );
      await owner('rollback to savepoint backup');
      expect(await isRead(), action).toBe(true);
      // All of a test is one moment, and a removal comes later than what it removes; of two, each has its own.
      const listed = deletions.map((each, nth) => ({
        ...each,
        at: new Date(each.at.getTime() + 1000 + nth).toISOString(),
      }));
      await world.repeat(listed);
      expect(await isRead(), `${action}, restored`).toBe(comesBack);
    }
    await owner('rollback to savepoint example');
  }
});

it('acts of one moment are repeated in the order in which they were done, however they are found', async () => {
  await owner(
    `insert into audit_events (id, action, target_type, target_id) overriding system value
     values (9000000003, 'role_removed', 'profile', 'x'), (9000000001, 'member_banned', 'profile', 'x'),
       (9000000002, 'sanction_lifted', 'profile', 'x')`,
  );
  expect(await column("select kind from private.deletions_since('-infinity') where id = 'x'")).toEqual([
    'sanction',
    'sanction_lifted',
    'role',
  ]);
});

it('a removal of a kind that is not known, or not to an earlier database, concerns nothing of it, and the others are repeated', async () => {
  const id = await solution();
  await owner('drop function private.drop_images');
  const at = new Date().toISOString();
  const list = ['of a later version', 'images', 'solution'].map((kind) => ({ at, kind, id }));
  expect(await world.repeat(list)).toBe(1);
  expect(await world.repeat(list)).toBe(0);
});

it('a power that was given again since is not taken, a sanction that is there not given twice, and only earlier sessions end', async () => {
  const begin = (from: string) =>
    owner(
      `insert into auth.sessions (id, user_id, created_at, updated_at)
       select gen_random_uuid(), $1, t.at, t.at from (select now() + $2::interval as at) t`,
      [people.author, from],
    );
  await begin('-1 minute');
  await begin('1 minute');
  await world.ban('colleague');
  await owner('update user_roles set created_at = now()');
  const at = (await value<Date>('select now()')).toISOString();
  const role = { kind: 'role', id: `${people.moderator2}/moderator` };
  const earlier = { ...role, at: new Date(Date.parse(at) - 1000).toISOString() };
  expect(await world.repeat([earlier, { at, kind: 'sanction', id: people.colleague }])).toBe(0);
  expect(await world.repeat([{ at, kind: 'sign_in', id: people.author }])).toBe(1);
  expect(
    await column('select created_at > now() from auth.sessions where user_id = $1', [people.author]),
  ).toEqual([true]);
});
