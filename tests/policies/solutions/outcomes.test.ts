import { describe, expect, it } from 'vitest';
import { brokenAmong, INVARIANTS } from '../../invariants.ts';
import { SOLUTION } from '../../solution.ts';
import { type Actor, openDatabase } from '../fixtures.ts';

const { as, ask, owner, value, approve, solution, ...world } = openDatabase();

const tug = {
  measure: 'TUG',
  score_before: 18.2,
  score_after: 12.4,
  people: 1,
  follow_up_weeks: 12,
  device_before: ' A locked knee ',
};

const submit = (outcomes: unknown) => world.submit({ outcomes });
const submitted = (...outcomes: object[]) => world.submitted({ outcomes });
const resubmit = (id: string, outcomes: unknown, actor: Actor = 'author') =>
  world.resubmit(id, { outcomes }, { actor });
const stored = () =>
  owner(
    'select measure, score_before::float, score_after::float, people_before, people, follow_up_weeks, device_before from solution_outcomes order by position',
  );
const facetsOf = async (id: string) =>
  (
    await owner<{ extra: string[]; facets: string[] }>(
      // Those that follow from other tables, without the language, which every solution has.
      "select array_remove(extra_facets, 'language:en') as extra, facets from solutions where id = $1",
      [id],
    )
  )[0];
const browse = (...filters: string[]) => ask('visitor', 'browse_solutions', { filters });

describe('the outcomes of a submission', () => {
  it('are stored in their order, and seen with their solution', async () => {
    const empty = { score_before: null, people_before: null, follow_up_weeks: null, device_before: null };
    const scs = { measure: 'SCS', score_after: 8, people: 1 };
    const id = await submitted(tug, scs);
    expect(await stored()).toEqual([
      { ...empty, ...tug, device_before: 'A locked knee' },
      { ...empty, ...scs },
    ]);
    await approve(id);
    expect((await as('visitor', 'select measure from solution_outcomes')).rows).toHaveLength(2);
  });

  it.each([
    ['The TUG score must be between 0 and 600', { score_after: 601 }],
    ['The TUG score must be between 0 and 600', { score_before: -1 }],
    ['The TUG score has at most 1 decimal place', { score_after: 12.34 }],
    ['The TUG score has at most 2 decimal places', { score_after: 12.345, people: 3 }],
    ['The SCS score of one person is a whole number', { measure: 'SCS', score_before: 4.5, score_after: 8 }],
    ['Please enter the TUG score after the fitting', { score_after: null }],
    ['Please enter the TUG score after the fitting', { score_before: null, score_after: null }],
    ['Please say how many people were measured', { people: null }],
    ['Scores, people and weeks must be whole or decimal numbers', { people: '1; drop table x' }],
    ['Scores, people and weeks must be whole or decimal numbers', { score_after: 'NaN' }],
    ['People and weeks must be whole numbers', { people: 1.5 }],
    ['People and weeks must be whole numbers', { follow_up_weeks: 1e12 }],
    ['Follow-up must be between 0 and 1,040 weeks after the fitting', { follow_up_weeks: 1041 }],
    ['Please choose a measure from the list', { measure: 'Vibes' }],
    ['Please choose a measure from the list', { measure: null }],
  ])('are refused with "%s", and nothing is stored', async (message, change) => {
    const refused = await submit([{ ...tug, ...change }]);
    expect(refused.code, refused.message).toBe('23514');
    expect(refused.message).toContain(message);
    expect(await owner('select id from solutions')).toEqual([]);
  });

  it.each([
    ['A solution can have at most 20 measured outcomes', Array.from({ length: 21 }, () => tug)],
    ['Measured outcomes must be a list', { measure: 'TUG' }],
    ['Measured outcomes must be a list', 'TUG'],
    ['Please choose a measure from the list', ['TUG']],
    ['Please choose a measure from the list', [[tug]]],
  ])('as a whole are refused with "%s"', async (message, outcomes) => {
    const refused = await submit(outcomes);
    expect(refused).toMatchObject({ code: '23514', message: expect.stringContaining(message) });
    expect(await owner('select id from solutions')).toEqual([]);
    expect((await submit(Array.from({ length: 20 }, () => tug))).rows).toHaveLength(1);
  });

  it('may be left out, and the mean of several people has one more decimal', async () => {
    for (const outcomes of [undefined, null, []])
      expect((await submit(outcomes)).rows, String(outcomes)).toHaveLength(1);
    expect(await stored()).toEqual([]);
    expect((await submit([{ ...tug, people_before: 5, people: 4, score_after: 12.44 }])).rows).toHaveLength(
      1,
    );
  });

  it('are replaced by those of a resubmission, which the review compares with the earlier ones', async () => {
    const id = await submitted(tug);
    await world.reject(id);
    expect((await resubmit(id, [{ ...tug, score_after: 15 }])).code).toBeUndefined();
    expect(await stored()).toMatchObject([{ score_after: 15 }]);
    expect(
      await value("select replaced -> 'outcomes' from solution_reviews where replaced is not null"),
    ).toEqual([{ ...tug, people_before: null, device_before: 'A locked knee' }]);
  });

  it('are the author’s alone to write, while the solution waits', async () => {
    const [approved, pending] = [await solution('approved'), await solution('pending')];
    expect((await resubmit(pending, [tug], 'colleague')).code).toBe('PT404');
    for (const [actor, id] of [
      ['colleague', pending],
      ['moderator', pending],
      ['author', approved],
    ] as const)
      expect(
        (await as(actor, 'select private.set_outcomes($1, $2)', [id, JSON.stringify([tug])])).code,
        actor,
      ).toBe('42501');
    expect(await stored()).toEqual([]);
    expect((await resubmit(pending, [tug])).code).toBeUndefined();
    expect(await stored()).toHaveLength(1);
  });

  it('are searched for patient identifiers', async () => {
    const id = await submitted({ ...tug, device_before: 'Call 020 7946 0018 about it' });
    expect(await ask('moderator', 'identifiers_found', [id])).toEqual(['phone number']);
  });

  it('leave with their solution, and are part of the author’s own data', async () => {
    const id = await submitted(tug);
    expect(await ask('author', 'export_account')).toMatchObject({
      solution_outcomes: [{ solution_id: id, measure: 'TUG' }],
    });
    expect(await ask('colleague', 'export_account')).toMatchObject({ solution_outcomes: [] });
    expect((await as('author', 'delete from solutions where id = $1', [id])).rowCount).toBe(1);
    expect(await stored()).toEqual([]);
  });
});

describe('facets that follow from outcomes', () => {
  it('filter public solutions alone, and are counted', async () => {
    const id = await submitted(tug);
    expect(await browse('Has outcomes')).toMatchObject({ total: 0 });
    await approve(id);
    for (const value of ['Has outcomes', 'Better by more than error', 'TUG'])
      expect(await browse(value), value).toMatchObject({
        total: 1,
        facets: {
          evidence: { 'Has outcomes': 1, 'Better by more than error': 1 },
          measure: { TUG: 1, SCS: 0 },
        },
      });
    expect(await browse('TUG', 'SCS')).toMatchObject({ total: 0 });
    await resubmit(id, []);
    expect(await browse('Has outcomes')).toMatchObject({ total: 1 });
    await approve(id);
    expect(await browse('Has outcomes')).toMatchObject({ total: 0 });
    expect(await facetsOf(id)).toMatchObject({ extra: [] });
  });

  it.each([
    ['more than the error in the better direction, lower', 'TUG', 18.2, 14.5, true],
    ['as much as the error', 'TUG', 18, 14.4, false],
    ['worse by more than the error', 'TUG', 12, 18, false],
    ['more than the error, higher', 'SCS', 4, 7, true],
    ['less than the error', 'SCS', 4, 6, false],
    ['without a published error', 'DASH', 60, 10, false],
    ['without a score before', 'TUG', null, 5, false],
  ])(
    'say "Better by more than error" of a change that is %s: %s %s to %s',
    async (_what, measure, before, after, improved) => {
      const id = await submitted({ measure, score_before: before, score_after: after, people: 1 });
      const extra = ['Has outcomes', measure, ...(improved ? ['Better by more than error'] : [])].toSorted();
      const facets = await facetsOf(id);
      expect(facets?.extra.toSorted()).toEqual(extra);
      expect(facets?.facets).toEqual(expect.arrayContaining([...extra, SOLUTION.occupation]));
    },
  );

  it('leave the version under review as it is', async () => {
    const id = await solution('approved');
    const version = () => value('select updated_at from solutions where id = $1', [id]);
    const before = await version();
    await owner(
      "insert into solution_outcomes (solution_id, position, measure, score_after, people) values ($1, 0, 'TUG', 1, 1)",
      [id],
    );
    expect(await version()).toEqual(before);
    expect((await facetsOf(id))?.extra.toSorted()).toEqual(['Has outcomes', 'TUG']);
    await owner('delete from solution_outcomes');
    expect((await facetsOf(id))?.extra).toEqual([]);
  });
});

it('no facet value is in two groups', async () => {
  const values = await owner(
    'select v from jsonb_each(private.facet_groups()) g, jsonb_array_elements_text(g.value) v group by v having count(*) > 1',
  );
  expect(values).toEqual([]);
});

describe('reported outcomes', () => {
  const KEPT = /^(facets that follow from other tables are kept|reported outcomes are counted)$/;
  const counted = Object.fromEntries(Object.entries(INVARIANTS).filter(([name]) => KEPT.test(name)));
  const expectCounted = async () => expect(await brokenAmong(counted, owner)).toEqual([]);

  interface Evidence {
    counts: { measure: string; type: string; cases: number; people: number; outcomes: number }[];
    points: { solution_id: string; before: number | null; after: number; title: string }[];
  }
  const evidence = (options: Record<string, unknown> = {}, actor: Actor = 'visitor') =>
    ask<Evidence>(actor, 'evidence', options);

  it('count public cases alone, for every reader alike, each once for a measure', async () => {
    const scs = { measure: 'SCS', score_after: 8, people: 1 };
    const id = await submitted(tug, { ...tug, follow_up_weeks: 26 }, scs);
    const none = { counts: [], points: [] };
    for (const actor of ['visitor', 'author', 'moderator'] as const)
      expect(await evidence({}, actor)).toEqual(none);
    await approve(id);
    for (const actor of ['visitor', 'author', 'moderator'] as const) {
      const answer = await evidence({}, actor);
      expect(answer.counts.toSorted((a, b) => a.measure.localeCompare(b.measure))).toEqual([
        { measure: 'SCS', type: 'Passive', cases: 1, people: 1, outcomes: 1 },
        { measure: 'TUG', type: 'Passive', cases: 1, people: 1, outcomes: 2 },
      ]);
      expect(answer.points).toHaveLength(3);
    }
    const before = await evidence();
    await resubmit(id, [tug]);
    expect(await evidence()).toEqual(before);
    await expectCounted();
    await approve(id);
    expect((await evidence()).counts).toEqual([
      { measure: 'TUG', type: SOLUTION.prosthesis_type, cases: 1, people: 1, outcomes: 1 },
    ]);
    await expectCounted();
    await owner("update solutions set status = 'pending' where id = $1", [id]);
    expect(await evidence()).toEqual(none);
  });

  it('are filtered by measure, level and type, and follow a change of them', async () => {
    const id = await submitted(tug);
    await approve(id);
    const matching = { measure: 'TUG', level: SOLUTION.amputation_level, type: SOLUTION.prosthesis_type };
    expect((await evidence(matching)).points).toMatchObject([
      { solution_id: id, title: SOLUTION.title, before: 18.2, after: 12.4 },
    ]);
    for (const change of [
      { measure: 'SCS' },
      { level: 'Partial Foot' },
      { type: 'Hybrid' },
      { type: 'Unknown' },
    ])
      expect(await evidence({ ...matching, ...change })).toEqual({ counts: [], points: [] });
    await owner("update solutions set prosthesis_type = 'Hybrid' where id = $1", [id]);
    expect((await evidence({ ...matching, type: 'Hybrid' })).points).toHaveLength(1);
    await expectCounted();
    await owner('delete from solutions where id = $1', [id]);
    expect((await evidence()).points).toEqual([]);
    await expectCounted();
  });

  it('are as many as asked for, the newest first, and all of them counted', async () => {
    const ids: string[] = [];
    for (const day of [1, 2, 3]) {
      const id = await submitted({ ...tug, people: day });
      await approve(id);
      await owner('update solutions set approved_at = $2 where id = $1', [id, `2026-01-0${day}`]);
      ids.unshift(id);
    }
    const two = await evidence({ max_points: 2 });
    expect(two.points.map(({ solution_id }) => solution_id)).toEqual(ids.slice(0, 2));
    expect(two.counts).toEqual([{ measure: 'TUG', type: 'Passive', cases: 3, people: 6, outcomes: 3 }]);
    await expectCounted();
    // As a version of a solution that is approved moves its outcomes over.
    await owner('update solution_outcomes set solution_id = $1, position = 5 where solution_id = $2', [
      ids[0],
      ids[1],
    ]);
    await expectCounted();
    expect((await evidence()).counts).toEqual([
      { measure: 'TUG', type: 'Passive', cases: 2, people: 4, outcomes: 3 },
    ]);
    expect((await evidence({ max_points: -1 })).points).toEqual([]);
    expect((await evidence({ max_points: null })).points).toHaveLength(3);
  });
});
