import { describe, expect, it } from 'vitest';
import { type Actor, type Member, openDatabase, people } from './fixtures.ts';

const { as, ask, owner, value, insert, noticesOf, backdate, solution } = openDatabase();

const NUMBER = 'PO31415';
const CHECKLIST = '{"name": true, "number": true, "current": true}';

const state = (actor: Actor, number: string | null = NUMBER, register = 'HCPC') =>
  insert(actor, 'member_registrations', { register, number });
const edit = (number: string) => as('author', 'update member_registrations set number = $1', [number]);
const check = (actor: Actor, checklist = CHECKLIST) =>
  as(actor, "update member_registrations set state = 'checked', checklist = $1 where state = 'waiting'", [
    checklist,
  ]);
const decline = (actor: Actor, reason: string | null = 'The register shows another name.') =>
  as(
    actor,
    "update member_registrations set state = 'declined', decline_reason = $1 where state = 'waiting'",
    [reason],
  );
const stored = async () =>
  (
    await owner<Record<string, unknown>>(
      'select state, register, number, decided_by, checked_name, decline_reason from member_registrations',
    )
  )[0];
/** What every visitor reads of the author. */
const shown = async () =>
  (
    await as(
      'visitor',
      'select registration_level as level, registration_register as register, registration_checked_on as day from public_profiles where id = $1',
      [people.author],
    )
  ).rows[0];
const NOT_SHOWN = { level: null, register: null, day: null };

it('another register is a row', async () => {
  await owner(
    "insert into registers (code, name, country, professions, search_url) values ('HPR', 'Helsepersonellregisteret', 'Norway', 'All', 'https://register.example/')",
  );
  expect((await state('author', '1234567', 'HPR')).rowCount).toBe(1);
});

describe('a registration', () => {
  it('that is changed while a moderator looks at it is a new version, which their decision does not reach', async () => {
    await state('author');
    await backdate('member_registrations');
    await edit('PO27182');
    const decide = (seen: string) =>
      as(
        'moderator',
        `update member_registrations set state = 'checked', checklist = $1 where state = 'waiting' and updated_at = now() - $2::interval`,
        [CHECKLIST, seen],
      );
    expect((await decide('1 hour')).rowCount).toBe(0);
    expect((await decide('0')).rowCount).toBe(1);
  });

  it('is stated by the member, and counts as self-declared', async () => {
    expect(await shown()).toEqual(NOT_SHOWN);
    expect((await state('author', '  po  31415 ')).rowCount).toBe(1);
    expect(await stored()).toMatchObject({ state: 'waiting', number: 'po 31415', decided_by: null });
    expect(await shown()).toEqual({ level: 'declared', register: 'HCPC', day: null });
    expect((await state('author')).code).toBe('23505');
  });

  it.each([
    ['Please choose a register from the list', NUMBER, 'FAKE'],
    ['Use up to 40 letters', 'x'.repeat(41), 'HCPC'],
    ['Use up to 40 letters', 'PO\u0001123', 'HCPC'],
    ['Use up to 40 letters', 'PO\u202e123', 'HCPC'],
    ['Use up to 40 letters', '<b>1</b>', 'HCPC'],
    ['Use up to 40 letters', 'https://evil.example/?', 'HCPC'],
  ])('is refused with "%s"', async (message, number, register) => {
    const answer = await state('author', number, register);
    expect(answer.code).toMatch(/^23/);
    expect(answer.message).toContain(message);
    expect(await shown()).toEqual(NOT_SHOWN);
  });

  it('has a number that stands nowhere else', async () => {
    await state('author');
    await decline('moderator');
    await edit('PO27182');
    await check('moderator');
    for (const table of [
      'profiles',
      'public_profiles',
      'notifications',
      'audit_events',
      'messages',
      'private.mail_jobs',
    ])
      expect(JSON.stringify(await owner(`select * from ${table}`)), table).not.toMatch(/PO31415|PO27182/);
    expect(JSON.stringify((await as('moderator', 'select * from review_queue')).rows)).not.toContain('PO');
    expect(
      await owner(
        "select from pg_publication_tables where tablename in ('member_registrations', 'registers')",
      ),
    ).toEqual([]);
    // The moderator who decided downloads none of it, the owner does.
    expect(JSON.stringify(await ask('moderator', 'export_account'))).not.toContain('PO27182');
    expect(JSON.stringify(await ask('author', 'export_account'))).toContain('PO27182');
  });

  it('is checked by another moderator, who confirms each point, and then says so in public', async () => {
    await state('author');
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
    expect(await noticesOf('author')).toEqual(['registration_checked']);
    expect(await owner('select action, actor_id, target_id from audit_events')).toEqual([
      { action: 'registration_checked', actor_id: people.moderator, target_id: people.author },
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

  it('cannot be changed by a moderator together with the decision', async () => {
    await state('author');
    const change = `update member_registrations set number = '1', state = 'checked', checklist = '${CHECKLIST}'`;
    expect((await as('moderator', change)).message).toBe('Only the member can change their registration');
    expect(await stored()).toMatchObject({ state: 'waiting', number: NUMBER });
  });

  it('is declined with a reason, and can be corrected', async () => {
    await state('author');
    for (const reason of [null, ' \u200b']) expect((await decline('moderator', reason)).code).toBe('23514');
    expect((await decline('moderator')).rowCount).toBe(1);
    expect(await shown()).toEqual(NOT_SHOWN);
    expect(await noticesOf('author')).toEqual(['registration_declined']);
    expect(JSON.stringify(await owner('select * from audit_events'))).not.toContain('another name');
    expect(await stored()).toMatchObject({ decline_reason: 'The register shows another name.' });
    expect((await edit('PO27182')).rowCount).toBe(1);
    expect(await stored()).toMatchObject({ state: 'waiting', number: 'PO27182', decline_reason: null });
    expect(await shown()).toMatchObject({ level: 'declared' });
  });

  it.each([
    ['number', "update member_registrations set number = 'PO27182'"],
    ['register', "update member_registrations set register = 'GMC'"],
    ['full name', `update profiles set full_name = 'Dr Other' where id = '${people.author}'`],
    ['profession', `update profiles set profession = 'Surgeon' where id = '${people.author}'`],
  ])('is no longer checked once the %s changes', async (_what, change) => {
    await state('author');
    await check('moderator');
    // The same again, and other details of the profile, keep it.
    await as('author', 'update member_registrations set number = number, register = register');
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
    const warnings = async (actor: Actor, of: Member) =>
      ask(actor, 'registration_warnings', [
        await value('select id from member_registrations where user_id = $1', [people[of]]),
      ]);
    await state('author');
    expect(await warnings('moderator', 'author')).toEqual([]);
    await check('moderator');
    await state('colleague', 'po 314-15');
    // From before such a name was refused.
    await owner('set local session_replication_role = replica');
    await owner("update profiles set full_name = 'Dr аuthor' where id = $1", [people.colleague]);
    await owner('set local session_replication_role = default');
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
    await as('author', 'delete from member_registrations');
    expect(await warnings('moderator', 'colleague')).toEqual(['The name mixes letters of several alphabets']);
    expect((await check('moderator')).rowCount).toBe(1);
  });

  it('lets readers find the solutions of checked authors, old and new, for as long as it is checked', async () => {
    const before = await solution();
    await state('author');
    interface Page {
      total: number;
      items: { id: string }[];
    }
    const found = () => ask<Page>('visitor', 'browse_solutions', { filters: ['Checked author'] });
    expect(await found()).toMatchObject({ total: 0 });
    await check('moderator');
    const after = await solution();
    await solution('approved', 'colleague');
    await solution('pending');
    const page = await found();
    expect(page).toMatchObject({ total: 2, facets: { evidence: { 'Checked author': 2 } } });
    expect(page.items.map(({ id }) => id).toSorted()).toEqual([before, after].toSorted());
    expect(page.items[0]).toMatchObject({
      author: { registration_level: 'checked', registration_register: 'HCPC' },
    });
    await edit('PO27182');
    expect(await found()).toMatchObject({ total: 0 });
    await check('moderator');
    expect(await found()).toMatchObject({ total: 2 });
    await owner("select private.erase_account($1, 'keep')", [people.author]);
    expect(await found()).toMatchObject({ total: 0 });
  });

  it('lapses a year after its check, and waits again once its owner confirms it', async () => {
    await state('author');
    await check('moderator');
    await owner("update member_registrations set decided_at = now() - interval '364 days'");
    await ask('service', 'expire_retained_records');
    expect(await stored()).toMatchObject({ state: 'checked' });
    await owner("update member_registrations set decided_at = now() - interval '366 days'");
    await owner('delete from notifications');
    await ask('service', 'expire_retained_records');
    await ask('service', 'expire_retained_records');
    expect(await stored()).toMatchObject({ state: 'lapsed' });
    expect(await shown()).toMatchObject({ level: 'declared', day: null });
    expect(await noticesOf('author')).toEqual(['registration_lapsed']);
    expect((await as('moderator', 'select from review_queue')).rowCount).toBe(0);
    expect((await check('moderator')).rowCount).toBe(0);
    await as('author', 'update member_registrations set number = number');
    expect((await as('moderator', 'select from review_queue')).rowCount).toBe(1);
    expect((await check('moderator')).rowCount).toBe(1);
  });

  it('can be submitted five times a day, also when it is removed in between', async () => {
    await state('author');
    for (const number of ['PO2', 'PO3']) await edit(number);
    await as('author', 'delete from member_registrations');
    expect(await shown()).toEqual(NOT_SHOWN);
    await state('author', 'PO4');
    await edit('PO5');
    expect((await edit('PO6')).message).toContain('PT429');
    expect((await state('colleague')).rowCount).toBe(1);
    await owner("update private.registration_submissions set created_at = now() - interval '25 hours'");
    expect((await edit('PO6')).rowCount).toBe(1);
    await ask('service', 'expire_retained_records');
    expect(await owner('select from private.registration_submissions')).toHaveLength(1);
  });

  it('waits in the review queue, where one moderator opens it, and leaves with its decision', async () => {
    await state('author');
    const queue = () =>
      as<{ id: string; claimed_by: string | null }>(
        'moderator2',
        'select id, kind, title, sender, claimed_by from review_queue',
      );
    const [item] = (await queue()).rows;
    expect(item).toMatchObject({ kind: 'registration', title: 'HCPC registration', sender: 'Dr author' });
    await as('moderator', "select claim_review('registration', $1)", [item?.id]);
    expect((await queue()).rows[0]?.claimed_by).toBe(people.moderator);
    expect(await ask('service', 'queue_metrics')).toMatchObject({ registrations: { waiting: 1 } });
    await check('moderator');
    expect((await queue()).rows).toEqual([]);
    expect(await owner('select from review_claims')).toEqual([]);
  });

  it('leaves with the account', async () => {
    await state('author');
    await owner("select private.erase_account($1, 'keep')", [people.author]);
    expect(await owner('select from member_registrations')).toEqual([]);
    expect(await owner('select from private.registration_submissions')).toEqual([]);
  });
});
