import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Outline } from '#app/people/cpd/data.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, ask, owner, value, insert, approve, solution } = openDatabase();

const add = (actor: Actor, fields = {}) =>
  insert(actor, 'cpd_entries', {
    activity: 'read',
    subject: 'Bow holds',
    day: '2026-11-12',
    minutes: 30,
    ...fields,
  });
const outline = (actor: Actor, fields = {}) => ask<Outline>(actor, 'cpd_outline', fields);
const suggestions = (actor: Actor) => ask(actor, 'cpd_suggestions');

describe('a CPD record', () => {
  it('names a solution that its member can see, and stays when that is deleted', async () => {
    const hidden = await solution('pending');
    expect((await add('colleague', { solution_id: hidden })).code).toBe('42501');
    expect((await add('colleague', { solution_id: randomUUID() })).code).toBe('42501');
    const open = await solution();
    expect((await add('colleague', { solution_id: open })).rowCount).toBe(1);
    expect((await as('colleague', 'update cpd_entries set solution_id = $1', [hidden])).code).toBe('42501');
    await owner('delete from solutions where id = $1', [open]);
    expect((await as('colleague', 'select subject, solution_id from cpd_entries')).rows).toEqual([
      { subject: 'Bow holds', solution_id: null },
    ]);
  });

  it('holds 200 new entries a day', async () => {
    await owner(
      `insert into cpd_entries (user_id, activity, subject, day, minutes)
       select $1, 'read', 'Liner ' || n, '2026-11-12', 10 from generate_series(1, 199) n`,
      [people.author],
    );
    expect((await add('author')).rowCount).toBe(1);
    expect((await add('author')).message).toContain('200 entries within a day');
  });

  it('is offered what its member discussed and reviewed lately, once, and nothing of others', async () => {
    const open = await solution();
    await insert('colleague', 'comments', { solution_id: open, content: 'Which spring?' });
    const waiting = await solution('pending');
    await approve(waiting);
    expect(await suggestions('colleague')).toMatchObject([
      { activity: 'discussed', solution_id: open, topic_id: null },
    ]);
    expect(await suggestions('moderator')).toMatchObject([{ activity: 'reviewed', solution_id: waiting }]);
    expect(await suggestions('author')).toEqual([]);
    await add('colleague', { activity: 'discussed', solution_id: open });
    expect(await suggestions('colleague')).toEqual([]);
  });

  it('is offered topics and replies, for 90 days', async () => {
    const topic = (title: string, age: string) =>
      value(
        'insert into forum_topics (title, user_id, created_at) values ($1, $2, now() - $3::interval) returning id',
        [title, people.colleague, age],
      );
    const recent = await topic('Straps that last', '10 days');
    await topic('Straps of old', '91 days');
    expect(await suggestions('colleague')).toMatchObject([
      { activity: 'discussed', subject: 'Straps that last', topic_id: recent, solution_id: null },
    ]);
  });

  it('tells at most six entries in detail, however they are marked', async () => {
    for (let n = 0; n < 6; n++)
      expect((await add('colleague', { subject: `Liner ${n}`, in_detail: true })).rowCount).toBe(1);
    const full = { code: '23514', message: 'At most six entries can be told in detail' };
    expect(await add('colleague', { in_detail: true })).toMatchObject(full);
    expect((await add('colleague', { subject: 'Straps' })).rowCount).toBe(1);
    const mark = "update cpd_entries set in_detail = true where subject = 'Straps'";
    expect(await as('colleague', mark)).toMatchObject(full);
    // One that is told already can be changed, others have six of their own, and a place that was given up is free.
    expect(
      (await as('colleague', "update cpd_entries set in_detail = true where subject = 'Liner 1'")).rowCount,
    ).toBe(1);
    expect((await add('author', { in_detail: true })).rowCount).toBe(1);
    await as('colleague', "update cpd_entries set in_detail = false where subject = 'Liner 0'");
    expect((await as('colleague', mark)).rowCount).toBe(1);
  });

  it('adds up the types of learning of a period, and those of others never', async () => {
    await add('author', { kind: 'other' });
    await add('colleague', { day: '2025-03-01', kind: 'formal', minutes: 90 });
    await add('colleague', { day: '2025-12-31', kind: 'formal' });
    await add('colleague', { day: '2025-01-01' });
    await add('colleague', { day: '2026-01-01', kind: 'work_based' });
    expect((await outline('colleague', { since: '2025-01-01', until: '2025-12-31' })).kinds).toEqual([
      { kind: 'formal', entries: 2, minutes: 120 },
      { kind: null, entries: 1, minutes: 30 },
    ]);
    expect((await outline('colleague', { since: '2025-06-01' })).kinds).toEqual([
      { kind: 'formal', entries: 1, minutes: 30 },
      { kind: 'work_based', entries: 1, minutes: 30 },
    ]);
    expect(await outline('moderator')).toEqual({ kinds: [], gaps: [] });
  });

  it('finds gaps of three months between days, not less, with what explains them', async () => {
    for (const day of ['2024-01-10', '2024-04-09', '2024-07-09', '2024-07-09', '2025-01-01'])
      await add('colleague', { day, subject: `On ${day}` });
    // A gap that lasts is there while the last day is three months ago.
    await owner(
      `insert into cpd_entries (user_id, activity, subject, day, minutes)
       select $1, 'read', 'Since', n::date, 10
       from generate_series('2025-01-20'::date, now() - interval '2 months', interval '1 month') n`,
      [people.colleague],
    );
    const spans = async (fields = {}) =>
      (await outline('colleague', fields)).gaps.map((gap) => [gap.since, gap.until, gap.reason]);
    expect(await spans()).toEqual([
      ['2024-07-09', '2025-01-01', null],
      ['2024-04-09', '2024-07-09', null],
    ]);
    const id = (await outline('colleague')).gaps[0]?.id;
    expect(
      (await as('colleague', "update cpd_entries set gap_reason = 'Parental leave' where id = $1", [id]))
        .rowCount,
    ).toBe(1);
    // Another entry of the same day does not take the explanation's place.
    await owner("update cpd_entries set created_at = created_at - interval '1 day' where id <> $1", [id]);
    expect(await spans({ since: '2025-01-01', until: '2025-12-31' })).toEqual([
      ['2024-07-09', '2025-01-01', 'Parental leave'],
    ]);
    expect(await spans({ since: '2025-01-02' })).toEqual([]);
    expect(await spans({ until: '2024-04-08' })).toEqual([]);
    await owner("delete from cpd_entries where subject = 'Since'");
    expect((await spans())[0]).toEqual(['2025-01-01', null, null]);
  });
});
