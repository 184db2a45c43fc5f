import { describe, expect, it } from 'vitest';
import { SOLUTION } from '../../solution.ts';
import { type Actor, openDatabase } from '../fixtures.ts';

const { as, owner, upload } = openDatabase();

const build = {
  hours: 6.5,
  tools: ['Heat gun', ' Alignment jig '],
  currency: 'EUR',
  parts: [
    {
      component: 'Pyramid adapter',
      maker: 'Ottobock',
      part_number: '4R54',
      quantity: 2,
      cost: 85.1,
      link: 'https://maker.example/4r54',
    },
    { component: 'Webbing', quantity: null },
  ],
  steps: [{ instruction: 'Warm the sheet to 165 °C.' }, { instruction: 'Pull it over the cast.' }],
};

const submit = (fabrication: unknown, media: { media_url: string }[] = []) =>
  as<{ id: string }>('author', "select submit_solution($1, $2, 'patient_written', '2026-11-01') as id", [
    JSON.stringify({ ...SOLUTION, fabrication }),
    JSON.stringify(media),
  ]);
const edit = (
  id: string,
  changes: Record<string, unknown>,
  media: { media_url: string }[] = [],
  actor: Actor = 'author',
) =>
  as(actor, "select resubmit_solution($1, $2, $3, 'patient_written', '2026-11-01')", [
    id,
    JSON.stringify({ ...SOLUTION, ...changes }),
    JSON.stringify(media),
  ]);
const approve = (id: string) =>
  as('moderator', "update solutions set status = 'approved' where id = $1", [id]);
const stepsOf = (id: string) =>
  owner<{ instruction: string; media_id: string | null }>(
    'select instruction, media_id from solution_steps where solution_id = $1 order by position',
    [id],
  );
const idOf = ({ rows }: { rows: { id: string }[] }) => rows[0]?.id ?? '';

describe('how a solution is made', () => {
  it('is stored with its submission, and seen with its solution', async () => {
    const id = idOf(await submit(build));
    expect(await owner('select hours::float, tools, currency from solution_fabrication')).toEqual([
      { hours: 6.5, tools: ['Heat gun', 'Alignment jig'], currency: 'EUR' },
    ]);
    expect(
      await owner(
        'select component, maker, part_number, quantity::float, cost::float, link from solution_parts order by position',
      ),
    ).toEqual([
      {
        component: 'Pyramid adapter',
        maker: 'Ottobock',
        part_number: '4R54',
        quantity: 2,
        cost: 85.1,
        link: 'https://maker.example/4r54',
      },
      { component: 'Webbing', maker: null, part_number: null, quantity: 1, cost: null, link: null },
    ]);
    const seen = async (actor: Actor) =>
      Promise.all(
        ['solution_fabrication', 'solution_parts', 'solution_steps'].map(
          async (table) => (await as(actor, `select solution_id from ${table}`)).rowCount,
        ),
      );
    expect(await seen('visitor')).toEqual([0, 0, 0]);
    expect(await seen('colleague')).toEqual([0, 0, 0]);
    expect(await seen('moderator')).toEqual([1, 2, 2]);
    await approve(id);
    expect(await seen('visitor')).toEqual([1, 2, 2]);
  });

  it('is written by no role but through a submission', async () => {
    const id = idOf(await submit(build));
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      expect((await as(actor, 'update solution_parts set cost = 1')).code).toBe('42501');
      expect((await as(actor, 'delete from solution_steps')).code).toBe('42501');
      expect(
        (
          await as(
            actor,
            "insert into solution_steps (solution_id, position, instruction) values ($1, 9, 'x')",
            [id],
          )
        ).code,
      ).toBe('42501');
    }
    await approve(id);
    expect((await edit(id, { fabrication: null }, [], 'colleague')).message).toBe('Solution not found');
    expect(
      (await as('colleague', 'select private.set_fabrication($1, $2)', [id, JSON.stringify(build)])).code,
    ).toBe('42501');
    expect(
      (await as('author', 'select private.set_fabrication($1, $2)', [id, JSON.stringify(build)])).code,
    ).toBe('42501');
    expect(await stepsOf(id)).toHaveLength(2);
  });

  it('stays where a form does not know of it, and goes where it is emptied', async () => {
    const id = idOf(await submit(build));
    await edit(id, { title: 'A strap with another title' });
    expect(await stepsOf(id)).toHaveLength(2);
    await edit(id, { fabrication: null });
    expect(await owner('select solution_id from solution_fabrication')).toEqual([]);
    expect(await owner('select solution_id from solution_parts')).toEqual([]);
  });

  it('of a published solution changes with its next version, which shows the pictures that stay and the new ones', async () => {
    const [first, second] = [await upload(), await upload()];
    const media = [{ media_url: first.media_url }];
    const id = idOf(
      await submit(
        {
          ...build,
          steps: [
            { instruction: 'Warm the sheet.', media_url: first.media_url },
            { instruction: 'Pull it over.' },
          ],
        },
        media,
      ),
    );
    await approve(id);
    const [{ id: kept } = { id: '' }] = await owner<{ id: string }>('select id from solution_media');
    expect(await stepsOf(id)).toMatchObject([{ media_id: kept }, { media_id: null }]);

    await edit(id, {}, media);
    const [{ id: revision } = { id: '' }] = await owner<{ id: string }>(
      'select id from solutions where revises = $1',
      [id],
    );
    const [{ id: copy } = { id: '' }] = await owner<{ id: string }>(
      'select id from solution_media where copy_of = $1',
      [kept],
    );
    expect(await stepsOf(revision)).toMatchObject([{ media_id: copy }, { media_id: null }]);

    await edit(
      id,
      {
        fabrication: {
          ...build,
          hours: 5,
          steps: [
            { instruction: 'Warm the sheet.', media_url: first.media_url },
            { instruction: 'Cut the rim.', media_url: second.media_url },
          ],
        },
      },
      [...media, { media_url: second.media_url }],
    );
    expect(await stepsOf(id)).toMatchObject([
      { instruction: 'Warm the sheet.' },
      { instruction: 'Pull it over.' },
    ]);
    await approve(revision);
    const [{ id: added } = { id: '' }] = await owner<{ id: string }>(
      'select id from solution_media where id <> $1',
      [kept],
    );
    expect(await stepsOf(id)).toEqual([
      { instruction: 'Warm the sheet.', media_id: kept },
      { instruction: 'Cut the rim.', media_id: added },
    ]);
    expect(
      await owner(
        "select version, (content #>> '{fabrication,hours}')::float as hours, content #>> '{fabrication,steps,0,media_id}' as picture from solution_versions order by version",
      ),
    ).toEqual([
      { version: 1, hours: 6.5, picture: kept },
      { version: 2, hours: 5, picture: kept },
    ]);
    await as('author', 'delete from solution_media where id = $1', [kept]);
    expect(await stepsOf(id)).toMatchObject([{ media_id: null }, { media_id: added }]);
  });

  it.each([
    ['a list', [], 'Tools, parts and steps must be lists'],
    ['without lists', {}, 'Tools, parts and steps must be lists'],
    ['parts as texts', { ...build, parts: ['Bolt'] }, 'Tools, parts and steps must be lists'],
    ['hours as text', { ...build, hours: '6' }, 'Hours, quantities and costs must be numbers'],
    [
      'a cost as text',
      { ...build, parts: [{ component: 'Bolt', cost: '1' }] },
      'Hours, quantities and costs must be numbers',
    ],
    ['no hours at all', { ...build, hours: 0 }, 'Hours must be between 0.1 and 10,000'],
    ['hours beyond all bounds', { ...build, hours: 1e300 }, 'Hours must be between 0.1 and 10,000'],
    [
      'a quantity beyond all bounds',
      { ...build, parts: [{ component: 'Bolt', quantity: 1e300 }] },
      'A quantity must be more than 0 and at most 10,000',
    ],
    [
      'no bolt',
      { ...build, parts: [{ component: 'Bolt', quantity: 0 }] },
      'A quantity must be more than 0 and at most 10,000',
    ],
    [
      'a cost below nothing',
      { ...build, parts: [{ component: 'Bolt', cost: -1 }] },
      'A cost must be between 0 and 1,000,000',
    ],
    ['a cost without a currency', { ...build, currency: '' }, 'Please choose the currency of the costs'],
    ['a currency in words', { ...build, currency: 'Euro' }, 'Please choose a currency from the list'],
    [
      'a script as link',
      { ...build, parts: [{ component: 'Bolt', link: 'javascript:alert(1)' }] },
      'A link must begin with https:// or http://',
    ],
    ...[
      'https://maker.example@evil.example/',
      'https://maker.example\\@evil.example/',
      'https://maker.example/\u202e4r54',
    ].map((link): [string, unknown, string] => [
      `a link such as ${JSON.stringify(link)}`,
      { ...build, parts: [{ component: 'Bolt', link }] },
      'A link must not contain a user name or invisible characters',
    ]),
    [
      'a link with a line',
      { ...build, parts: [{ component: 'Bolt', link: 'https://a.example/\nb' }] },
      'A link must be at most 500 characters without spaces',
    ],
    ['a part without a name', { ...build, parts: [{ maker: 'Ottobock' }] }, 'Please name the component'],
    [
      'a step without words',
      { ...build, steps: [{ instruction: ' ' }] },
      'Please say what is done in this step',
    ],
    [
      'too many parts',
      { ...build, parts: Array.from({ length: 61 }, () => ({ component: 'Bolt' })) },
      'A parts list can have at most 60 parts',
    ],
    [
      'too many steps',
      { ...build, steps: Array.from({ length: 51 }, () => ({ instruction: 'Turn.' })) },
      'There can be at most 50 steps',
    ],
    [
      'a long tool',
      { ...build, tools: ['x'.repeat(81)] },
      'Please list at most 30 tools, each of 1 to 80 characters',
    ],
    ['an empty tool', { ...build, tools: [' '] }, 'Please list at most 30 tools, each of 1 to 80 characters'],
  ])('is refused as %s, with a sentence, and nothing is stored', async (_, fabrication, message) => {
    const answer = await submit(fabrication);
    expect([answer.code, answer.message]).toEqual(['23514', expect.stringContaining(message)]);
    expect(await owner('select id from solutions')).toEqual([]);
  });

  it('is searched for personal details in review', async () => {
    const id = idOf(
      await submit({ ...build, steps: [{ instruction: 'Ask jane.doe@clinic.example for the cast.' }] }),
    );
    const found = async (actor: Actor) =>
      (await as<{ found: string[] | null }>(actor, 'select identifiers_found($1) as found', [id])).rows[0]
        ?.found;
    expect(await found('moderator')).toEqual(['email address']);
    expect(await found('author')).toBeNull();
  });
});
