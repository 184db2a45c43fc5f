import { expect, it } from 'vitest';
import { openDatabase, people } from '../fixtures.ts';

const {
  as,
  ask,
  insert,
  owner,
  column,
  value,
  solution,
  topic,
  verifyFactor,
  submitted,
  approve,
  revisionOf,
} = openDatabase();

const note = (about: Record<string, unknown>, content = 'Asked twice for the angle') =>
  insert('moderator', 'staff_notes', { ...about, content });
const aboutOf = () => value<string | null>('select about_id from staff_notes');
const report = (by: string, on: string) =>
  value(
    "insert into content_reports (reporter_id, content_type, content_id, reason) values ($1, 'topic', $2, 'Rude') returning id",
    [by, on],
  );

it('notes are read by staff with the second step that the site asks for, and by no one else', async () => {
  await note({ about_id: people.author });
  const read = (actor: Parameters<typeof as>[0], claims = {}) =>
    as(actor, 'select content from staff_notes', [], claims);
  for (const actor of ['author', 'colleague'] as const)
    expect(await read(actor), actor).toMatchObject({ rowCount: 0 });
  expect(await read('visitor')).toMatchObject({ code: '42501' });
  for (const actor of ['moderator', 'moderator2', 'admin'] as const)
    expect(await read(actor), actor).toMatchObject({ rowCount: 1 });
  await verifyFactor('moderator');
  expect(await read('moderator')).toMatchObject({ rowCount: 0 });
  expect(await read('moderator', { aal: 'aal2' })).toMatchObject({ rowCount: 1 });
  await owner('update site_settings set staff_second_step = true');
  expect(await read('moderator2')).toMatchObject({ rowCount: 0 });
});

it('a note on an item is about who sent it, but on a report about no member, whatever its writer says', async () => {
  const { author, colleague } = people;
  const [waiting, discussed] = [await solution('pending'), await topic()];
  const registration = await value(
    "insert into member_registrations (user_id, register, number) values ($1, 'HCPC', 'PO31415') returning id",
    [author],
  );
  const suggestion = await value(
    `insert into resource_suggestions (user_id, resource_name, resource_url, description, category)
     values ($1, 'ISPO', 'https://www.ispoint.org/', 'The international society.', 'Professional Organizations') returning id`,
    [author],
  );
  const held = await value(
    "insert into held_posts (user_id, topic_id, content) values ($1, $2, 'My first') returning id",
    [author, discussed],
  );
  for (const [about, who] of [
    [{ solution_id: waiting }, author],
    [{ registration_id: registration }, author],
    [{ resource_suggestion_id: suggestion }, author],
    [{ held_post_id: held }, author],
    [{ content_report_id: await report(colleague, discussed) }, null],
    [{ about_id: author }, author],
  ] as const) {
    expect(await note({ about_id: colleague, ...about })).toMatchObject({ rowCount: 1 });
    expect(await aboutOf()).toBe(who);
    await owner('delete from staff_notes');
  }
  expect(await note({})).toMatchObject({ code: '23514' });
  expect(await note({ solution_id: waiting, held_post_id: held })).toMatchObject({ code: '23514' });
});

it('a note on a new version is one on the solution, which outlives it', async () => {
  const id = await submitted();
  await approve(id);
  await ask('author', 'resubmit_solution', [
    id,
    await value('select to_jsonb(s) from solutions s where id = $1', [id]),
    '[]',
    'patient_written',
    '2026-11-01',
  ]);
  await note({ solution_id: await revisionOf(id) });
  await approve(id);
  expect(await column('select solution_id from staff_notes')).toEqual([id]);
});

it('that a note was written or removed is in the audit log, and never what it said', async () => {
  await note({ about_id: people.author }, 'Sells a liner');
  expect(await as('moderator2', 'delete from staff_notes')).toMatchObject({ rowCount: 0 });
  expect(await as('admin', 'delete from staff_notes')).toMatchObject({ rowCount: 1 });
  const events = await owner<{ action: string; actor_id: string }>(
    'select action, actor_id, before, after from audit_events order by id',
  );
  expect(events).toMatchObject([
    { action: 'staff_note_written', actor_id: people.moderator, after: { about_id: people.author } },
    { action: 'staff_note_removed', actor_id: people.admin, before: { about_id: people.author } },
  ]);
  expect(JSON.stringify(events)).not.toContain('liner');
});

it('notes about a member are in their data without who wrote them, and go with their account', async () => {
  const waiting = await solution('pending');
  const shared = await solution('approved');
  const reported = await report(people.author, await topic('colleague'));
  for (const about of [{ about_id: people.author }, { solution_id: waiting }, { solution_id: shared }])
    await note(about, 'About the author');
  await note({ content_report_id: reported }, 'About a report');
  await note({ about_id: people.colleague }, 'About a colleague');
  const data = await ask<Record<string, Record<string, unknown>[]>>('author', 'export_account');
  expect(data.staff_notes?.map(({ content }) => content)).toEqual(Array(3).fill('About the author'));
  expect(JSON.stringify(data.staff_notes)).not.toContain(people.moderator);
  expect((await ask<Record<string, unknown>>('moderator', 'export_account')).staff_notes).toEqual([]);
  await owner('truncate audit_events');
  await owner("select private.erase_account($1, 'keep')", [people.author]);
  expect(await column('select content from staff_notes order by content')).toEqual([
    'About a colleague',
    'About a report',
  ]);
  expect(await column("select action from audit_events where action like 'staff%'")).toEqual([]);
  await owner("select private.erase_account($1, 'keep')", [people.moderator]);
  expect(await column('select created_by from staff_notes')).toEqual([null, null]);
});
