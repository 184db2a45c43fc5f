import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, owner, solution } = openDatabase();

interface CollectionPage {
  title: string;
  is_shared: boolean;
  unseen: number | null;
  items: { note: string | null; version: number | null; solution: { id: string } }[];
}

const collect = async (actor: Actor, title = 'Bow holds') => {
  const id = randomUUID();
  const answer = await as(actor, 'insert into collections (id, user_id, title) values ($1, $2, $3)', [
    id,
    people[actor] ?? null,
    title,
  ]);
  return { ...answer, id };
};
const save = (actor: Actor, collection: string, id: string, note: string | null = null) =>
  as(
    actor,
    'insert into collection_items (collection_id, user_id, solution_id, note) values ($1, $2, $3, $4)',
    [collection, people[actor] ?? null, id, note],
  );
const share = (actor: Actor, id: string, shared = true) =>
  as(actor, 'update collections set is_shared = $2 where id = $1', [id, shared]);
const opened = async (actor: Actor, id: string) =>
  (await as<{ page: CollectionPage | null }>(actor, 'select collection_page($1) as page', [id])).rows[0]
    ?.page ?? null;

describe('a collection', () => {
  it('is made, changed and read by its owner alone', async () => {
    expect((await collect('visitor')).code).toBe('42501');
    const { id, rowCount } = await collect('colleague');
    expect(rowCount).toBe(1);
    const case1 = await solution();
    expect((await save('colleague', id, case1, 'Ask about the spring')).rowCount).toBe(1);
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      expect((await as(actor, 'select from collections')).rowCount).toBe(0);
      expect((await as(actor, 'select from collection_items')).rowCount).toBe(0);
      expect((await share(actor, id)).rowCount).toBe(0);
      expect((await save(actor, id, case1)).code).toMatch(/^(23503|23505)$/);
      expect((await as(actor, "update collection_items set note = 'x'")).rowCount).toBe(0);
      expect((await as(actor, 'delete from collections')).rowCount).toBe(0);
      expect((await as(actor, 'delete from collection_items')).rowCount).toBe(0);
      expect(await opened(actor, id)).toBeNull();
    }
    expect(
      (
        await as('author', 'insert into collections (user_id, title) values ($1, $2)', [
          people.colleague,
          'x',
        ])
      ).code,
    ).toBe('42501');
    expect(await opened('visitor', id)).toBeNull();
    expect((await as('colleague', "update collection_items set note = 'Asked'")).rowCount).toBe(1);
    for (const actor of ['author', 'admin'] as const)
      expect((await as(actor, "update collections set title = 'Mine'")).rowCount).toBe(0);
    expect((await as('colleague', "update collections set title = 'Bows'")).rowCount).toBe(1);
    expect(await opened('colleague', id)).toMatchObject({
      title: 'Bows',
      items: [{ note: 'Asked', version: 1, published_at: expect.any(String), solution: { id: case1 } }],
    });
  });

  it('that is shared is read by everyone with its address, until it no longer is, and found by no one without', async () => {
    const { id } = await collect('colleague');
    await save('colleague', id, await solution(), 'Good');
    await share('colleague', id);
    for (const actor of ['visitor', 'author', 'colleague'] as const)
      expect(await opened(actor, id)).toMatchObject({ title: 'Bow holds', items: [{ note: 'Good' }] });
    expect((await as('author', 'select from collections')).rowCount).toBe(0);
    expect((await as('visitor', 'select from collections')).code).toBe('42501');
    await share('colleague', id, false);
    expect(await opened('visitor', id)).toBeNull();
    expect(await opened('colleague', id)).not.toBeNull();
  });

  it('never shows a case that its reader may not see', async () => {
    const { id } = await collect('colleague', 'Hostile');
    const [open, foreign] = [await solution(), await solution('pending')];
    const refused = await solution('rejected');
    await save('colleague', id, open);
    for (const hidden of [foreign, refused]) expect((await save('colleague', id, hidden)).code).toBe('42501');
    expect((await save('colleague', id, randomUUID())).code).toBe('42501');
    // As it stands when a case that was saved is no longer public.
    await owner(
      `insert into collection_items (collection_id, user_id, solution_id, note) select $1, $2, s, 'Seen' from unnest($3::uuid[]) s`,
      [id, people.colleague, [foreign, refused]],
    );
    await share('colleague', id);
    for (const actor of ['visitor', 'colleague', 'author', 'moderator'] as const) {
      const page = await opened(actor, id);
      expect(
        page?.items.map((item) => item.solution.id),
        actor,
      ).toEqual([open]);
      expect(page?.unseen, actor).toBe(actor === 'colleague' ? 2 : null);
      for (const hidden of [foreign, refused]) expect(JSON.stringify(page)).not.toContain(hidden);
      expect(JSON.stringify(page)).not.toContain('Seen');
    }
  });

  it('takes a title and short notes, fifty collections and three hundred solutions a day', async () => {
    expect((await collect('colleague', ' ')).message).toContain('Please enter a title');
    expect((await collect('colleague', 'x'.repeat(121))).message).toContain('at most 120 characters');
    const { id } = await collect('colleague');
    const case1 = await solution();
    expect((await save('colleague', id, case1, 'x'.repeat(1001))).message).toContain(
      'at most 1000 characters',
    );
    expect((await save('colleague', id, case1, 'x'.repeat(1000))).rowCount).toBe(1);
    expect((await save('colleague', id, case1)).code).toBe('23505');
    await owner("insert into collections (user_id, title) select $1, 'More' from generate_series(1, 49)", [
      people.colleague,
    ]);
    expect((await collect('colleague')).message).toContain('PT429');
    expect((await collect('author')).rowCount).toBe(1);

    const cases = [case1, ...(await Promise.all(Array.from({ length: 5 }, () => solution())))];
    await owner(
      `insert into collection_items (collection_id, user_id, solution_id)
       select c.id, c.user_id, s.id from collections c, solutions s where c.user_id = $1 and s.id = any ($2) and (c.id, s.id) <> ($3, $4)`,
      [people.colleague, cases.slice(0, 6), id, case1],
    );
    const another = await solution();
    expect((await save('colleague', id, another)).message).toContain('You have saved 300 solutions');
    await owner("update collection_items set created_at = now() - interval '25 hours'");
    expect((await save('colleague', id, another)).rowCount).toBe(1);
  });

  it('that is shared can be reported, and moderators take its link away for good, with a reason and a trace', async () => {
    const { id } = await collect('colleague', 'Names a patient');
    await save('colleague', id, await solution(), 'Mr Smith');
    const report = (actor: Actor) =>
      as(
        actor,
        "insert into content_reports (content_type, content_id, reason) values ('collection', $1, 'A name')",
        [id],
      );
    const stop = (actor: Actor, reason = 'A note names a patient.') =>
      as(actor, 'select stop_sharing($1, $2)', [id, reason]);
    expect((await report('author')).code).toBe('42501');
    await share('colleague', id);
    expect((await report('visitor')).code).toBe('42501');
    expect((await report('author')).rowCount).toBe(1);
    expect((await report('author')).code).toBe('23505');
    expect(await opened('moderator', id)).toMatchObject({ items: [{ note: 'Mr Smith' }] });
    for (const actor of ['visitor', 'author', 'colleague'] as const)
      expect((await stop(actor)).code, actor).toBe('42501');
    expect((await stop('moderator', ' ')).message).toContain('Please give the owner a reason');
    expect((await stop('moderator', 'x'.repeat(10_001))).code).toBe('23514');
    expect(await opened('visitor', id)).not.toBeNull();

    expect((await stop('moderator')).rowCount).toBe(1);
    for (const actor of ['visitor', 'author', 'moderator'] as const)
      expect(await opened(actor, id), actor).toBeNull();
    expect(await opened('colleague', id)).toMatchObject({ is_shared: false, items: [{ note: 'Mr Smith' }] });
    expect((await stop('moderator')).message).toContain('This collection is no longer shared');
    expect((await share('colleague', id)).message).toContain('removed the link of this collection');
    expect(
      (await as('colleague', 'update collections set link_removed_at = null where id = $1', [id])).code,
    ).toBe('42501');
    expect((await as('colleague', "update collections set title = 'Bows'")).rowCount).toBe(1);
    expect(
      await owner('select status, resolved_by from content_reports where content_id = $1', [id]),
    ).toEqual([{ status: 'resolved', resolved_by: people.moderator }]);
    expect(
      await owner(
        'select m.content, n.type from messages m join notifications n on n.message_id = m.id where n.user_id = $1',
        [people.colleague],
      ),
    ).toEqual([{ content: 'A note names a patient.', type: 'collection_unshared' }]);
    expect(
      await owner("select actor_id, before, after from audit_events where action = 'collection_unshared'"),
    ).toEqual([
      {
        actor_id: people.moderator,
        before: { title: 'Names a patient' },
        after: { reason: 'A note names a patient.' },
      },
    ]);
    // A backup from before is restored without the link.
    const [again] = await owner<{ id: string }>(
      "insert into collections (user_id, title, is_shared) values ($1, 'Back', true) returning id",
      [people.colleague],
    );
    expect(await owner("select kind, id from private.deletions_since('-infinity')")).toContainEqual({
      kind: 'collection',
      id,
    });
    await owner("select private.repeat_deletion('collection', $1, null)", [again?.id]);
    expect(await opened('visitor', again?.id ?? '')).toBeNull();
    const [data] = (
      await as<{ data: Record<string, unknown[]> }>('colleague', 'select export_account() as data')
    ).rows;
    expect(data?.data.collections).toContainEqual(
      expect.objectContaining({ id, link_removed_at: expect.any(String) }),
    );
  });

  it('goes with its owner’s account, and its cases with the solution', async () => {
    const { id } = await collect('colleague');
    const case1 = await solution();
    await save('colleague', id, case1, 'Good');
    const [data] = (
      await as<{ data: Record<string, unknown[]> }>('colleague', 'select export_account() as data')
    ).rows;
    expect(data?.data.collections).toHaveLength(1);
    expect(data?.data.collection_items).toMatchObject([{ note: 'Good' }]);
    await owner('delete from solutions where id = $1', [case1]);
    expect(await owner('select from collection_items')).toEqual([]);
    await owner("select private.erase_account($1, 'keep')", [people.colleague]);
    expect(await owner('select from collections')).toEqual([]);
  });
});
