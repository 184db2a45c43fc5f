import { describe, expect, it } from 'vitest';
import { partKey } from '#app/finding/field-pack/part-key.ts';
import { seededRandom } from '../../seeded-random.ts';
import { openDatabase } from '../fixtures.ts';
import type { Page } from '../solutions/shelf.ts';
import { openParts } from './parts.ts';

const world = openDatabase();
const { ask, owner, value, submit, solution } = world;
const { withPart, narrow } = openParts(world);

const keyOf = (maker: string | null, number: string | null) =>
  value<string | null>('select private.part_key($1, $2)', [maker, number]);

/** Signs that people write between the letters and digits of a number, and some that no one sees. */
const GAPS = ['', '', ' ', '-', '.', '/', '\u00A0', '\u2011', '–', '\u200B', '\u3000', '_', ' - ', '・'];
const fullWidth = (text: string) =>
  text.replace(/[0-9A-Za-z]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));
const digitsFrom = (zero: number) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const WRITINGS = [
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
  fullWidth,
  digitsFrom(0x660),
  digitsFrom(0x6f0),
  digitsFrom(0x966),
  digitsFrom(0xbe6),
  digitsFrom(0x17e0),
  digitsFrom(0x1040),
  (text: string) => text.replace(/c/g, 'с').replace(/k/gi, 'К').replace(/x/g, 'Χ'),
  digitsFrom(0x1d7ce),
];

describe('the key of a part', () => {
  it('is one for all writings of maker and number', async () => {
    const random = seededRandom('parts');
    const one = <Item>(of: readonly Item[]): Item => of[random(of.length)] as Item;
    const names = ['ottobock', 'össur', 'blatchford', '長谷川', 'ортез', 'القدم'];
    const wrong: string[] = [];
    for (let run = 0; run < 300; run++) {
      const maker = one(names);
      const number = `${random(9) + 1}${one(['r', 'c', 'kx', ''])}${random(1000)}`;
      const key = await keyOf(maker, number);
      const spread = (text: string) => [...one(WRITINGS)(text)].map((sign) => sign + one(GAPS)).join('');
      const [written, spaced] = [
        one([maker, maker.normalize('NFD'), maker.toUpperCase(), spread(maker)]),
        spread(number),
      ];
      // In one field or in two.
      for (const found of [await keyOf(written, spaced), await keyOf(null, `${written} ${spaced}`)])
        if (found !== key || !key) wrong.push(`${written} ${spaced}: ${found}, not ${key}`);
      // A field pack has the same key.
      for (const found of [partKey(written, spaced), partKey(null, `${written} ${spaced}`)])
        if (found !== key) wrong.push(`${written} ${spaced} in a pack: ${found}, not ${key}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is one with accents, capitals and letters of another script that look alike', async () => {
    for (const [one, other] of [
      ['Артём', 'АРТЕМ'],
      ['Όττο', 'ΟΤΤΟ'],
      ['СОТ 12', 'COT12'],
    ])
      for (const key of [keyOf, partKey])
        expect(await key(one ?? '', '4C54'), one).toBe(await key(other ?? '', '4с54'));
  });

  it('tells other parts apart, and is none of signs alone', async () => {
    const parts = [
      ['Ottobock', '4R54'],
      ['Ottobock', '4R45'],
      ['Ottobock', '4R540'],
      ['Össur', '4R54'],
      ['オットー', '4R54'],
    ];
    const keys = new Set(await Promise.all(parts.map(([maker, number]) => keyOf(maker ?? '', number ?? ''))));
    expect(keys.size).toBe(parts.length);
    for (const nothing of ['', ' ', '- / .', '\u200B', null]) expect(await keyOf(null, nothing)).toBeNull();
  });

  it('of the longest texts that grow in it fits its index', async () => {
    const grows = '\uFDFA';
    await withPart(grows.repeat(120), grows.repeat(80));
    expect(
      await value<number>(
        'select max(char_length(private.part_key(maker, part_number))) from solution_parts',
      ),
    ).toBe(200);
  });
});

describe('a part number of 10,000 characters', () => {
  it('is refused with a sentence wherever it is sent, and changes nothing', async () => {
    const id = await withPart('Ottobock', '4R54');
    const long = '4R54'.repeat(2500);
    const refusal = 'A part number must be at most 80 characters';
    const sent = {
      tools: [],
      steps: [],
      parts: [{ component: 'Adapter', maker: 'Ottobock', part_number: long }],
    };
    const fails = async (outcome: Promise<{ code?: string; message?: string }>) => {
      const { code, message } = await outcome;
      expect({ code, message }).toMatchObject({ code: '23514', message: expect.stringContaining(refusal) });
    };
    await fails(submit({ fabrication: sent }));
    await fails(world.resubmit(id, { fabrication: sent }));
    await fails(
      world.insert('moderator', 'part_notices', {
        maker: 'Ottobock',
        part_number: long,
        kind: 'recall',
        content: 'It breaks.',
      }),
    );
    expect(await owner('select part_number from solution_parts')).toEqual([{ part_number: '4R54' }]);
    expect(await owner('select from part_notices')).toEqual([]);
    expect((await ask<Page>('visitor', 'browse_solutions', { search: long })).total).toBe(0);
  });
});

describe('a search for a part', () => {
  const browse = (search: string, actor: 'visitor' | 'colleague' = 'visitor') =>
    ask<Page>(actor, 'browse_solutions', { search });

  it('finds it by its number, or by maker and number, however they are written', async () => {
    const id = await withPart('Ottobock', '4R54');
    await withPart('Ottobock', '4R55');
    await withPart(null, null);
    for (const search of [
      '4R54',
      '4 R 54',
      '4r-54',
      'ottobock 4r54',
      'Otto Bock 4R54',
      'OTTOBOCK4R54',
      '４Ｒ５４',
      '4r٥٤',
    ]) {
      const page = await browse(search);
      expect([search, page.items.map((item) => item.id), page.corrected]).toEqual([search, [id], null]);
    }
    for (const search of ['4R5', 'ottobock 4r56', 'Össur 4R54', '- / -'])
      expect([search, (await browse(search)).items.filter((item) => item.id === id)]).toEqual([search, []]);
  });

  it('finds it beside what has the words, and not what is not public', async () => {
    const id = await withPart('Ottobock', '4R54');
    const named = await solution();
    await owner("update solutions set title = 'A clamp for the 4R54 adapter' where id = $1", [named]);
    for (const status of ['pending', 'rejected'] as const) await withPart('Ottobock', '4R54', status);
    expect((await browse('4R54')).items.map((item) => item.id).sort()).toEqual([id, named].sort());
  });

  it('answers the same with and without a restricted case, byte by byte, to who may not read it', async () => {
    await withPart('Ottobock', '4R55');
    const hidden = await solution();
    await narrow(hidden, 'members');
    const answers = async () => {
      const found = [];
      for (const search of ['4R54', 'ottobock 4r54', '4R55', '4R5'])
        found.push(await browse(search), await ask('visitor', 'suggest_searches', [search]));
      return JSON.stringify(found);
    };
    const before = await answers();
    await owner('insert into solution_fabrication (solution_id) values ($1)', [hidden]);
    await owner(
      `insert into solution_parts (solution_id, position, component, maker, part_number, quantity)
       values ($1, 0, 'Adapter', 'Ottobock', '4R54', 1), ($1, 1, 'Adapter', 'Ottobock', '4R55', 1)`,
      [hidden],
    );
    expect(await answers()).toBe(before);
    expect((await browse('4R54', 'colleague')).items.map((item) => item.id)).toEqual([hidden]);
  });
});
