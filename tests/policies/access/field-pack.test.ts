import { describe, expect, it } from 'vitest';
import { type Member, openDatabase, people } from '../fixtures.ts';
import { createScene } from './scene.ts';

const world = openDatabase();
const { as, owner, value, column, published, submitted, resubmit, approve, upload, backdate } = world;

/** What tells whether a pack of an earlier moment may still be given. */
const stateAt = (moment: string) => value<string>('select field_pack_state($1)', [moment]);
/** A moment after all that is there; a test is one transaction, in which all is written at one moment. */
async function packedNow(): Promise<string> {
  await backdate('solutions', "approved_at = approved_at - interval '1 minute'");
  await backdate('solution_versions', "published_at = published_at - interval '1 minute'");
  await backdate('solution_translations', "approved_at = approved_at - interval '1 minute'");
  return value<string>("select (now() - interval '1 second')::text");
}

describe('whether a field pack may still be given', () => {
  it('changes with everything that goes, and with a notice', async () => {
    const { solutions } = await createScene(world);
    const shown = solutions.approved;
    const translation = await value(
      `insert into solution_translations (solution_id, version, language, user_id, texts, status, approved_at)
       select id, version, 'mt', $2, '{"title": "Sokit"}', 'approved', now() from solutions where id = $1 returning id`,
      [shown, people.colleague],
    );
    const moment = await packedNow();
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
      'a new version removes personal details': async () => {
        await resubmit(shown, {
          description: `${'Without what was in it before. '.repeat(4)}`,
          removes_details: true,
        });
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
    const moment = await packedNow();
    const before = await stateAt(moment);
    await published();
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

  it('stays the same with a new version, image and translation, also where one leaves an image out, and changes where one was hidden', async () => {
    const media = async (id: string) => [
      ...(await column<string>(
        'select media_url from solution_media where solution_id = $1 and hidden_at is null order by position',
        [id],
      )),
    ];
    const revise = async (id: string, urls: string[], description: string) => {
      const { message } = await resubmit(
        id,
        { description: description.repeat(4), licence: 'CC BY 4.0' },
        { media: urls.map((media_url) => ({ media_url })) },
      );
      expect(message).toBeUndefined();
      expect(await approve(id)).toMatchObject({ rowCount: 1 });
    };
    const translate = async (id: string, title: string) => {
      const { rows } = await as<{ id: string }>(
        'colleague',
        `select submit_translation($1, 1, 'es', $2) as id`,
        [id, JSON.stringify({ title, description: 'Lo que decía.' })],
      );
      await as('moderator', "update solution_translations set status = 'approved' where id = $1", [
        rows[0]?.id,
      ]);
    };
    const id = await submitted(
      { licence: 'CC BY 4.0' },
      { media: [{ media_url: (await upload()).media_url }] },
    );
    await approve(id);
    await translate(id, 'Casquillo');
    const moment = await packedNow();
    const before = await stateAt(moment);

    await translate(id, 'Casquillo impreso');
    expect(await column('select status from solution_translations order by status')).toEqual([
      'approved',
      'replaced',
    ]);
    const added = (await upload()).media_url;
    await revise(id, [...(await media(id)), added], 'It was made lighter. ');
    expect(await value('select version from solutions where id = $1', [id])).toBe(2);
    expect((await media(id)).at(-1)).toBe(added);
    expect(await stateAt(moment)).toBe(before);

    // An image may go, whether the pack has it or not: no author takes it from everyone else.
    const [first = ''] = await media(id);
    await revise(id, [first], 'It was made lighter again. ');
    expect(await media(id)).toEqual([first]);
    expect(await stateAt(moment)).toBe(before);
    await owner('savepoint three');
    await revise(id, [(await upload()).media_url], 'It was made lighter once more. ');
    expect(await stateAt(moment)).toBe(before);
    await owner('rollback to savepoint three');
    await owner(
      `insert into removal_requests (tracking_id, solution_id, media_ids, asker)
       select gen_random_uuid(), $1, array_agg(id), 'patient' from solution_media where solution_id = $1`,
      [id],
    );
    await as('moderator', "update removal_requests set status = 'removed'");
    expect(await column('select id from solution_media where solution_id = $1', [id])).toEqual([]);
    expect(await stateAt(moment)).not.toBe(before);
    await owner('rollback to savepoint three');
    await owner('delete from solution_translations where status = $1', ['approved']);
    expect(await stateAt(moment)).not.toBe(before);
  });

  it('is asked by the site alone', async () => {
    for (const actor of ['visitor', 'colleague', 'admin'] as const)
      expect((await as(actor, 'select field_pack_state(now())')).message, actor).toContain(
        'permission denied',
      );
  });
});
