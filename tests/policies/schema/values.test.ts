import { describe, expect, it } from 'vitest';
import { facetGroups } from '#app/solution/solutions/value-lists.ts';
import { openDatabase, people } from '../fixtures.ts';

// Rules that hold for all roles, including the product's own functions and operators.
const { owner, upload } = openDatabase();

describe('a badge', () => {
  const badge = {
    name: "'Mentor'",
    description: "'Answered often'",
    icon_url: "'/badges/mentor.svg'",
    tier: '2',
    criterion: "'comment'",
    threshold: '75',
  };
  const add = (change: Partial<typeof badge> = {}) =>
    owner(
      `insert into badges (${Object.keys(badge)}) values (${Object.values({ ...badge, ...change })}) returning id`,
    );

  it('can be added', async () => {
    expect(await add()).toHaveLength(1);
  });

  it.each([
    [{ name: "'First Solution'" }, 'badges_name_key'],
    [{ threshold: '50' }, 'badges_criterion_threshold_key'],
  ])('cannot have %o', async (change, constraint) => {
    await expect(add(change)).rejects.toMatchObject({ constraint });
  });
});

describe('the ledger of points', () => {
  const credit = (source: string) =>
    owner(
      "insert into point_events (user_id, cause, source_id, points) values ($1, 'like', $2, 5) returning id",
      [people.author, source],
    );

  it('has each cause once', async () => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    expect(await credit(one)).toHaveLength(1);
    expect(await credit(other)).toHaveLength(1);
    await expect(credit(one)).rejects.toMatchObject({ constraint: 'point_events_cause_source_id_key' });
  });
});

it('synonyms, registers and measures are listed once, and a file belongs to one upload', async () => {
  for (const [copy, constraint] of [
    [
      'insert into search_synonyms (terms) select terms from search_synonyms limit 1',
      'search_synonyms_terms_key',
    ],
    [
      'insert into pending_uploads (user_id, urls, byte_size, made) select user_id, urls, byte_size, made from pending_uploads limit 1',
      'pending_uploads_url_key',
    ],
    [
      `insert into registers (code, name, country, professions, search_url)
       select 'XX', name, country, professions, search_url from registers limit 1`,
      'registers_name_key',
    ],
    [
      "insert into incident_authorities (code, country, name, url) select 'XX', country, name, url from incident_authorities limit 1",
      'incident_authorities_country_key',
    ],
    [
      "update outcome_measures set position = (select min(position) from outcome_measures) where abbreviation = 'TUG'",
      'outcome_measures_position_key',
    ],
  ] as const) {
    await upload();
    await owner('savepoint before');
    await expect(owner(copy)).rejects.toMatchObject({ constraint });
    await owner('rollback to savepoint before');
  }
});

it('the groups of the filter panel are those that the database counts', async () => {
  const [row] = await owner('select private.facet_groups() as groups');
  expect(row?.groups).toEqual(Object.fromEntries(facetGroups.map(({ key, values }) => [key, [...values]])));
});
