import { describe, expect, it } from 'vitest';
import { openWorld, people } from './world.ts';

// Rules that hold for everybody, our own functions and operators included.
const { owner } = openWorld();

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
    [{ icon_url: "'https://elsewhere.example/x.svg'" }, 'badges_icon_url_check'],
    [{ tier: '4' }, 'badges_tier_check'],
    [{ criterion: "'visits'" }, 'badges_criterion_check'],
    [{ threshold: '0' }, 'badges_threshold_check'],
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

describe('a sanction', () => {
  const sanction = (kind: string, reason: string) =>
    owner('insert into sanctions (user_id, kind, reason) values ($1, $2, $3) returning id', [
      people.author,
      kind,
      reason,
    ]);

  it('is of one of three kinds', async () => {
    expect(await sanction('warning', 'Rude')).toHaveLength(1);
    await expect(sanction('exile', 'Rude')).rejects.toMatchObject({ constraint: 'sanctions_kind_check' });
  });

  it('has a reason', async () => {
    await expect(sanction('warning', ' \n')).rejects.toMatchObject({ constraint: 'Please provide a reason' });
  });
});

it('a role is one of three', async () => {
  const give = (role: string) =>
    owner('insert into user_roles (user_id, role) values ($1, $2) returning role', [people.author, role]);
  expect(await give('moderator')).toHaveLength(1);
  await expect(give('superuser')).rejects.toMatchObject({
    constraint: 'Role must be user, moderator or admin',
  });
});

it('nobody has fewer than no points', async () => {
  const set = (points: number) =>
    owner('update user_points set total_points = $2 where user_id = $1 returning user_id', [
      people.author,
      points,
    ]);
  await owner('insert into user_points (user_id) values ($1) on conflict do nothing', [people.author]);
  expect(await set(0)).toHaveLength(1);
  await expect(set(-1)).rejects.toMatchObject({ constraint: 'user_points_total_points_check' });
});

it.each([
  ['\u200B', false],
  ['x'.repeat(121), false],
  ['x'.repeat(120), true],
])('a full name says something and has 120 characters at most: %j', async (name, fits) => {
  const rename = owner('update profiles set full_name = $2 where id = $1 returning id', [
    people.author,
    name,
  ]);
  if (fits) expect(await rename).toHaveLength(1);
  else await expect(rename).rejects.toMatchObject({ constraint: 'Full name must be 1 to 120 characters' });
});

it('a declaration is one of those the site asks for', async () => {
  const declare = (statement: string) =>
    owner(
      "insert into member_declarations (user_id, statement, text_version) values ($1, $2, '2026-11-01') returning statement",
      [people.author, statement],
    );
  expect(await declare('adult_healthcare_professional')).toHaveLength(1);
  await expect(declare('consent')).rejects.toMatchObject({
    constraint: 'member_declarations_statement_check',
  });
});

describe('a report of content', () => {
  const close = (change: string) =>
    owner<{ id: string }>(
      `insert into content_reports (reporter_id, content_type, content_id, reason)
       values ($1, 'topic', gen_random_uuid(), 'Rude') returning id`,
      [people.author],
    ).then(([report]) =>
      owner(`update content_reports set ${change} where id = $1 returning id`, [report?.id]),
    );

  it('that is closed says when', async () => {
    expect(await close("status = 'dismissed', resolved_at = now()")).toHaveLength(1);
    await expect(close("status = 'dismissed'")).rejects.toMatchObject({
      constraint: 'A closed report says when',
    });
  });

  it('is answered with words, or not at all', async () => {
    expect(await close("admin_response = 'We have removed it.'")).toHaveLength(1);
    await expect(close("admin_response = ' '")).rejects.toMatchObject({
      constraint: 'A response cannot be blank',
    });
  });
});
