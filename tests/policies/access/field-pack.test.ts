import { describe, expect, it } from 'vitest';
import { type Member, openDatabase, people } from '../fixtures.ts';
import { createScene } from './scene.ts';

const world = openDatabase();
const { as, owner, value, published, resubmit, approve } = world;

/** What tells whether a pack of an earlier moment may still be given. */
const stateAt = (moment: string) => value<string>('select field_pack_state($1)', [moment]);
const now = () => value<string>('select clock_timestamp()::text');

describe('whether a field pack may still be given', () => {
  it('changes with everything that goes, and with a notice', async () => {
    const { solutions } = await createScene(world);
    const shown = solutions.approved;
    const translation = await value(
      `insert into solution_translations (solution_id, version, language, user_id, texts, status, approved_at)
       select id, version, 'mt', $2, '{"title": "Sokit"}', 'approved', now() from solutions where id = $1 returning id`,
      [shown, people.colleague],
    );
    // A scene is one transaction, in which all is written at one moment.
    await owner(
      "update solutions set approved_at = approved_at - interval '1 minute' where status = 'approved'",
    );
    const moment = await now();
    const changes: Record<string, () => Promise<unknown>> = {
      'an image is hidden': () =>
        owner('update solution_media set hidden_at = now() where solution_id = $1 and hidden_at is null', [
          shown,
        ]),
      'its translator leaves': () =>
        owner('update solution_translations set user_id = null where id = $1', [translation]),
      'a translation is withdrawn': () =>
        owner('delete from solution_translations where id = $1', [translation]),
      'a moderator warns of it': () =>
        as(
          'moderator',
          "insert into safety_notices (solution_id, kind, content) values ($1, 'recall', 'Stop using it.')",
          [shown],
        ),
      'a moderator warns of a part': () =>
        as(
          'moderator',
          "insert into part_notices (maker, part_number, kind, content) values ('Ottobock', '4R54', 'recall', 'It breaks.')",
        ),
      'a new version replaces it': async () => {
        await resubmit(shown, { description: `${'Without what was in it before. '.repeat(4)}` });
        await approve(shown);
      },
      'its author leaves': () => owner('update solutions set user_id = null where id = $1', [shown]),
      'only members may see it': () =>
        owner("update solutions set audience = 'members' where id = $1", [shown]),
      'it is withdrawn': () => owner('delete from solutions where id = $1', [shown]),
    };
    let before = await stateAt(moment);
    for (const [what, change] of Object.entries(changes)) {
      if (what === 'it is withdrawn') {
        await owner("update solutions set audience = 'public' where id = $1", [shown]);
        before = await stateAt(moment);
      }
      await change();
      const after = await stateAt(moment);
      expect(after, what).not.toBe(before);
      before = after;
    }
  });

  it('stays the same with what comes, is liked or discussed', async () => {
    const { solutions } = await createScene(world);
    const moment = await now();
    const before = await stateAt(moment);
    await owner("update solutions set approved_at = now() + interval '1 minute' where id = $1", [
      await published(),
    ]);
    const other: Member = 'moderator2';
    await as(other, 'insert into likes (solution_id, user_id) values ($1, $2)', [
      solutions.approved,
      people[other],
    ]);
    await as(other, "insert into comments (solution_id, content) values ($1, 'Thank you.')", [
      solutions.approved,
    ]);
    expect(await stateAt(moment)).toBe(before);
  });

  it('is asked by the site alone', async () => {
    for (const actor of ['visitor', 'colleague', 'admin'] as const)
      expect((await as(actor, 'select field_pack_state(now())')).message, actor).toContain(
        'permission denied',
      );
  });
});
