import { describe, expect, it } from 'vitest';
import { openDatabase, people } from '../fixtures.ts';

const { owner, as, ask, column, value, ban, verifyFactor } = openDatabase();

const ID = '0000-0002-1825-0097';
const connect = (id = ID, provider = 'orcid', iss = 'https://orcid.org') =>
  owner(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at)
     values ($1, $2, jsonb_build_object('sub', $1::text, 'iss', $4::text), $3, now())`,
    [id, people.author, provider, iss],
  );
const show = (shown = true, actor: 'author' | 'colleague' = 'author', claims = {}) =>
  as(actor, 'select show_orcid($1)', [shown], claims);
const readBy = async (actor: Parameters<typeof as>[0]) =>
  (await as<{ orcid: string | null }>(actor, 'select orcid from profiles where id = $1', [people.author]))
    .rows[0]?.orcid;

it('an ORCID iD is shown to everyone once its owner has chosen so, and no longer once it is hidden', async () => {
  await connect();
  expect(await readBy('visitor')).toBeNull();
  expect(await ask('author', 'show_orcid', [true])).toBe(ID);
  for (const actor of ['visitor', 'colleague', 'moderator', 'author'] as const)
    expect(await readBy(actor), actor).toBe(ID);
  expect(await ask('author', 'show_orcid', [false])).toBeNull();
  expect(await readBy('visitor')).toBeNull();
});

describe('an ORCID iD is never', () => {
  it('typed: no one writes the column', async () => {
    for (const actor of ['author', 'colleague', 'moderator', 'admin'] as const)
      expect(
        (await as(actor, 'update profiles set orcid = $1 where id = auth.uid()', [ID])).code,
        actor,
      ).toBe('42501');
    expect(
      await as('author', 'insert into profiles (id, orcid) values (auth.uid(), $1)', [ID]),
    ).toMatchObject({ code: '42501' });
  });

  it('another’s, or of a provider that only passes for ORCID', async () => {
    expect(await show()).toMatchObject({ message: 'Connect ORCID first' });
    await connect(ID, 'orcid', 'https://sandbox.orcid.org');
    expect(await show()).toMatchObject({ message: 'Connect ORCID first' });
    await connect(ID, 'clinic');
    expect(await show()).toMatchObject({ message: 'Connect ORCID first' });
    await connect(ID, 'custom:orcid');
    expect(await show(true, 'colleague')).toMatchObject({ message: 'Connect ORCID first' });
    expect((await as('visitor', 'select show_orcid(true)')).code).toBe('42501');
    expect((await show()).rowCount).toBe(1);
  });

  it.each([
    ['has a wrong check character', '0000-0002-1825-0098'],
    ['is an X too much', '0000-0002-1825-009X'],
    ['is an address', 'https://orcid.org/0000-0002-1825-0097'],
    ['has other digits', '٠٠٠٠-٠٠٠٢-١٨٢٥-٠٠٩٧'],
    ['goes on', `${ID}\n<b>`],
  ])('one that %s', async (_what, id) => {
    await connect(id);
    expect(await show()).toMatchObject({ message: expect.stringContaining('This is not an ORCID iD') });
    expect(await readBy('visitor')).toBeNull();
  });
});

it.each(['0000-0002-1694-233X', '0000-0001-5109-3700', '0009-0000-0000-0009'])(
  'the check character of %s holds',
  async (id) => expect(await value<boolean>('select private.is_orcid($1)', [id])).toBe(true),
);

describe('an ORCID iD goes', () => {
  it('when it is disconnected, and does not come back by itself', async () => {
    await connect();
    await show();
    await owner("delete from auth.identities where user_id = $1 and provider = 'orcid'", [people.author]);
    expect(await readBy('visitor')).toBeNull();
    await connect();
    expect(await readBy('visitor')).toBeNull();
  });

  it('not with another way to sign in', async () => {
    await connect();
    await connect('a-person', 'clinic');
    await show();
    await owner("delete from auth.identities where provider = 'clinic'");
    expect(await readBy('visitor')).toBe(ID);
  });

  it('with the account, and is in what its owner takes along', async () => {
    await connect();
    await show();
    const taken = await ask<{ profiles: { orcid: string }[]; identities: { provider: string }[] }>(
      'author',
      'export_account',
    );
    expect(taken.profiles).toMatchObject([{ orcid: ID }]);
    expect(taken.identities).toContainEqual(expect.objectContaining({ provider: 'orcid' }));
    await owner("select private.erase_account($1, 'keep')", [people.author]);
    expect(await column('select orcid from profiles where orcid is not null')).toEqual([]);
    expect(await column('select provider_id from auth.identities')).not.toContain(ID);
  });
});

it('an ORCID iD is shown by members without a sanction, after their second step, and hidden by banned ones too', async () => {
  await connect();
  await verifyFactor('author');
  expect((await show()).code).toBe('42501');
  expect((await show(true, 'author', { aal: 'aal2' })).rowCount).toBe(1);
  await ban('author');
  expect((await show(true, 'author', { aal: 'aal2' })).code).toBe('42501');
  expect((await show(false, 'author', { aal: 'aal2' })).rowCount).toBe(1);
  expect(await readBy('visitor')).toBeNull();
});
