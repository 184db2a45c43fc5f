import { describe, expect, it } from 'vitest';
import { brokenAmong, INVARIANTS } from '../../invariants.ts';
import { seededRandom } from '../../seeded-random.ts';
import { insertSolution } from '../../solution.ts';
import { type Actor, type Member, openDatabase, people } from '../fixtures.ts';

const { owner, ask, value, column, ...world } = openDatabase();

const MEASURES = ['TUG', 'SCS', 'Wearing time'];
const LEVELS = ['Transtibial (Below Knee)', 'Partial Foot'];
const TYPES = ['Passive', 'Hybrid'];
const AUDIENCES = ['public', 'members', 'checked'];
const AUTHORS: Member[] = ['author', 'colleague', 'moderator2'];
const READERS: Actor[] = ['visitor', 'colleague', 'admin'];

interface Point {
  solution_id: string | null;
  trial_id: string | null;
  title: string | null;
  measure: string;
  people: number;
  device_before: string | null;
  level: string | null;
  type: string | null;
  published_at: string | null;
}
interface Evidence {
  counts: { measure: string; type: string; cases: number; outcomes: number }[];
  points: Point[];
}

type Outcome = { measure: string; people: number; after?: number };

/** An approved case with its outcomes, past the forms. */
async function reported(
  outcomes: Outcome[],
  basis: string,
  { by = 'author' as Member, ...changes }: Record<string, unknown> & { by?: Member } = {},
): Promise<string> {
  const { text, values } = insertSolution({ user_id: people[by], status: 'pending', ...changes });
  const id = await value(text, values);
  await owner(
    "insert into solution_consents (solution_id, basis, statement_version, recorded_by) values ($1, $2, '2026-11-01', $3)",
    [id, basis, people[by]],
  );
  await owner("update solutions set status = 'approved' where id = $1", [id]);
  await report(id, null, outcomes);
  return id;
}

const report = (id: string, trial: string | null, outcomes: Outcome[]) =>
  owner(
    `insert into solution_outcomes (solution_id, trial_id, position, measure, score_before, score_after, people, follow_up_weeks, device_before)
     select $1, $2, i.ordinality - 1, i.value ->> 'measure', 2, coalesce((i.value ->> 'after')::numeric, 3), (i.value ->> 'people')::integer, 6,
       'The knee of before'
     from jsonb_array_elements($3) with ordinality i`,
    [id, trial, JSON.stringify(outcomes)],
  );

/** A report of another member's trial, approved. */
async function tried(of: string, outcomes: Outcome[], basis: string | null, level: string, type: string) {
  const trial = await value(
    `insert into solution_trials (solution_id, version, user_id, result, amputation_level, age_group, prosthesis_type, status, consent_basis, consent_version)
     values ($1, 1, null, 'worked', $2, 'Adults', $3, 'approved', $4, $5) returning id`,
    [of, level, type, basis, basis && '2026-11-01'],
  );
  await report(of, trial, outcomes);
  return trial;
}

const evidence = (filters: Record<string, unknown> = {}, actor: Actor = 'visitor') =>
  ask<Evidence>(actor, 'evidence', filters);

/** What each reader is answered by each combination of filters, and by few and many points. */
async function everyAnswer(): Promise<Record<string, Evidence>> {
  const answers: Record<string, Evidence> = {};
  for (const actor of READERS)
    for (const measure of ['', ...MEASURES])
      for (const level of ['', ...LEVELS])
        for (const type of ['', ...TYPES])
          for (const max_points of [7, 5000])
            answers[[actor, measure, level, type, max_points].join('|')] = await evidence(
              { measure, level, type, max_points },
              actor,
            );
  return answers;
}

const NOTHING_OF_THE_CASE = {
  solution_id: null,
  trial_id: null,
  title: null,
  device_before: null,
  level: null,
  type: null,
  published_at: null,
};
const one = [{ measure: 'SCS', people: 1 }];
const counted = Object.fromEntries(Object.entries(INVARIANTS).filter(([name]) => /outcomes/.test(name)));

describe('one patient beside a named author', () => {
  it('is in no answer without written consent, and not counted', async () => {
    const id = await reported(one, 'no_identifiable_person');
    await tried(id, one, null, 'Partial Foot', 'Hybrid');
    await tried(id, one, 'no_identifiable_person', 'Partial Foot', 'Hybrid');
    for (const actor of READERS)
      for (const filters of [{}, { measure: 'SCS' }, { level: 'Partial Foot' }, { type: 'Hybrid' }])
        expect(await evidence(filters, actor)).toEqual({ counts: [], points: [] });
  });

  it.each(['patient_written', 'guardian_written'])('is shown with the case by consent: %s', async (basis) => {
    const id = await reported(one, basis);
    const trial = await tried(id, one, basis, 'Partial Foot', 'Hybrid');
    const { counts, points } = await evidence({ measure: 'SCS' });
    expect(counts).toMatchObject([
      { type: 'Hybrid', cases: 1 },
      { type: 'Passive', cases: 1 },
    ]);
    expect(points.map(({ solution_id, trial_id }) => [solution_id, trial_id])).toEqual(
      expect.arrayContaining([
        [id, trial],
        [id, null],
      ]),
    );
  });

  it('is not shown by the consent of another: the author’s case says nothing for a trial, nor it for the case', async () => {
    const consented = await reported(one, 'patient_written');
    await tried(consented, one, null, 'Partial Foot', 'Hybrid');
    const other = await reported(one, 'no_identifiable_person');
    const trial = await tried(other, one, 'patient_written', 'Partial Foot', 'Hybrid');
    const { points } = await evidence();
    expect(points.map(({ solution_id, trial_id }) => trial_id ?? solution_id).toSorted()).toEqual(
      [consented, trial].toSorted(),
    );
  });

  it('of a trial is shown from the time when its report is sent with consent', async () => {
    const id = await reported(one, 'no_identifiable_person');
    const trial = await tried(id, one, null, 'Partial Foot', 'Hybrid');
    const send = async (basis: string) => {
      await owner(
        "update solution_trials set status = 'pending', consent_basis = $2, consent_version = '2026-11-01', consent_recorded_at = now() where id = $1",
        [trial, basis],
      );
      await owner("update solution_trials set status = 'approved' where id = $1", [trial]);
    };
    await send('patient_written');
    expect((await evidence()).points).toMatchObject([{ trial_id: trial }]);
    await send('no_identifiable_person');
    expect((await evidence()).points).toEqual([]);
  });

  it('is not shown to more readers than the consent is to', async () => {
    const id = await reported(one, 'patient_written', { audience: 'members' });
    const trial = await tried(id, one, 'patient_written', 'Partial Foot', 'Hybrid');
    expect((await evidence({}, 'colleague')).points).toHaveLength(2);
    await owner("update solutions set audience = 'public' where id = $1", [id]);
    // The statement of the author does not cover the public, and the report stays with its readers.
    expect((await evidence({}, 'visitor')).points).toEqual([]);
    expect((await evidence({}, 'colleague')).points).toMatchObject([{ trial_id: trial }]);
    await owner("update solutions set audience = 'checked' where id = $1", [id]);
    expect((await evidence({}, 'admin')).points.map(({ trial_id }) => trial_id)).toContain(trial);
  });

  it('is hidden again when a new version no longer states consent, and shown when it does', async () => {
    const id = await world.published({ outcomes: [{ measure: 'SCS', score_after: 8, people: 1 }] });
    for (const [consent, cases] of [
      ['no_identifiable_person', 0],
      ['patient_written', 1],
    ] as const) {
      await world.resubmit(id, { outcomes: [{ measure: 'SCS', score_after: 8, people: 1 }] }, { consent });
      await world.approve(id);
      expect((await evidence()).points).toHaveLength(cases);
    }
  });

  it('is not behind a mean of ten people, which is shown', async () => {
    await reported([{ measure: 'SCS', people: 10 }], 'no_identifiable_person');
    await reported([{ measure: 'SCS', people: 9 }], 'no_identifiable_person');
    expect((await evidence()).points).toMatchObject([{ people: 10 }]);
  });

  it('is one of ten cases of the same readers, or of none, with nothing but the scores', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 9; count += 1) ids.push(await reported(one, 'no_identifiable_person'));
    for (let count = 0; count < 9; count += 1)
      await reported(one, 'no_identifiable_person', { audience: 'members' });
    // Eighteen for a member, of whom none are shown: a visitor's answer taken from a member's would leave few.
    for (const actor of READERS) expect(await evidence({}, actor)).toEqual({ counts: [], points: [] });
    ids.push(await reported(one, 'no_identifiable_person'));
    for (const actor of READERS) {
      const { counts, points } = await evidence({}, actor);
      expect(counts).toEqual([{ measure: 'SCS', type: '', cases: 10, people: 10, outcomes: 10 }]);
      expect(points).toHaveLength(10);
      for (const point of points) expect(point).toMatchObject(NOTHING_OF_THE_CASE);
    }
    expect(await evidence({ level: 'Transtibial (Below Knee)' })).toEqual({ counts: [], points: [] });
    expect(await evidence({ type: 'Passive' })).toEqual({ counts: [], points: [] });
    await owner('delete from solutions where id = $1', [ids[0]]);
    expect(await evidence()).toEqual({ counts: [], points: [] });
  });

  it.each(['spring', 'autumn'])(
    'is in no combination of answers, by whatever filters and differences of them (%s)',
    async (seed) => {
      const random = seededRandom(seed);
      const pick = <Value>(values: readonly Value[]) => values[random(values.length)] as Value;
      const some = (): Outcome[] =>
        MEASURES.filter(() => random(2) === 0).map((measure) => ({
          measure,
          people: pick([1, 1, 1, 1, 2, 9, 10, 30]),
          after: 3 + random(6),
        }));
      const bases = [
        ...Array.from({ length: 4 }, () => 'no_identifiable_person'),
        'patient_written',
        'guardian_written',
      ];
      for (let count = 0; count < 60; count += 1) {
        const id = await reported(some(), pick(bases), {
          by: pick(AUTHORS),
          title: `A case of number ${count}`,
          audience: pick(['public', 'public', 'public', ...AUDIENCES]),
          amputation_level: pick(LEVELS),
          prosthesis_type: pick(TYPES),
          age_group: pick(['Children', 'Adults']),
        });
        if (random(3) === 0) await tried(id, some(), pick([null, ...bases]), pick(LEVELS), pick(TYPES));
      }

      // What may stand beside its author, from what was stated, and without the columns that are kept for it.
      const shown = await column<string>(
        `select concat_ws('/', coalesce(o.trial_id, o.solution_id), o.measure, o.people) from solution_outcomes o
         left join solution_trials t on t.id = o.trial_id left join solution_consents c on c.solution_id = o.solution_id
         where o.people >= 10 or (case when t.id is null then c.basis else t.consent_basis end) like '%_written'`,
      );
      const before = await everyAnswer();
      let apart = 0;
      for (const [asked, { counts, points }] of Object.entries(before)) {
        for (const point of points)
          if (point.level === null) {
            expect(point, asked).toMatchObject(NOTHING_OF_THE_CASE);
            expect(asked, 'a filter finds none').toMatch(/^\w+\|[^|]*\|\|\|/);
          } else
            expect(shown, asked).toContain(
              [point.trial_id ?? point.solution_id, point.measure, point.people].join('/'),
            );
        for (const { type, cases } of counts)
          if (type === '') {
            apart += 1;
            expect(cases, asked).toBeGreaterThanOrEqual(10);
          }
      }
      expect(apart, 'some are shown apart').toBeGreaterThan(0);
      expect(await brokenAmong(counted, owner)).toEqual([]);

      // The answers are the same bytes for any other levels, types, ages, authors, titles and times of what they hide: no
      // sequence of them tells one from the other.
      const only = `not exists (select from solution_outcomes o where o.solution_id = s.id and o.trial_id is null and o.amputation_level is not null)
        and not exists (select from solution_outcomes o where o.solution_id = s.id and o.trial_id is not null and o.amputation_level is not null)`;
      const changed = await owner(
        `update solutions s set amputation_level = 'Full Limb', prosthesis_type = 'Myoelectric', age_group = 'Children',
           title = 'Another case of theirs', user_id = $1, approved_at = '2020-01-01' where ${only} returning id`,
        [people.admin2],
      );
      expect(changed.length).toBeGreaterThan(5);
      await owner(
        `update solution_trials t set amputation_level = 'Full Limb', prosthesis_type = 'Myoelectric', approved_at = '2020-01-01'
         where not exists (select from solution_outcomes o where o.trial_id = t.id and o.amputation_level is not null)`,
      );
      await owner('update solution_outcomes set solution_id = solution_id');
      expect(await everyAnswer()).toEqual(before);

      // Nor do those tell anything that are left out.
      await owner(
        `delete from solution_outcomes o using private.report_counts r
         where o.amputation_level is null and r.measure = o.measure and r.audience = o.audience and r.amputation_level = '' and r.cases < 10`,
      );
      expect(await everyAnswer()).toEqual(before);
      expect(await brokenAmong(counted, owner)).toEqual([]);
    },
  );
});
