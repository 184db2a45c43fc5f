import { describe, expect, it } from 'vitest';
import { brokenAmong, INVARIANTS } from '../../invariants.ts';
import { type Actor, type Member, openDatabase, people } from '../fixtures.ts';

const { owner, value, column, as, ask, solution, ban, noticesOf } = openDatabase();

/** An approved report of a trial of the solution, so many days old. */
async function trial(of: string, days: number, by: Member = 'colleague') {
  const id = await value(
    `insert into solution_trials (solution_id, version, user_id, result, amputation_level, age_group, prosthesis_type)
     values ($1, 1, $2, 'worked', 'Transtibial (Below Knee)', 'Adults', 'Passive') returning id`,
    [of, people[by]],
  );
  await owner("update solution_trials set status = 'approved' where id = $1", [id]);
  await pass(days, id);
  return id;
}

/** Moves the clock: what is there becomes older. */
async function pass(days: number, trial: string) {
  await owner(
    'update solution_trials set approved_at = approved_at - make_interval(days => $1) where id = $2',
    [days, trial],
  );
  await owner('update use_questions set asked_at = asked_at - make_interval(days => $1)', [days]);
}
const work = () => owner('select mail_due()');
const questions = () =>
  owner<{ months: number; asked: boolean; reminded: boolean }>(
    'select months, asked_at is not null as asked, reminded_at is not null as reminded from use_questions order by months',
  );
const mails = () =>
  column("select j.notice ->> 'type' from private.mail_jobs j where j.notice ? 'use_question_id'");
const wantMail = () => owner('update profiles set email_notifications = true');
const question = () => value('select id from use_questions order by months desc limit 1');
const token = (id: string) =>
  value('select private.use_question_token(q.id, q.user_id) from use_questions q where id = $1', [id]);
const answer = (
  actor: Actor,
  id: string,
  given: string | null,
  reason: string | null = null,
  link: string | null = null,
) => as(actor, 'select answer_use_question($1, $2, $3, $4)', [id, given, reason, link]);
const ASKED = { asked: true, reminded: false };
const about = (id: string) => owner('select answer, reason from use_questions where id = $1', [id]);

describe('the question “Still in use?”', () => {
  it('comes once each after 3, 6 and 12 months, by notification and email, and is reminded of once', async () => {
    await wantMail();
    const id = await trial(await solution(), 89);
    await work();
    expect(await questions()).toEqual([]);
    await pass(1, id);
    await work();
    await work();
    expect(await questions()).toEqual([{ months: 3, ...ASKED }]);
    expect(await noticesOf('colleague')).toContain('still_in_use');
    expect(await mails()).toEqual(['still_in_use']);
    // A reminder brings the same notification back.
    await owner("update notifications set is_read = true where type = 'still_in_use'");
    await pass(14, id);
    await work();
    await work();
    expect(await questions()).toEqual([{ months: 3, asked: true, reminded: true }]);
    expect(await owner("select is_read from notifications where type = 'still_in_use'")).toEqual([
      { is_read: false },
    ]);
    expect(await mails()).toHaveLength(2);
    await pass(76, id);
    await work();
    await pass(185, id);
    await work();
    await pass(300, id);
    await work();
    expect((await questions()).map(({ months }) => months)).toEqual([3, 6, 12]);
    expect(await brokenAmong(INVARIANTS, owner)).toEqual([]);
  });

  it('is reminded of once its case is on the site again', async () => {
    const of = await solution();
    const id = await trial(of, 90);
    await work();
    await owner("update solutions set status = 'pending' where id = $1", [of]);
    await pass(14, id);
    await work();
    expect(await questions()).toEqual([{ months: 3, ...ASKED }]);
    await owner("update solutions set status = 'approved' where id = $1", [of]);
    await work();
    expect(await questions()).toEqual([{ months: 3, asked: true, reminded: true }]);
  });

  it('comes about a solution whose author measured it, and about none without outcomes', async () => {
    const [measured] = [await solution(), await solution()];
    await owner(
      `insert into solution_outcomes (solution_id, position, measure, score_after, people) values ($1, 0, 'TUG', 12, 1)`,
      [measured],
    );
    await owner(`update solutions set approved_at = now() - interval '181 days'`);
    await work();
    expect(await owner('select solution_id, trial_id, user_id, months from use_questions')).toEqual([
      { solution_id: measured, trial_id: null, user_id: people.author, months: 6 },
    ]);
  });

  it('is the latest alone after a long stop, and none after 18 months', async () => {
    const of = await solution();
    await trial(of, 364);
    await work();
    expect(await questions()).toEqual([{ months: 6, ...ASKED }]);
    await trial(await solution(), 546, 'author');
    await work();
    expect(await questions()).toHaveLength(1);
  });

  it('does not come again when a clock goes back and the months pass again', async () => {
    const id = await trial(await solution(), 200);
    await work();
    await owner(
      "update private.use_subjects set started_at = now() - interval '80 days', due_at = now() - interval '1 day' where trial_id = $1",
      [id],
    );
    await work();
    await owner(
      "update private.use_subjects set started_at = now() - interval '200 days', due_at = now() where trial_id = $1",
      [id],
    );
    await pass(2, id);
    await work();
    expect(await questions()).toEqual([{ months: 6, ...ASKED }]);
  });

  it('comes once a day to a member with many cases', async () => {
    const [first] = [await trial(await solution(), 100), await trial(await solution(), 100)];
    await work();
    expect(await questions()).toHaveLength(1);
    await pass(2, first);
    await owner("update private.use_subjects set due_at = now() where due_at < now() + interval '2 days'");
    await work();
    expect(await questions()).toHaveLength(2);
  });

  it.each([
    ['has turned the questions off', 'update profiles set asks_still_in_use = false'],
    ['is banned', undefined],
    ['has left', `delete from auth.users where id = '${people.colleague}'`],
  ])('is not put to a member who %s, whose case is counted as one without an answer', async (_who, sql) => {
    const of = await solution();
    await trial(of, 100);
    await (sql ? owner(sql) : ban('colleague'));
    await work();
    expect(await questions()).toEqual([{ months: 3, asked: false, reminded: false }]);
    expect(await owner("select from notifications where type = 'still_in_use'")).toEqual([]);
    expect(await ask('visitor', 'use_sums', [of])).toEqual([
      { months: 3, answer: null, reason: null, questions: 1 },
    ]);
  });

  it.each([
    ['a report that is edited', "update solution_trials set status = 'pending'"],
    ['a solution that is not public', "update solutions set status = 'pending'"],
    ['a report that was deleted', 'delete from solution_trials'],
    ['a solution that was withdrawn', 'delete from solutions'],
  ])('does not come about %s', async (_what, sql) => {
    await trial(await solution(), 100);
    await owner(sql);
    await work();
    expect(await questions()).toEqual([]);
  });

  it('does not come to a member who can no longer read the solution', async () => {
    const of = await solution();
    await trial(of, 100);
    await owner("update solutions set audience = 'checked' where id = $1", [of]);
    await work();
    expect(await questions()).toEqual([{ months: 3, asked: false, reminded: false }]);
  });

  it('is not sent by email once it is answered', async () => {
    await wantMail();
    await owner('update auth.users set email_confirmed_at = now()');
    await trial(await solution(), 100);
    await owner('delete from private.mail_jobs');
    await work();
    const mail = await value<{ unsubscribe: string; notices: { use_question: { token: string } }[] }>(
      'select claim_mail()',
    );
    expect(mail.notices[0]?.use_question).toEqual({
      id: await question(),
      months: 3,
      token: await token(await question()),
      stop: expect.stringContaining('.still-in-use-'),
    });
    await owner('update private.mail_jobs set due_at = now()');
    expect((await answer('colleague', await question(), 'sometimes')).message).toBeUndefined();
    expect(await value('select claim_mail()')).toBeNull();
  });
});

describe('an answer', () => {
  it('is given and corrected by the member alone, with a reason where it is no longer used', async () => {
    await trial(await solution(), 100);
    await work();
    const id = await question();
    expect((await answer('author', id, 'every_day')).message).toBe('Question not found');
    expect((await answer('visitor', id, 'every_day')).message).toBe('Question not found');
    expect((await answer('colleague', id, 'always')).message).toMatch(
      'Please choose one of the four answers',
    );
    expect((await answer('colleague', id, null)).message).toBe('Please choose one of the four answers');
    expect((await answer('colleague', id, 'no_longer')).message).toMatch(
      'Please say why it is no longer used',
    );
    expect((await answer('colleague', id, 'no_longer', 'fashion')).message).toMatch('Please choose a reason');
    expect(await about(id)).toEqual([{ answer: null, reason: null }]);
    expect((await answer('colleague', id, 'no_longer', 'broke')).message).toBeUndefined();
    expect(await about(id)).toEqual([{ answer: 'no_longer', reason: 'broke' }]);
    expect((await answer('colleague', id, 'every_day', 'broke')).message).toBeUndefined();
    expect(await about(id)).toEqual([{ answer: 'every_day', reason: null }]);
    expect(await owner("select is_read from notifications where type = 'still_in_use'")).toEqual([
      { is_read: true },
    ]);
    expect(await brokenAmong(INVARIANTS, owner)).toEqual([]);
  });

  it('is corrected 30 times a minute at most', async () => {
    await trial(await solution(), 100);
    await work();
    const id = await question();
    for (let time = 0; time < 30; time++)
      expect((await answer('colleague', id, time % 2 ? 'sometimes' : 'every_day')).message).toBeUndefined();
    expect((await answer('colleague', id, 'no_longer', 'fit')).message).toMatch('Please wait a minute');
    expect(await about(id)).toEqual([{ answer: 'sometimes', reason: null }]);
  });

  it('is written in no other way, and read by its member alone', async () => {
    await trial(await solution(), 100);
    await work();
    expect((await as('colleague', 'select answer from use_questions')).rows).toHaveLength(1);
    for (const actor of ['visitor', 'author', 'moderator'] as const)
      expect((await as(actor, 'select answer from use_questions')).rows).toEqual([]);
    expect((await as('colleague', "update use_questions set answer = 'every_day'")).code).toBe('42501');
  });

  it('comes by the link of an email once, signed out, and by no link of another question', async () => {
    const of = await solution();
    await trial(of, 100);
    await trial(of, 100, 'author');
    await work();
    const [id, other] = await column<string>('select id from use_questions order by user_id = $1 desc', [
      people.colleague,
    ]);
    const link = await token(String(id));
    expect(await ask('visitor', 'use_question', [link])).toEqual({
      id,
      months: 3,
      state: 'open',
      title: expect.any(String),
      safety_kind: null,
    });
    // Asking changes nothing.
    expect(await about(String(id))).toEqual([{ answer: null, reason: null }]);
    const forged = `${id}.${'0'.repeat(64)}`;
    expect(await ask('visitor', 'use_question', [forged])).toBeNull();
    expect(await ask('visitor', 'use_question', ['x'.repeat(10_000)])).toBeNull();
    const doesNotWork = 'This link doesn’t work. Please sign in to answer.';
    for (const wrong of [forged, await token(String(other)), '', "' or true"])
      expect((await answer('visitor', String(id), 'every_day', null, wrong)).message).toBe(doesNotWork);
    expect((await answer('visitor', String(id), 'every_day', null, link)).message).toBeUndefined();
    // A button that was pressed twice.
    expect((await answer('visitor', String(id), 'every_day', null, link)).message).toBeUndefined();
    expect((await answer('visitor', String(id), 'sometimes', null, link)).message).toBe(
      'You’ve already answered. Sign in to change your answer.',
    );
    expect(await about(String(id))).toEqual([{ answer: 'every_day', reason: null }]);
    expect(await ask('visitor', 'use_question', [link])).toEqual({
      id,
      months: 3,
      state: 'answered',
      title: null,
      safety_kind: null,
    });
  });

  it.each([
    [
      'is 61 days old',
      "update use_questions set asked_at = now() - interval '61 days'",
      'This link is too old. Sign in to answer.',
    ],
    [
      'is of a report under review',
      "update solution_trials set status = 'pending'",
      'This link is too old. Sign in to answer.',
    ],
    [
      'is of a case that its member may no longer read',
      "update solutions set audience = 'checked'",
      'This link is too old. Sign in to answer.',
    ],
    [
      'is of an account that is disabled',
      `update auth.users set banned_until = now() + interval '1 day' where id = '${people.colleague}'`,
      'This link is too old. Sign in to answer.',
    ],
    [
      'is of an account that was removed and whose row is kept',
      `update auth.users set deleted_at = now() where id = '${people.colleague}'`,
      'This link is too old. Sign in to answer.',
    ],
    [
      'is of a member who has left',
      `delete from auth.users where id = '${people.colleague}'`,
      'This link doesn’t work. Please sign in to answer.',
    ],
  ])('does not come by a link that %s', async (_which, sql, refusal) => {
    await trial(await solution(), 100);
    await work();
    const id = await question();
    const link = await token(id);
    expect(await ask('visitor', 'use_question', [link])).toMatchObject({ title: expect.any(String) });
    await owner(sql);
    expect(await ask('visitor', 'use_question', [link])).not.toMatchObject({ title: expect.any(String) });
    expect((await answer('visitor', id, 'every_day', null, link)).message).toBe(refusal);
    expect(await about(id)).toEqual([{ answer: null, reason: null }]);
  });

  it('does not come from a member who is banned, with a link or without', async () => {
    await trial(await solution(), 100);
    await work();
    const id = await question();
    const link = await token(id);
    await ban('colleague');
    expect((await answer('colleague', id, 'every_day')).code).toBe('42501');
    expect((await answer('visitor', id, 'every_day', null, link)).code).toBe('42501');
  });
});

describe('the questions are stopped', () => {
  const stop = (subject: string) =>
    value('select private.unsubscribe_token($1, $2)', [people.colleague, subject]);

  it('about one case by its link', async () => {
    const id = await trial(await solution(), 100);
    await work();
    expect(
      await ask('visitor', 'unsubscribe_from_mail', [await stop(`still-in-use-${await question()}`)]),
    ).toBe(true);
    await pass(15, id);
    await work();
    await pass(90, id);
    await work();
    expect(await questions()).toEqual([
      { months: 3, ...ASKED },
      { months: 6, asked: false, reminded: false },
    ]);
    await trial(await solution(), 100);
    await work();
    expect((await questions()).filter(({ asked }) => asked)).toHaveLength(2);
  });

  it('all of them by another, and by no forged one', async () => {
    const link = await stop('still-in-use');
    expect(await ask('visitor', 'unsubscribe_from_mail', [link.replace('.still-in-use', '.digest')])).toBe(
      false,
    );
    expect(await owner('select from profiles where not asks_still_in_use')).toEqual([]);
    expect(await ask('visitor', 'unsubscribe_from_mail', [link])).toBe(true);
    expect(await owner('select id from profiles where not asks_still_in_use')).toEqual([
      { id: people.colleague },
    ]);
    expect(
      (await as('colleague', 'update profiles set asks_still_in_use = true where id = auth.uid()')).rowCount,
    ).toBe(1);
  });
});

describe('the sums', () => {
  const sums = (actor: Actor, of: string | null) =>
    ask<{ months: number; answer: string | null; reason: string | null; questions: number }[]>(
      actor,
      'use_sums',
      [of],
    );

  it('count answers, reasons and those without an answer, for those who may read the solution', async () => {
    const of = await solution();
    for (const by of ['colleague', 'moderator', 'admin'] as const) await trial(of, 200, by);
    await work();
    const asked = new Map(
      (await owner<{ id: string; user_id: string }>('select id, user_id from use_questions')).map((row) => [
        row.user_id,
        row.id,
      ]),
    );
    await answer('colleague', String(asked.get(people.colleague)), 'no_longer', 'fit');
    await answer('admin', String(asked.get(people.admin)), 'every_day');
    const all = [
      { months: 6, answer: null, reason: null, questions: 1 },
      { months: 6, answer: 'every_day', reason: null, questions: 1 },
      { months: 6, answer: 'no_longer', reason: 'fit', questions: 1 },
    ];
    expect(await sums('visitor', of)).toEqual(all);
    expect(await sums('visitor', null)).toEqual(all);
    expect(await value("select extra_facets @> '{Asked again}' from solutions where id = $1", [of])).toBe(
      true,
    );
    expect(await value("select (browse_solutions(filters => '{Asked again}') ->> 'total')::integer")).toBe(1);

    await owner("update solutions set audience = 'members' where id = $1", [of]);
    expect(await sums('visitor', of)).toEqual([]);
    expect(await sums('visitor', null)).toEqual([]);
    expect(await sums('colleague', of)).toEqual(all);
    expect(await sums('colleague', null)).toEqual(all);

    await owner("update solution_trials set status = 'pending' where user_id = $1", [people.colleague]);
    expect(await sums('colleague', of)).toEqual(all.slice(0, 2));
    await owner("update solutions set status = 'pending' where id = $1", [of]);
    expect(await sums('colleague', of)).toEqual([]);
    expect(await value('select extra_facets from solutions where id = $1', [of])).not.toContain(
      'Asked again',
    );
    await owner('delete from solutions where id = $1', [of]);
    expect(await sums('colleague', null)).toEqual([]);
    expect(await brokenAmong(INVARIANTS, owner)).toEqual([]);
  });

  it('keep the answer of a member who has left, as their report is kept', async () => {
    const of = await solution();
    await trial(of, 100);
    await work();
    await answer('colleague', await question(), 'sometimes');
    const exported = await ask<Record<string, unknown[]>>('colleague', 'export_account');
    expect(exported.use_questions).toHaveLength(1);
    await owner("select private.erase_account($1, 'keep')", [people.colleague]);
    expect(await sums('visitor', of)).toEqual([
      { months: 3, answer: 'sometimes', reason: null, questions: 1 },
    ]);
    expect(await owner('select user_id from use_questions')).toEqual([{ user_id: null }]);
  });

  it('lose it where they removed what they shared', async () => {
    const of = await solution();
    await trial(of, 100);
    await work();
    await owner("select private.erase_account($1, 'remove')", [people.colleague]);
    expect(await sums('visitor', of)).toEqual([]);
    expect(await questions()).toEqual([]);
  });
});
