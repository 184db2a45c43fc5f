import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { identifierExamples } from '../../identifier-examples.ts';
import { SOLUTION } from '../../solution.ts';
import { openDatabase, people } from '../fixtures.ts';

const { as, owner } = openDatabase();

const saveDraft = (content: unknown) =>
  as(
    'author',
    'insert into solution_drafts (content) values ($1) on conflict (user_id, solution_id) do update set content = excluded.content',
    [JSON.stringify(content)],
  );

describe('a draft', () => {
  it('is kept, replaced and discarded by its writer', async () => {
    expect((await saveDraft({ title: 'one' })).rowCount).toBe(1);
    expect((await saveDraft({ title: 'two' })).rowCount).toBe(1);
    expect((await as('author', 'select content from solution_drafts')).rows).toEqual([
      { content: { title: 'two' } },
    ]);
    expect((await as('author', 'delete from solution_drafts')).rowCount).toBe(1);
  });

  it('is no one else’s to read, change, discard or plant, not even a moderator’s', async () => {
    await saveDraft({ title: 'mine' });
    for (const actor of ['colleague', 'moderator', 'admin'] as const) {
      expect((await as(actor, 'select * from solution_drafts')).rows, actor).toEqual([]);
      expect((await as(actor, "update solution_drafts set content = '{}'")).rowCount, actor).toBe(0);
      expect((await as(actor, 'delete from solution_drafts')).rowCount, actor).toBe(0);
    }
    expect((await as('visitor', 'select * from solution_drafts')).code).toBe('42501');
    const planted = await as(
      'colleague',
      "insert into solution_drafts (user_id, content) values ($1, '{}')",
      [people.admin],
    );
    expect(planted.code).toBe('42501');
  });

  it('says when it was last changed', async () => {
    await owner(
      "insert into solution_drafts (user_id, content, updated_at) values ($1, '{}', '2020-01-01')",
      [people.author],
    );
    await as('author', `update solution_drafts set content = '{"title": "Half"}'`);
    expect(await owner("select updated_at > '2026-01-01' as now from solution_drafts")).toEqual([
      { now: true },
    ]);
  });

  it('is an object of limited size', async () => {
    expect((await saveDraft([])).message).toContain('A draft must be an object');
    expect((await saveDraft({ title: 'x'.repeat(205_000) })).message).toContain(
      'A draft must be at most 200 KB',
    );
  });
});

const submission = {
  ...SOLUTION,
  description: 'Reviewed with the wearer, DOB 1/2/1990, after twelve weeks of daily use.',
};
const submit = (actor: 'author' | 'colleague', id: string, changes: Partial<typeof submission> = {}) =>
  as<{ id: string }>(
    actor,
    "select submit_solution($1, '[]', 'no_identifiable_person', '2026-11-01', null, $2) as id",
    [JSON.stringify({ ...submission, ...changes }), id],
  );

describe('a draft of a change', () => {
  it('stands beside that of a new solution, one for each solution of one’s own', async () => {
    await saveDraft({ title: 'new' });
    const mine = (await submit('author', randomUUID())).rows[0]?.id;
    const change = (actor: 'author' | 'colleague') =>
      as(actor, "insert into solution_drafts (solution_id, content) values ($1, '{}')", [mine]);
    expect((await change('colleague')).code).toBe('42501');
    expect((await change('author')).rowCount).toBe(1);
    expect((await change('author')).code).toBe('23505');
    expect((await as('author', 'select * from solution_drafts')).rowCount).toBe(2);
    await owner('delete from solutions');
    expect((await as('author', 'select solution_id from solution_drafts')).rows).toEqual([
      { solution_id: null },
    ]);
  });
});

it('a draft that is there stays the one it is', async () => {
  const mine = (await submit('author', randomUUID())).rows[0]?.id;
  await as('colleague', "insert into solution_drafts (content) values ('{}')");
  await as('author', "insert into solution_drafts (content) values ('{}')");
  const attach = (actor: 'author' | 'colleague') =>
    as(actor, 'update solution_drafts set solution_id = $1', [mine]);
  for (const actor of ['colleague', 'author'] as const) expect((await attach(actor)).code).toBe('42501');
});

describe('a submission', () => {
  it('that is sent twice is one solution', async () => {
    const id = randomUUID();
    const [first, second] = [await submit('author', id), await submit('author', id)];
    expect(first.rows).toHaveLength(1);
    expect(second.rows).toEqual(first.rows);
    expect(await owner('select count(*)::int from solutions')).toEqual([{ count: 1 }]);
    expect(await owner('select count(*)::int from solution_reviews')).toEqual([{ count: 1 }]);
  });

  it('is not taken for another member’s of the same number', async () => {
    const id = randomUUID();
    await submit('author', id);
    expect((await submit('colleague', id)).code).toBeUndefined();
    expect(await owner('select count(distinct user_id)::int from solutions')).toEqual([{ count: 2 }]);
  });

  it('is flagged for what its text seems to hold', async () => {
    await submit('author', randomUUID());
    expect(
      (await as('moderator', 'select identifiers_found(id) as identifiers from solutions')).rows,
    ).toEqual([{ identifiers: ['date of birth'] }]);
    for (const actor of ['author', 'colleague'] as const)
      expect(
        (await as(actor, 'select identifiers_found(id) as identifiers from solutions')).rows,
      ).not.toContainEqual({ identifiers: ['date of birth'] });
  });

  it.each(identifierExamples)('holding “%s” is judged as in the form', async (text, kinds) => {
    expect(await owner('select private.identifiers_in($1) as found', [text])).toEqual([{ found: kinds }]);
  });
});
