import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, ask, owner, picture, resubmit, revisionOf, solution, upload } = openDatabase();

const withdraw = (actor: Actor, id: string, reason: string | null = null) =>
  as(actor, 'select withdraw_solution($1, $2)', [id, reason]);
const left = async (id: string) =>
  (await as('visitor', 'select title, reason from withdrawn_solutions where id = $1', [id])).rows;
const TITLE = 'Printed socket for a violin bow';

describe('a solution that was public', () => {
  it.each([
    ['author', 'error', { title: TITLE, reason: 'error' }],
    ['author', 'replaced', { title: TITLE, reason: 'replaced' }],
    ['author', null, { title: null, reason: 'author' }],
    ['author', 'none', { title: null, reason: null }],
    ['moderator', 'safety', { title: TITLE, reason: 'safety' }],
    ['moderator', 'copyright', { title: TITLE, reason: 'copyright' }],
    ['moderator', 'none', { title: null, reason: null }],
    // A reason of the other's, or of none.
    ['author', 'safety', { title: null, reason: 'author' }],
    ['moderator', 'error', { title: null, reason: 'moderator' }],
    ['moderator', 'a name: Anna', { title: null, reason: 'moderator' }],
  ] as const)('says at its address what the %s chose: %s', async (actor, reason, row) => {
    const id = await solution('approved');
    expect((await withdraw(actor, id, reason)).code).toBeUndefined();
    expect(await left(id)).toEqual([row]);
    expect(await owner('select id from solutions')).toEqual([]);
  });

  it('says by whom alone when it is deleted over the table, and nothing when an operator deletes it', async () => {
    const [own, other] = [await solution('approved'), await solution('approved')];
    // A reason of another deletion does not go on.
    await withdraw('author', await solution('approved'), 'error');
    await as('author', 'delete from solutions where id = $1', [own]);
    expect(await left(own)).toEqual([{ title: null, reason: 'author' }]);
    await owner('delete from solutions where id = $1', [other]);
    expect(await left(other)).toEqual([{ title: null, reason: null }]);
  });

  it('says nothing of a removal request, whatever reason is chosen', async () => {
    const id = await solution('approved');
    await picture(id, await upload());
    await ask('visitor', 'request_removal', [crypto.randomUUID(), id, 'patient']);
    await withdraw('author', id, 'error');
    expect(await left(id)).toEqual([{ title: null, reason: null }]);
  });

  it('says nothing when it goes with the account of its author', async () => {
    const id = await solution('approved');
    await owner("select private.erase_account($1, 'remove')", [people.author]);
    expect(await left(id)).toEqual([{ title: null, reason: null }]);
  });

  it('is withdrawn by its author and moderators alone', async () => {
    const id = await solution('approved');
    expect((await withdraw('colleague', id, 'error')).code).toBe('PT404');
    expect(await left(id)).toEqual([]);
  });
});

it('leaves nothing of a solution that never was public, and of a version under review', async () => {
  const pending = await solution('pending');
  await withdraw('author', pending, 'error');
  expect(await left(pending)).toEqual([]);
  const id = await solution('approved');
  await resubmit(id);
  await as('author', 'delete from solutions where id = $1', [await revisionOf(id)]);
  expect(await owner('select id from withdrawn_solutions')).toEqual([]);
});
