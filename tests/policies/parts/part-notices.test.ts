import { describe, expect, it } from 'vitest';
import { type Actor, type Member, openDatabase, people } from '../fixtures.ts';
import { openParts } from './parts.ts';

const world = openDatabase();
const { as, ask, owner, column, value, insert, solution, submitted, approve, resubmit, revisionOf } = world;
const { withPart, addPart, saves, tries, narrow } = openParts(world);

const wantMail = () => owner('update profiles set email_notifications = true');
const write = (fields: object = {}, actor: Actor = 'moderator') =>
  insert(actor, 'part_notices', {
    maker: 'Otto Bock',
    part_number: '4 R 54',
    kind: 'recall',
    content: 'The screw shears.',
    ...fields,
  });
const withdraw = (actor: Actor = 'moderator') =>
  as(actor, 'update part_notices set ended_at = now() where ended_at is null');
/** Who was told, by name, each as often as they were. */
const told = async () =>
  (await column<string>("select user_id from notifications where type = 'part_notice'"))
    .map((id) => (Object.keys(people) as Member[]).find((name) => people[name] === id))
    .sort();
const mailed = async () =>
  (
    await column<string>(
      "select user_id from private.mail_jobs where notice ->> 'type' = 'part_notice' and not digest and due_at <= now()",
    )
  )
    .map((id) => (Object.keys(people) as Member[]).find((name) => people[name] === id))
    .sort();
const shown = async (actor: Actor, id: string) =>
  (await as<{ content: string }>(actor, 'select * from part_notices_of($1)', [id])).rows;

describe('a notice on a part', () => {
  it('is written and withdrawn by moderators, with an entry in the audit log, and replaces the one before', async () => {
    for (const actor of ['visitor', 'author', 'colleague'] as const)
      expect((await write({}, actor)).code).toBe('42501');
    expect((await write()).rowCount).toBe(1);
    expect(
      (await write({ maker: 'OTTOBOCK', part_number: '4R54', kind: 'caution' }, 'moderator2')).rowCount,
    ).toBe(1);
    expect(await column('select kind from part_notices where ended_at is null')).toEqual(['caution']);
    expect((await withdraw('author')).rowCount).toBe(0);
    expect((await withdraw()).rowCount).toBe(1);
    expect((await withdraw()).rowCount).toBe(0);
    expect(await value('select ended_by from part_notices where kind = $1', ['caution'])).toBe(
      people.moderator,
    );
    expect(
      await owner(
        "select actor_id, action, target_id, before, after from audit_events where target_type = 'part' order by id",
      ),
    ).toMatchObject([
      {
        actor_id: people.moderator,
        action: 'part_notice_written',
        target_id: 'ottobock4r54',
        after: { kind: 'recall' },
      },
      { actor_id: people.moderator2, action: 'part_notice_written', after: { kind: 'caution' } },
      {
        actor_id: people.moderator,
        action: 'part_notice_withdrawn',
        before: { kind: 'caution' },
        after: null,
      },
    ]);
  });

  it('says how many public solutions it stands on, however their numbers are written', async () => {
    const count = () => ask<number>('moderator', 'count_solutions_with', ['Otto Bock', '4 R 54']);
    expect(await count()).toBe(0);
    const one = await withPart('Ottobock', '4R54');
    await addPart(one, 'OTTO BOCK', '4r-54');
    await withPart('otto bock', '4R54');
    await withPart('Ottobock', '4R54', 'pending');
    expect(await count()).toBe(2);
  });

  it('is not read with who wrote it, and by moderators alone once it has ended', async () => {
    await write();
    await withdraw();
    await write({ content: 'It breaks.' });
    const read = async (actor: Actor) => (await as(actor, 'select content from part_notices')).rowCount;
    expect([await read('visitor'), await read('author'), await read('moderator')]).toEqual([1, 1, 2]);
    expect((await as('moderator', 'select user_id from part_notices')).code).toBe('42501');
    expect((await as('moderator', "update part_notices set content = 'All is well.'")).code).toBe('42501');
  });

  it('is shown on every solution whose parts match, also on one that gets the part later', async () => {
    const [one, other] = [await withPart('ottobock', '4-R-54'), await withPart('Ottobock', '4R55')];
    const pending = await withPart(null, 'Ottobock 4R54', 'pending');
    await write();
    expect(await shown('visitor', one)).toMatchObject([
      { kind: 'recall', content: 'The screw shears.', part_number: '4 R 54' },
    ]);
    expect(await shown('visitor', other)).toEqual([]);
    expect(await shown('author', pending)).toHaveLength(1);
    expect(await shown('visitor', pending)).toEqual([]);
    const before = await told();
    await addPart(other, 'Ottobock', '4R54');
    expect(await shown('visitor', other)).toHaveLength(1);
    expect(await told()).toEqual(before);
    await withdraw();
    expect(await shown('visitor', one)).toEqual([]);
  });

  it('is told once to each who shared, tried or saved, on the site and by email, and not to who wrote it', async () => {
    const ids = [await withPart('Ottobock', '4R54'), await withPart('Ottobock', '4r 54')];
    await withPart('Ottobock', '4R54', 'pending', 'admin2');
    await withPart('Ottobock', '4R55', 'approved', 'admin');
    for (const id of ids) {
      await saves('colleague', id);
      await tries('colleague', id);
      await saves('author', id);
    }
    await saves('moderator2', ids[0] ?? '');
    await saves('moderator', ids[0] ?? '');
    await wantMail();
    await write();
    const all = ['admin2', 'author', 'colleague', 'moderator2'];
    expect(await told()).toEqual(all);
    expect(await mailed()).toEqual(all);
    await expect(
      owner(
        'insert into notifications (user_id, type, part_notice_id) select user_id, type, part_notice_id from notifications where part_notice_id is not null limit 1',
      ),
    ).rejects.toMatchObject({ code: '23505' });
  });

  it('reaches who wants no notifications, by email who wants that, and takes all of it back when it is withdrawn or replaced', async () => {
    const id = await withPart('Ottobock', '4R54');
    await saves('colleague', id);
    await tries('admin2', id);
    await wantMail();
    await owner('update profiles set allow_notifications = false where id = $1', [people.colleague]);
    await owner('update profiles set email_notifications = false where id = $1', [people.admin2]);
    await write();
    expect(await told()).toEqual(['admin2', 'author', 'colleague']);
    expect(await mailed()).toEqual(['author', 'colleague']);
    await write({ content: 'The screw shears below 0 °C.' });
    expect(await told()).toEqual(['admin2', 'author', 'colleague']);
    expect(await mailed()).toEqual(['author', 'colleague']);
    await withdraw();
    expect([await told(), await mailed()]).toEqual([[], []]);
  });

  it('names its kind, part and text to who is told', async () => {
    await withPart('Ottobock', '4R54');
    await write();
    expect(
      (
        await as(
          'author',
          'select n.actor_id, p.maker, p.kind from notifications n join part_notices p on p.id = n.part_notice_id',
        )
      ).rows,
    ).toEqual([{ actor_id: null, maker: 'Otto Bock', kind: 'recall' }]);
  });
});

describe('a restricted case with the part', () => {
  /** All that a member and a visitor see around a part, as it comes to them. */
  const seen = async (ids: string[]) => {
    const rows: unknown[] = [];
    for (const actor of ['visitor', 'colleague'] as const)
      for (const id of ids)
        rows.push(
          await shown(actor, id),
          await ask(actor, 'browse_solutions', { search: 'ottobock 4r54' }),
          (await as(actor, 'select maker, part_number, kind, content from part_notices')).rows,
        );
    rows.push(
      (await as('colleague', "select type, is_read from notifications where type = 'part_notice'")).rows,
    );
    // The notice is another one each time.
    return JSON.stringify(rows).replaceAll(await value('select id from part_notices'), 'its id');
  };

  it('is not betrayed by it: to who may not read it all bytes are the same as of one without the part', async () => {
    const open = await withPart('Ottobock', '4R54');
    const restricted = await solution();
    await saves('colleague', restricted);
    await tries('colleague', restricted);
    await narrow(restricted, 'checked');
    await wantMail();
    await owner('savepoint without');
    await write();
    const without = await seen([open, restricted]);
    await owner('rollback to savepoint without');
    await addPart(restricted, 'Ottobock', '4R54');
    await write();
    expect(await seen([open, restricted])).toBe(without);
    expect(await told()).toEqual(['author']);
    expect(await mailed()).toEqual(['author']);
  });

  it('is told of to who saved it and may still read it', async () => {
    const restricted = await withPart('Ottobock', '4R54', 'approved', 'admin2');
    await saves('colleague', restricted);
    await narrow(restricted, 'members');
    await write();
    expect(await told()).toEqual(['admin2', 'colleague']);
    expect(await shown('colleague', restricted)).toHaveLength(1);
    expect(await shown('visitor', restricted)).toEqual([]);
  });

  it('is not told of to who saved it before it was taken back, or while they are banned', async () => {
    const back = await withPart('Ottobock', '4R54', 'rejected');
    await saves('colleague', back);
    const members = await withPart('Ottobock', '4R54');
    await saves('admin2', members);
    await saves('colleague', members);
    await narrow(members, 'members');
    await world.ban('colleague');
    await write();
    expect(await told()).toEqual(['admin2', 'author']);
  });
});

describe('the mark of a solution', () => {
  const mark = (id: string) => value<string | null>('select safety_kind from solutions where id = $1', [id]);
  const marks = (ids: string[]) =>
    column('select safety_kind from solutions where id = any ($1) order by array_position($1, id)', [ids]);
  const part = (part_number: string) => ({
    fabrication: { tools: [], steps: [], parts: [{ component: 'Adapter', maker: 'Ottobock', part_number }] },
  });

  it('follows the notices on its parts, of a solution that is not public or restricted too, and of no other', async () => {
    const restricted = await withPart('Otto-Bock', '4R54');
    await narrow(restricted, 'checked');
    const all = [
      await withPart('ottobock', '4-R-54'),
      restricted,
      await withPart('Ottobock', '4R54', 'pending'),
      await withPart('Ottobock', '4R55'),
      await withPart('Ottobock', null),
    ];
    await write();
    expect(await marks(all)).toEqual(['part_recall', 'part_recall', 'part_recall', null, null]);
    expect(
      (await as('visitor', 'select safety_kind from solutions where safety_kind is not null')).rows,
    ).toEqual([{ safety_kind: 'part_recall' }]);
    await write({ kind: 'caution' });
    expect(await marks(all)).toEqual(['part_caution', 'part_caution', 'part_caution', null, null]);
    await withdraw();
    expect(await marks(all)).toEqual([null, null, null, null, null]);
  });

  it('says the gravest, of the solution itself before its parts, and stays while one notice holds', async () => {
    const id = await withPart('Ottobock', '4R54');
    await addPart(id, 'Ottobock', '4R55');
    const says = async (own: string | null, ...parts: string[]) => {
      await owner('update safety_notices set ended_at = now(); update part_notices set ended_at = now()');
      if (own)
        await insert('author', 'safety_notices', { solution_id: id, kind: own, content: 'It shears.' });
      for (const [place, kind] of parts.entries()) await write({ part_number: `4R5${4 + place}`, kind });
      return mark(id);
    };
    expect(await says(null, 'caution', 'recall')).toBe('part_recall');
    expect(await says('caution', 'caution')).toBe('caution');
    expect(await says('caution', 'recall')).toBe('part_recall');
    expect(await says('recall', 'recall')).toBe('recall');
    await as('author', 'update safety_notices set ended_at = now() where ended_at is null');
    expect(await mark(id)).toBe('part_recall');
    await withdraw();
    expect(await mark(id)).toBeNull();
  });

  it('comes with the part and goes with it, when the new version of its author is approved', async () => {
    await write();
    const id = await submitted(part('4R54'));
    expect(await mark(id)).toBe('part_recall');
    await approve(id);
    expect(await mark(id)).toBe('part_recall');
    await resubmit(id, part('4R55'));
    expect(await mark(id)).toBe('part_recall');
    await approve(await revisionOf(id));
    expect(await mark(id)).toBeNull();
    await resubmit(id, part('4R54'));
    expect(await mark(id)).toBeNull();
    await approve(await revisionOf(id));
    expect(await mark(id)).toBe('part_recall');
    await resubmit(id, { fabrication: null });
    await approve(await revisionOf(id));
    expect(await mark(id)).toBeNull();
  });

  it('is no notice of its own: translations of the solution are not urgent for it', async () => {
    const id = await withPart('Ottobock', '4R54');
    await owner(
      `insert into solution_translations (solution_id, version, language, user_id, texts) values ($1, 1, 'es', $2, '{"title": "Adaptador"}')`,
      [id, people.colleague],
    );
    const due = async () =>
      (
        await as<{ due_at: Date | null }>(
          'moderator',
          "select due_at from review_queue where kind = 'translation'",
        )
      ).rows;
    await write();
    expect(await due()).toEqual([{ due_at: null }]);
    await insert('author', 'safety_notices', { solution_id: id, kind: 'caution', content: 'It shears.' });
    expect(await due()).toEqual([{ due_at: expect.any(Date) }]);
  });
});
