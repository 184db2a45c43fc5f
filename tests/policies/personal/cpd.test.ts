import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
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
});
