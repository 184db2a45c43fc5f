import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { identifierExamples } from '../../identifier-examples.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, ask, owner, value, insert, ...world } = openDatabase();

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

  it('says when it was last changed', async () => {
    await owner(
      "insert into solution_drafts (user_id, content, updated_at) values ($1, '{}', '2020-01-01')",
      [people.author],
    );
    await as('author', `update solution_drafts set content = '{"title": "Half"}'`);
    expect(await value("select updated_at > '2026-01-01' from solution_drafts")).toBe(true);
  });
});

const description = 'Reviewed with the wearer, DOB 1/2/1990, after twelve weeks of daily use.';
const submit = (actor: Actor, submission: string) => world.submitted({ description }, { actor, submission });

describe('a draft of a change', () => {
  it('stands beside that of a new solution, one for each solution of one’s own', async () => {
    await saveDraft({ title: 'new' });
    const mine = await submit('author', randomUUID());
    const change = (actor: Actor) => insert(actor, 'solution_drafts', { solution_id: mine, content: '{}' });
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
  const mine = await submit('author', randomUUID());
  await as('colleague', "insert into solution_drafts (content) values ('{}')");
  await as('author', "insert into solution_drafts (content) values ('{}')");
  const attach = (actor: Actor) => as(actor, 'update solution_drafts set solution_id = $1', [mine]);
  for (const actor of ['colleague', 'author'] as const) expect((await attach(actor)).code).toBe('42501');
});

describe('a submission', () => {
  it('that is sent twice is one solution', async () => {
    const id = randomUUID();
    expect(await submit('author', id)).toBe(await submit('author', id));
    for (const table of ['solutions', 'solution_reviews'])
      expect(await owner(`select from ${table}`)).toHaveLength(1);
  });

  it('is not taken for another member’s of the same number', async () => {
    const id = randomUUID();
    for (const actor of ['author', 'colleague'] as const) await submit(actor, id);
    expect(await value('select count(distinct user_id)::int from solutions')).toBe(2);
  });

  it('is flagged for what its text seems to hold', async () => {
    const id = await submit('author', randomUUID());
    expect(await ask('moderator', 'identifiers_found', [id])).toEqual(['date of birth']);
    for (const actor of ['author', 'colleague'] as const)
      expect(await ask(actor, 'identifiers_found', [id])).toBeNull();
  });

  it.each(identifierExamples)('holding “%s” is judged as in the form', async (text, kinds) => {
    expect(await owner('select private.identifiers_in($1) as found', [text])).toEqual([{ found: kinds }]);
  });
});
