import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, ask, owner, column, insert, approve, solution, ...world } = openDatabase();

const share = (actor: Actor, basedOn: unknown) => world.submit({ based_on: basedOn }, { actor });
const shared = (actor: Actor, source: string) => world.submitted({ based_on: [source] }, { actor });
const edit = (actor: Actor, id: string, basedOn: unknown) =>
  world.resubmit(id, { based_on: basedOn }, { actor });
const links = async (actor: Actor) =>
  (
    await as<{ solution_id: string; source_id: string }>(
      actor,
      'select solution_id, source_id from solution_sources',
    )
  ).rows;

describe('what a solution is based on', () => {
  it('is seen by the readers of both, and by the others once it is approved', async () => {
    const source = await solution('approved', 'colleague');
    const id = await shared('author', source);
    expect(await links('colleague')).toEqual([]);
    await approve(id);
    expect(await links('visitor')).toEqual([{ solution_id: id, source_id: source }]);
    await owner("update solutions set status = 'pending' where id = $1", [source]);
    expect(await links('visitor')).toEqual([]);
  });

  it('leaves nothing in a version by which a hidden source is found', async () => {
    const source = await solution('approved', 'colleague');
    const id = await shared('author', source);
    await approve(id);
    await owner("update solutions set audience = 'checked' where id = $1", [source]);
    const read = await as<{ content: { based_on: string[] } }>(
      'visitor',
      'select content from solution_versions where solution_id = $1',
      [id],
    );
    expect(read.rows[0]?.content.based_on).toHaveLength(1);
    expect(JSON.stringify(read.rows)).not.toContain(source);
    expect(await links('visitor')).toEqual([]);
    expect(await links('moderator')).toHaveLength(1);
    // Its title comes with the mark for who sees it.
    const named = (actor: Actor) =>
      as(actor, 'select id from marked_solutions($1)', [read.rows[0]?.content.based_on]);
    expect((await named('visitor')).rows).toEqual([]);
    expect((await named('moderator')).rows).toEqual([{ id: source }]);
  });

  it('is published solutions alone, at most five, and not itself', async () => {
    const sources = await Promise.all(Array.from({ length: 6 }, () => solution('approved', 'colleague')));
    const hidden = await solution('pending', 'colleague');
    expect((await share('author', [hidden])).message).toBe(
      'A solution can be based on published solutions only',
    );
    expect((await share('author', sources)).message).toMatch(/at most 5 others|position_check/);
    expect((await share('author', ['not an id'])).code).toBe('23514');
    const id = await world.submitted({ based_on: sources.slice(0, 5) });
    await approve(id);
    expect((await edit('author', id, [id])).message).toBe('A solution cannot be based on itself');
    expect(await links('visitor')).toHaveLength(5);
    expect((await edit('author', id, sources.slice(1, 2))).code).toBeUndefined();
    expect(await links('visitor')).toHaveLength(5);
    await approve(id);
    expect(await links('visitor')).toEqual([{ solution_id: id, source_id: sources[1] }]);
  });

  it('never makes a circle, not even of two that are approved one after the other', async () => {
    const first = await solution('approved');
    const second = await shared('colleague', first);
    await approve(second);
    const third = await shared('colleague', second);
    await approve(third);
    expect((await edit('author', first, [third])).message).toBe(
      'This solution is already based on yours, directly or through others',
    );
    const [one, other] = [await solution('approved'), await solution('approved', 'colleague')];
    await edit('author', one, [other]);
    await edit('colleague', other, [one]);
    await approve(one);
    await approve(other);
    const between = await column('select solution_id from solution_sources where solution_id in ($1, $2)', [
      one,
      other,
    ]);
    expect(between).toEqual([one]);
  });

  it('makes a family over several generations, in which each reader sees what they may read', async () => {
    const adapt = async (actor: Actor, source: string) => {
      const id = await shared(actor, source);
      await approve(id);
      return id;
    };
    const grandparent = await solution('approved', 'colleague');
    const parent = await adapt('author', grandparent);
    const child = await adapt('colleague', parent);
    const cousin = await adapt('colleague', grandparent);
    await share('author', [parent]);
    const family = async (actor: Actor, of: string) =>
      (await as(actor, 'select kind, parent_id, solution_id from family_tree($1)', [of])).rows.map(
        Object.values,
      );
    // One that waits for review is in no family, not even for its author.
    const seen = await family('author', grandparent);
    expect(seen).toHaveLength(3);
    expect(seen.slice(0, 2)).toContainEqual(['adaptation', grandparent, parent]);
    expect(seen.slice(0, 2)).toContainEqual(['adaptation', grandparent, cousin]);
    expect(seen[2]).toEqual(['adaptation', parent, child]);
    expect(await family('visitor', child)).toEqual([
      ['source', child, parent],
      ['source', parent, grandparent],
    ]);
    await owner("update solutions set audience = 'members' where id = $1", [parent]);
    expect(await family('visitor', grandparent)).toEqual([['adaptation', grandparent, cousin]]);
    expect(await family('visitor', child)).toEqual([]);
    expect(await family('author', child)).toHaveLength(2);
  });

  it('has an end, however large the family', async () => {
    const source = await solution('approved', 'colleague');
    await owner(
      `with copies as (
         insert into solutions (user_id, title, description, occupation, amputation_level, prosthesis_type, cost_range, age_group, materials)
         select user_id, title, description, occupation, amputation_level, prosthesis_type, cost_range, age_group, materials
         from solutions, generate_series(1, 70) where id = $1 returning id
       ) insert into solution_sources (solution_id, source_id) select id, $1 from copies`,
      [source],
    );
    await owner('set local session_replication_role = replica');
    await owner("update solutions set status = 'approved' where status = 'pending'");
    await owner('set local session_replication_role = default');
    expect((await as('visitor', 'select from family_tree($1)', [source])).rowCount).toBe(60);
  });

  it('is said of what is published with a new version only', async () => {
    const source = await solution('approved', 'colleague');
    const [pending, approved] = [await solution('pending'), await solution('approved')];
    const add = (id: string) => insert('author', 'solution_sources', { solution_id: id, source_id: source });
    expect((await add(approved)).message).toBe(
      'This solution is published. Submit your changes as a new version.',
    );
    expect((await add(pending)).rowCount).toBe(1);
    await approve(pending);
    expect((await as('author', 'delete from solution_sources')).message).toContain(
      'This solution is published.',
    );
  });

  it('is told to the author of the original once, with the approval', async () => {
    const source = await solution('approved', 'colleague');
    const id = await shared('author', source);
    const told = () =>
      owner("select user_id, actor_id, solution_id from notifications where type = 'adaptation'");
    expect(await told()).toEqual([]);
    await approve(id);
    const notice = { user_id: people.colleague, actor_id: people.author, solution_id: source };
    expect(await told()).toEqual([notice]);
    await edit('author', id, [source]);
    await approve(id);
    expect(await told()).toEqual([notice]);
  });

  it('stays out of a form that does not know of it', async () => {
    const source = await solution('approved', 'colleague');
    const id = await shared('author', source);
    await approve(id);
    expect((await edit('author', id, undefined)).code).toBeUndefined();
    await approve(id);
    expect(await links('visitor')).toEqual([{ solution_id: id, source_id: source }]);
  });
});
