import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, owner, solution } = openDatabase();

const add = (actor: Actor, fields: Record<string, unknown> = {}) => {
  const row = {
    user_id: people[actor],
    activity: 'read',
    subject: 'Bow holds',
    day: '2026-11-12',
    minutes: 30,
    ...fields,
  };
  return as<{ id: string }>(
    actor,
    `insert into cpd_entries (${Object.keys(row)}) values (${Object.keys(row).map((_, index) => `$${index + 1}`)}) returning id`,
    Object.values(row),
  );
};
const suggestions = async (actor: Actor) =>
  (await as<{ found: Record<string, unknown>[] }>(actor, 'select cpd_suggestions() as found')).rows[0]?.found;

describe('a CPD record', () => {
  it('is added to, changed and read by its member alone', async () => {
    expect((await add('visitor')).code).toBe('42501');
    const { rows } = await add('colleague', { reflection: 'Ask about the spring' });
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      expect((await as(actor, 'select from cpd_entries')).rowCount).toBe(0);
      expect((await as(actor, 'update cpd_entries set minutes = 5')).rowCount).toBe(0);
      expect((await as(actor, 'delete from cpd_entries')).rowCount).toBe(0);
    }
    expect((await add('author', { user_id: people.colleague })).code).toBe('42501');
    expect((await as('colleague', 'update cpd_entries set minutes = 45')).rowCount).toBe(1);
    expect(
      (
        await as('colleague', 'select id, minutes, reflection from cpd_entries where user_id = $1', [
          people.colleague,
        ])
      ).rows,
    ).toEqual([{ id: rows[0]?.id, minutes: 45, reflection: 'Ask about the spring' }]);
    expect((await as('colleague', 'delete from cpd_entries')).rowCount).toBe(1);
  });

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
    await as('colleague', 'insert into comments (solution_id, content) values ($1, $2)', [
      open,
      'Which spring?',
    ]);
    const waiting = await solution('pending');
    await as('moderator', "update solutions set status = 'approved' where id = $1", [waiting]);
    expect(await suggestions('colleague')).toMatchObject([
      { activity: 'discussed', solution_id: open, topic_id: null },
    ]);
    expect(await suggestions('moderator')).toMatchObject([{ activity: 'reviewed', solution_id: waiting }]);
    expect(await suggestions('author')).toEqual([]);
    expect(await suggestions('visitor')).toBeUndefined();
    await add('colleague', { activity: 'discussed', solution_id: open });
    expect(await suggestions('colleague')).toEqual([]);
  });

  it('is offered topics and replies, for 90 days', async () => {
    const topic = async (title: string, age: string) =>
      (
        await owner<{ id: string }>(
          `insert into forum_topics (title, user_id, created_at) values ($1, $2, now() - $3::interval) returning id`,
          [title, people.colleague, age],
        )
      )[0]?.id;
    const recent = await topic('Straps that last', '10 days');
    await topic('Straps of old', '91 days');
    expect(await suggestions('colleague')).toMatchObject([
      { activity: 'discussed', subject: 'Straps that last', topic_id: recent, solution_id: null },
    ]);
  });
});
