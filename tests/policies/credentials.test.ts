import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from './fixtures.ts';

const { as, owner, solution } = openDatabase();

const NUMBER = 'PO31415';
const CHECKLIST = '{"name": true, "number": true, "current": true}';

const state = (actor: Actor, number: string | null = NUMBER, register = 'HCPC') =>
  as(actor, 'insert into member_credentials (user_id, register, number) values ($1, $2, $3)', [
    people[actor] ?? null,
    register,
    number,
  ]);
const check = (actor: Actor, checklist = CHECKLIST) =>
  as(actor, "update member_credentials set state = 'checked', checklist = $1 where state = 'waiting'", [
    checklist,
  ]);
const decline = (actor: Actor, reason: string | null = 'The register shows another name.') =>
  as(actor, "update member_credentials set state = 'declined', decline_reason = $1 where state = 'waiting'", [
    reason,
  ]);
const stored = async () =>
  (
    await owner<Record<string, unknown>>(
      'select state, register, number, decided_by, checked_name, decline_reason from member_credentials',
    )
  )[0];
/** What every visitor reads of the author. */
const shown = async () =>
  (
    await as(
      'visitor',
      'select credential_level as level, credential_register as register, credential_checked_on as day from public_profiles where id = $1',
      [people.author],
    )
  ).rows[0];
const notices = () =>
  owner<{ type: string; actor_id: string | null }>(
    'select type, actor_id from notifications where user_id = $1 order by created_at, type',
    [people.author],
  );

describe('the registers', () => {
  it('are read by everyone and written by no client; another one is a row', async () => {
    for (const actor of ['visitor', 'author', 'moderator', 'admin'] as const) {
      expect((await as(actor, "select code from registers where code = 'HCPC'")).rows).toHaveLength(1);
      for (const statement of [
        "insert into registers (code, name, country, professions, search_url) values ('XX', 'X', 'X', 'X', 'https://x.example/')",
        "update registers set search_url = 'https://evil.example/'",
        'delete from registers',
      ])
        expect((await as(actor, statement)).code, statement).toBe('42501');
    }
    await owner(
      "insert into registers (code, name, country, professions, search_url) values ('HPR', 'Helsepersonellregisteret', 'Norway', 'All', 'https://register.example/')",
    );
    expect((await state('author', '1234567', 'HPR')).rowCount).toBe(1);
  });
});

describe('a registration', () => {
  it('that is changed while a moderator looks at it is a new version, which their decision does not reach', async () => {
    await state('author');
    await owner('alter table member_credentials disable trigger member_credentials_touch');
    await owner("update member_credentials set updated_at = now() - interval '1 hour'");
    await owner('alter table member_credentials enable trigger member_credentials_touch');
    await as('author', "update member_credentials set number = 'PO27182'");
    const decide = (seen: string) =>
      as(
        'moderator',
        `update member_credentials set state = 'checked', checklist = $1 where state = 'waiting' and updated_at = now() - $2::interval`,
        [CHECKLIST, seen],
      );
    expect((await decide('1 hour')).rowCount).toBe(0);
    expect((await decide('0')).rowCount).toBe(1);
  });

  it('is stated by the member for themselves, and counts as self-declared', async () => {
    expect((await state('visitor')).code).toBe('42501');
    expect(
      (
        await as('author', 'insert into member_credentials (user_id, register, number) values ($1, $2, $3)', [
          people.colleague,
          'HCPC',
          NUMBER,
        ])
      ).code,
    ).toBe('42501');
    expect(
      (
        await as(
          'author',
          "insert into member_credentials (register, number, state) values ('HCPC', '1', 'checked')",
        )
      ).code,
    ).toBe('42501');
    expect(await shown()).toEqual({ level: null, register: null, day: null });
    expect((await state('author', '  po  31415 ')).rowCount).toBe(1);
    expect(await stored()).toMatchObject({ state: 'waiting', number: 'po 31415', decided_by: null });
    expect(await shown()).toEqual({ level: 'declared', register: 'HCPC', day: null });
    expect((await state('author')).code).toBe('23505');
  });

  it.each([
    ['Please choose a register from the list', NUMBER, 'FAKE'],
    ['Registration number is required', '   ', 'HCPC'],
    ['Use up to 40 letters', 'x'.repeat(41), 'HCPC'],
    ['Use up to 40 letters', 'PO\u0001123', 'HCPC'],
    ['Use up to 40 letters', 'PO\u202e123', 'HCPC'],
    ['Use up to 40 letters', '<b>1</b>', 'HCPC'],
    ['Use up to 40 letters', 'https://evil.example/?', 'HCPC'],
  ])('is refused with "%s"', async (message, number, register) => {
    const answer = await state('author', number, register);
    expect(answer.code).toMatch(/^23/);
    expect(answer.message).toContain(message);
    expect(await shown()).toEqual({ level: null, register: null, day: null });
  });

  it('has a number that its owner and moderators read, and that stands nowhere else', async () => {
    await state('author');
    for (const actor of ['visitor', 'colleague'] as const)
      expect((await as(actor, 'select * from member_credentials')).rows).toEqual([]);
    for (const actor of ['author', 'moderator', 'admin'] as const)
      expect((await as(actor, 'select number from member_credentials')).rows).toEqual([{ number: NUMBER }]);
    await decline('moderator');
    await as('author', "update member_credentials set number = 'PO27182'");
    await check('moderator');
    for (const table of ['profiles', 'public_profiles', 'notifications', 'audit_events', 'messages'])
      expect(JSON.stringify(await owner(`select * from ${table}`)), table).not.toMatch(/PO31415|PO27182/);
    expect(JSON.stringify(await owner('select notice from private.mail_jobs'))).not.toMatch(
      /PO31415|PO27182/,
    );
    expect(JSON.stringify((await as('moderator', 'select * from review_queue')).rows)).not.toContain('PO');
    expect(
      await owner("select from pg_publication_tables where tablename in ('member_credentials', 'registers')"),
    ).toEqual([]);
    // The moderator who decided downloads none of it, the owner does.
    for (const [actor, found] of [
      ['moderator', false],
      ['author', true],
    ] as const)
      expect(
        JSON.stringify((await as(actor, 'select export_account()')).rows).includes('PO27182'),
        actor,
      ).toBe(found);
  });

  it('is checked by another moderator, who confirms each point, and then says so in public', async () => {
    await state('author');
    for (const actor of ['author', 'colleague'] as const) expect((await check(actor)).rowCount).toBe(0);
    expect((await check('visitor')).code).toBe('42501');
    for (const incomplete of ['{"name": true, "number": true, "current": false}', '{}', null])
      expect((await check('moderator', incomplete as string)).message).toContain(
        'Confirm each point of the checklist first',
      );
    expect((await check('moderator')).rowCount).toBe(1);
    expect(await stored()).toMatchObject({
      state: 'checked',
      decided_by: people.moderator,
      checked_name: 'Dr author',
    });
    expect(await shown()).toMatchObject({ level: 'checked', register: 'HCPC', day: expect.any(Date) });
    expect(await notices()).toEqual([{ type: 'credential_checked', actor_id: people.moderator }]);
    expect(await owner('select action, actor_id, target_id from audit_events')).toEqual([
      { action: 'credential_checked', actor_id: people.moderator, target_id: people.author },
    ]);
    // The first decision holds.
    expect((await decline('moderator2')).rowCount).toBe(0);
  });

  it('of a moderator is decided on by another one alone, an admin’s too', async () => {
    for (const [own, other, number] of [
      ['moderator', 'moderator2', 'PO1'],
      ['admin', 'moderator', 'PO2'],
    ] as const) {
      await state(own, number);
      for (const attempt of [await check(own), await decline(own)])
        expect(attempt).toMatchObject({
          code: '42501',
          message: 'Another moderator must check your registration',
        });
      expect((await check(other)).rowCount).toBe(1);
    }
  });

  it('cannot be changed by a moderator in anything but the decision', async () => {
    await state('author');
    expect(
      (
        await as(
          'moderator',
          `update member_credentials set number = '1', state = 'checked', checklist = '${CHECKLIST}'`,
        )
      ).message,
    ).toBe('Only the member can change their registration');
    for (const assignment of [
      `user_id = '${people.moderator}'`,
      "checked_name = 'Dr Other'",
      `decided_by = '${people.moderator2}'`,
      'decided_at = now()',
    ])
      expect((await as('moderator', `update member_credentials set ${assignment}`)).code, assignment).toBe(
        '42501',
      );
    expect((await as('moderator', 'delete from member_credentials')).rowCount).toBe(0);
    expect((await as('moderator', "update member_credentials set state = 'lapsed'")).code).toBe('42501');
    expect(await stored()).toMatchObject({ state: 'waiting', number: NUMBER });
  });

  it('is declined with a reason, which its owner reads, and can be corrected', async () => {
    await state('author');
    for (const reason of [null, ' \u200b']) expect((await decline('moderator', reason)).code).toBe('23514');
    expect((await decline('moderator', 'x'.repeat(501))).message).toContain('at most 500 characters');
    expect((await decline('moderator')).rowCount).toBe(1);
    expect(await shown()).toEqual({ level: null, register: null, day: null });
    expect(await notices()).toEqual([{ type: 'credential_declined', actor_id: people.moderator }]);
    expect(JSON.stringify(await owner('select * from audit_events'))).not.toContain('another name');
    expect((await as('author', 'select decline_reason from member_credentials')).rows).toEqual([
      { decline_reason: 'The register shows another name.' },
    ]);
    expect((await as('author', "update member_credentials set number = 'PO27182'")).rowCount).toBe(1);
    expect(await stored()).toMatchObject({ state: 'waiting', number: 'PO27182', decline_reason: null });
    expect(await shown()).toMatchObject({ level: 'declared' });
  });

  it.each([
    ['number', "update member_credentials set number = 'PO27182'"],
    ['register', "update member_credentials set register = 'GMC'"],
    ['full name', `update profiles set full_name = 'Dr Other' where id = '${people.author}'`],
    ['profession', `update profiles set profession = 'Surgeon' where id = '${people.author}'`],
  ])('is no longer checked once the %s changes', async (_what, change) => {
    await state('author');
    await check('moderator');
    // The same again, and other details of the profile, keep it.
    await as('author', 'update member_credentials set number = number, register = register');
    await as(
      'author',
      `update profiles set full_name = full_name, bio = 'New' where id = '${people.author}'`,
    );
    expect(await shown()).toMatchObject({ level: 'checked' });
    expect((await as('author', change)).rowCount).toBe(1);
    expect(await stored()).toMatchObject({ state: 'waiting', decided_by: null, checked_name: null });
    expect(await shown()).toMatchObject({ level: 'declared', day: null });
  });

  it('is of one person: a number that was checked is not checked again, and what speaks against it is said', async () => {
    const warnings = async (actor: Actor, of: Actor) =>
      (
        await as<{ warnings: string[] | null }>(
          actor,
          'select credential_warnings(id) as warnings from member_credentials where user_id = $1',
          [people[of]],
        )
      ).rows[0]?.warnings;
    await state('author');
    expect(await warnings('moderator', 'author')).toEqual([]);
    await check('moderator');
    await state('colleague', 'po 314-15');
    await owner("update profiles set full_name = 'Dr аuthor' where id = $1", [people.colleague]);
    expect(await warnings('moderator', 'colleague')).toEqual([
      'Another member states the same number',
      'Another member was checked under this name',
      'The name mixes letters of several alphabets',
    ]);
    expect(await warnings('colleague', 'colleague')).toBeNull();
    expect(await check('moderator')).toMatchObject({
      code: '23514',
      message: 'Another member was checked with this number',
    });
    await as('author', 'delete from member_credentials');
    expect(await warnings('moderator', 'colleague')).toEqual(['The name mixes letters of several alphabets']);
    expect((await check('moderator')).rowCount).toBe(1);
  });

  it('lets readers find the solutions of checked authors, old and new, for as long as it is checked', async () => {
    const before = await solution();
    await state('author');
    const found = async () =>
      (
        await as<{
          page: { total: number; facets: { evidence: Record<string, number> }; items: { id: string }[] };
        }>('visitor', "select browse_solutions(filters => '{Checked author}') as page")
      ).rows[0]?.page;
    expect(await found()).toMatchObject({ total: 0 });
    await check('moderator');
    const after = await solution();
    await solution('approved', 'colleague');
    await solution('pending');
    const page = await found();
    expect(page).toMatchObject({ total: 2, facets: { evidence: { 'Checked author': 2 } } });
    expect(page?.items.map(({ id }) => id).toSorted()).toEqual([before, after].toSorted());
    expect(page?.items[0]).toMatchObject({
      author: { credential_level: 'checked', credential_register: 'HCPC' },
    });
    await as('author', "update member_credentials set number = 'PO27182'");
    expect(await found()).toMatchObject({ total: 0 });
    await check('moderator');
    expect(await found()).toMatchObject({ total: 2 });
    await owner("select private.erase_account($1, 'keep')", [people.author]);
    expect(await found()).toMatchObject({ total: 0 });
  });

  it('lapses a year after its check, and waits again once its owner confirms it', async () => {
    await state('author');
    await check('moderator');
    await owner("update member_credentials set decided_at = now() - interval '364 days'");
    await as('service', 'select expire_retained_records()');
    expect(await stored()).toMatchObject({ state: 'checked' });
    await owner("update member_credentials set decided_at = now() - interval '366 days'");
    await owner('delete from notifications');
    await as('service', 'select expire_retained_records()');
    await as('service', 'select expire_retained_records()');
    expect(await stored()).toMatchObject({ state: 'lapsed' });
    expect(await shown()).toMatchObject({ level: 'declared', day: null });
    expect(await notices()).toEqual([{ type: 'credential_lapsed', actor_id: null }]);
    expect((await as('moderator', 'select from review_queue')).rowCount).toBe(0);
    expect((await check('moderator')).rowCount).toBe(0);
    await as('author', 'update member_credentials set number = number');
    expect((await as('moderator', 'select from review_queue')).rowCount).toBe(1);
    expect((await check('moderator')).rowCount).toBe(1);
  });

  it('can be submitted five times a day, also when it is removed in between', async () => {
    await state('author');
    for (const number of ['PO2', 'PO3'])
      await as('author', 'update member_credentials set number = $1', [number]);
    await as('author', 'delete from member_credentials');
    expect(await shown()).toEqual({ level: null, register: null, day: null });
    await state('author', 'PO4');
    await as('author', "update member_credentials set number = 'PO5'");
    expect((await as('author', "update member_credentials set number = 'PO6'")).message).toContain('PT429');
    expect((await state('colleague')).rowCount).toBe(1);
    await owner("update private.credential_submissions set created_at = now() - interval '25 hours'");
    expect((await as('author', "update member_credentials set number = 'PO6'")).rowCount).toBe(1);
    await as('service', 'select expire_retained_records()');
    expect(await owner('select from private.credential_submissions')).toHaveLength(1);
  });

  it('waits in the review queue, where one moderator opens it, and leaves with its decision', async () => {
    await state('author');
    const queue = () =>
      as<{ id: string; kind: string; title: string; sender: string; claimed_by: string | null }>(
        'moderator2',
        'select id, kind, title, sender, claimed_by from review_queue',
      );
    const [item] = (await queue()).rows;
    expect(item).toMatchObject({ kind: 'credential', title: 'HCPC registration', sender: 'Dr author' });
    expect((await as('colleague', 'select from review_queue')).rowCount).toBe(0);
    await as('moderator', "select claim_review('credential', $1)", [item?.id]);
    expect((await queue()).rows[0]?.claimed_by).toBe(people.moderator);
    const [metrics] = (
      await as<{ queue_metrics: Record<string, { waiting: number }> }>('service', 'select queue_metrics()')
    ).rows;
    expect(metrics?.queue_metrics.credentials?.waiting).toBe(1);
    await check('moderator');
    expect((await queue()).rows).toEqual([]);
    expect(await owner('select from review_claims')).toEqual([]);
  });

  it('leaves with the account, and the level on the profile is written by no client', async () => {
    await state('author');
    for (const actor of ['author', 'admin'] as const)
      for (const column of [
        "credential_level = 'checked'",
        "credential_register = 'GMC'",
        'credential_checked_on = now()',
      ])
        expect((await as(actor, `update profiles set ${column} where id = '${people.author}'`)).code).toBe(
          '42501',
        );
    await owner("select private.erase_account($1, 'keep')", [people.author]);
    expect(await owner('select from member_credentials')).toEqual([]);
    expect(await owner('select from private.credential_submissions')).toEqual([]);
  });
});
