import { describe, expect, it } from 'vitest';
import { openDatabase } from '../fixtures.ts';

const {
  as,
  ask,
  owner,
  column,
  value,
  approve,
  upload,
  submitted,
  resubmit: edit,
  revisionOf,
  ...world
} = openDatabase();

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

const submit = (fabrication: unknown) => submitted({ fabrication });
const withPart = (part: object) => ({ ...build, parts: [{ component: 'Bolt', ...part }] });
const stepsOf = (id: string) =>
  owner<{ instruction: string; media_id: string | null }>(
    'select instruction, media_id from solution_steps where solution_id = $1 order by position',
    [id],
  );

describe('how a solution is made', () => {
  it('is stored with its submission, and seen with its solution', async () => {
    const id = await submit(build);
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
    await approve(id);
    for (const table of ['solution_fabrication', 'solution_parts', 'solution_steps'])
      expect((await as('visitor', `select solution_id from ${table}`)).rowCount).toBeGreaterThan(0);
  });

  it('is written through a submission alone', async () => {
    const id = await submit(build);
    await approve(id);
    expect((await edit(id, { fabrication: null }, { actor: 'colleague' })).message).toBe(
      'Solution not found',
    );
    for (const actor of ['colleague', 'author'] as const)
      expect((await as(actor, 'select private.set_fabrication($1, $2)', [id, build])).code).toBe('42501');
    expect(await stepsOf(id)).toHaveLength(2);
  });

  it('stays where a form does not know of it, and goes where it is emptied', async () => {
    const id = await submit(build);
    await edit(id, { title: 'A strap with another title' });
    expect(await stepsOf(id)).toHaveLength(2);
    await edit(id, { fabrication: null });
    expect(await owner('select solution_id from solution_fabrication')).toEqual([]);
    expect(await owner('select solution_id from solution_parts')).toEqual([]);
  });

  it('of a published solution changes with its next version, which shows the pictures that stay and the new ones', async () => {
    const [first, second] = [await upload(), await upload()];
    const media = [{ media_url: first.media_url }];
    const drawn = (...steps: [string, string?][]) => ({
      ...build,
      steps: steps.map(([instruction, media_url]) => ({ instruction, media_url })),
    });
    const id = await submitted(
      { fabrication: drawn(['Warm the sheet.', first.media_url], ['Pull it over.']) },
      { media },
    );
    await approve(id);
    const kept = await value('select id from solution_media');
    expect(await stepsOf(id)).toMatchObject([{ media_id: kept }, { media_id: null }]);

    await edit(id, {}, { media });
    const revision = await revisionOf(id);
    const copy = await value('select id from solution_media where copy_of = $1', [kept]);
    expect(await stepsOf(revision)).toMatchObject([{ media_id: copy }, { media_id: null }]);

    const fabrication = drawn(['Warm the sheet.', first.media_url], ['Cut the rim.', second.media_url]);
    await edit(
      id,
      { fabrication: { ...fabrication, hours: 5 } },
      { media: [...media, { media_url: second.media_url }] },
    );
    expect(await stepsOf(id)).toMatchObject([
      { instruction: 'Warm the sheet.' },
      { instruction: 'Pull it over.' },
    ]);
    await approve(revision);
    const added = await value('select id from solution_media where id <> $1', [kept]);
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
    ['a cost as text', withPart({ cost: '1' }), 'Hours, quantities and costs must be numbers'],
    ['hours beyond all bounds', { ...build, hours: 1e300 }, 'Hours must be between 0.1 and 10,000'],
    [
      'a quantity beyond all bounds',
      withPart({ quantity: 1e300 }),
      'A quantity must be more than 0 and at most 10,000',
    ],
    ['a cost without a currency', { ...build, currency: '' }, 'Please choose the currency of the costs'],
    ...['https://maker.example\\@evil.example/', 'https://maker.example/\u202e4r54'].map(
      (link): [string, unknown, string] => [
        `a link such as ${JSON.stringify(link)}`,
        withPart({ link }),
        'A link must not contain a user name or invisible characters',
      ],
    ),
    [
      'a link with a line',
      withPart({ link: 'https://a.example/\nb' }),
      'A link must be at most 500 characters without spaces',
    ],
    ['a part without a name', { ...build, parts: [{ maker: 'Ottobock' }] }, 'Please name the part'],
    ['an empty tool', { ...build, tools: [' '] }, 'Please list at most 30 tools, each of 1 to 80 characters'],
  ])('is refused as %s, with a sentence, and nothing is stored', async (_, fabrication, message) => {
    const answer = await world.submit({ fabrication });
    expect([answer.code, answer.message]).toEqual(['23514', expect.stringContaining(message)]);
    expect(await owner('select id from solutions')).toEqual([]);
  });

  it('is searched for personal details in review', async () => {
    const id = await submit({
      ...build,
      steps: [{ instruction: 'Ask jane.doe@clinic.example for the cast.' }],
    });
    expect(await ask('moderator', 'identifiers_found', [id])).toEqual(['email address']);
  });
});
