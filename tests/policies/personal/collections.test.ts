import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, ask, owner, value, insert, solution, repeat } = openDatabase();

interface CollectionPage {
  title: string;
  is_shared: boolean;
  unseen: number | null;
  items: { note: string | null; version: number | null; solution: { id: string } }[];
}

const collect = async (actor: Actor, title = 'Bow holds') => {
  const id = randomUUID();
  return { ...(await insert(actor, 'collections', { id, user_id: people[actor], title })), id };
};
const save = (actor: Actor, collection_id: string, solution_id: string, note: string | null = null) =>
  insert(actor, 'collection_items', { collection_id, solution_id, note });
const share = (actor: Actor, id: string, shared = true) =>
  as(actor, 'update collections set is_shared = $2 where id = $1', [id, shared]);
const opened = (actor: Actor, id: string) => ask<CollectionPage | null>(actor, 'collection_page', [id]);

describe('a collection', () => {
  it('is opened by its owner alone, and takes what is of others into no one else’s', async () => {
    const { id } = await collect('colleague');
    const case1 = await solution();
    expect((await save('colleague', id, case1, 'Asked')).rowCount).toBe(1);
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      expect((await save(actor, id, case1)).code).toMatch(/^(23503|23505)$/);
      expect(await opened(actor, id)).toBeNull();
    }
    expect(await opened('visitor', id)).toBeNull();
    expect(await opened('colleague', id)).toMatchObject({
      title: 'Bow holds',
      items: [{ note: 'Asked', version: 1, published_at: expect.any(String), solution: { id: case1 } }],
    });
  });

  it('that is shared is read by everyone with its address, until it no longer is, and found by no one without', async () => {
    const { id } = await collect('colleague');
    await save('colleague', id, await solution(), 'Good');
    await share('colleague', id);
    for (const actor of ['visitor', 'author', 'colleague'] as const)
      expect(await opened(actor, id)).toMatchObject({ title: 'Bow holds', items: [{ note: 'Good' }] });
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

  it('takes fifty collections and three hundred solutions a day, each once', async () => {
    const { id } = await collect('colleague');
    const case1 = await solution();
    expect((await save('colleague', id, case1)).rowCount).toBe(1);
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
    const report = () =>
      insert('author', 'content_reports', { content_type: 'collection', content_id: id, reason: 'A name' });
    const stop = (actor: Actor, reason = 'A note names a patient.') =>
      as(actor, 'select stop_sharing($1, $2)', [id, reason]);
    expect((await report()).code).toBe('42501');
    await share('colleague', id);
    expect((await report()).rowCount).toBe(1);
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
    const again = await value(
      "insert into collections (user_id, title, is_shared) values ($1, 'Back', true) returning id",
      [people.colleague],
    );
    expect(await owner("select kind, id from private.deletions_since('-infinity')")).toContainEqual({
      kind: 'collection',
      id,
    });
    await repeat([{ at: new Date().toISOString(), kind: 'collection', id: again }]);
    expect(await opened('visitor', again)).toBeNull();
    expect((await ask<{ collections: unknown[] }>('colleague', 'export_account')).collections).toContainEqual(
      expect.objectContaining({ id, link_removed_at: expect.any(String) }),
    );
  });

  it('goes with its owner’s account, and its cases with the solution', async () => {
    const { id } = await collect('colleague');
    const case1 = await solution();
    await save('colleague', id, case1, 'Good');
    expect(await ask('colleague', 'export_account')).toMatchObject({
      collections: [{ id }],
      collection_items: [{ note: 'Good' }],
    });
    await owner('delete from solutions where id = $1', [case1]);
    expect(await owner('select from collection_items')).toEqual([]);
    await owner("select private.erase_account($1, 'keep')", [people.colleague]);
    expect(await owner('select from collections')).toEqual([]);
  });
});
