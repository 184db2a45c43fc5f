import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { WRITING_FUNCTIONS } from '#app/supabase.ts';
import { onFailureKeep } from '../../runner/evidence.ts';
import { SOLUTION } from '../../solution.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';
import { attemptsOn } from './attempts.ts';
import { createScene } from './scene.ts';

const world = openDatabase();
const { attempt, owner, value } = world;

/**
 * Where a suspended or banned member can still write: rows that are theirs alone, and functions open to any
 * visitor.
 */
const OPEN = [
  // Removes what is the member’s own.
  'call withdraw_solution',
  'call decide_images',
  'insert into member_blocks',
  'insert into page_views',
  'update messages',
  'update notifications',
  'update profiles, settings',
  'call count_download',
  'call increment_topic_views',
  'call request_removal',
  'call unsubscribe_from_mail',
  'call delete_account',
  'call cancel_email_change',
  'call show_orcid',
];

const preface = `# What a suspension or a ban leaves

Tried by \`suspended.test.ts\`: everything of [access-matrix.md](access-matrix.md) that writes, and every function that
does, as someone without a sanction and as the same person suspended or banned. Members may still remove what is theirs.
Renewed like the access matrix.
`;

/** A call of each function that members can call and that is not for reading alone, by name. */
async function callsOf({
  solutions,
  topic,
  post,
  source,
  translated,
  heldPost,
}: Awaited<ReturnType<typeof createScene>>) {
  const solution = JSON.stringify({ ...SOLUTION, materials: [], custom_tags: [] });
  const { amputation_level, age_group, prosthesis_type } = SOLUTION;
  const trial = JSON.stringify({ result: 'worked', amputation_level, age_group, prosthesis_type });
  const report = await value(
    `insert into content_reports (reporter_id, content_type, content_id, reason)
     select '${people.colleague}', 'message', id, 'Rude' from messages order by created_at, content limit 1 returning id`,
  );
  const shownReport = await value(
    `insert into content_reports (reporter_id, content_type, content_id, reason)
     values ('${people.colleague}', 'solution', '${solutions.approved}', 'A face') returning id`,
  );
  const shared = await value(
    `insert into collections (user_id, title, is_shared) values ('${people.colleague}', 'Straps', true) returning id`,
  );
  const picture = await value(
    `select id from solution_media where solution_id = '${solutions.approved}' and hidden_at is null`,
  );
  // In an order of their own: that of the rows in the table depends on what the database has tidied up by then.
  const ownSolution =
    '(select id from solutions where user_id = auth.uid() order by status, audience, title, created_at limit 1)';
  return {
    answer_use_question: `answer_use_question((select id from use_questions where user_id = auth.uid()), 'sometimes')`,
    submit_solution: `submit_solution('${solution}', '[]', 'patient_written', '2026-11-01')`,
    resubmit_solution: `resubmit_solution(${ownSolution}, '${solution}', '[]', 'patient_written', '2026-11-01')`,
    submit_trial: `submit_trial('${source}', 1, '${trial}', '[]')`,
    submit_translation: `submit_translation('${translated}', 1, 'de', '{"title": "Hülse", "description": "Zwei Teile."}')`,
    withdraw_solution: `withdraw_solution(${ownSolution})`,
    mark_answer: `mark_answer('${topic}', '${post}')`,
    summarise_topic: `summarise_topic('${topic}', 'Webbing lasts.')`,
    claim_review: `claim_review('solution', '${solutions['the moderator’s own pending']}')`,
    stop_sharing: `stop_sharing('${shared}', 'Names a patient')`,
    hide_reported_media: `hide_reported_media('${shownReport}')`,
    read_reported_message: `read_reported_message('${report}')`,
    count_download: `count_download((select id from solution_files where solution_id = '${solutions.approved}' and hidden_at is null))`,
    increment_topic_views: `increment_topic_views('${topic}')`,
    request_removal: `request_removal(gen_random_uuid(), '${solutions.approved}', 'patient', array['${picture}'::uuid])`,
    unsubscribe_from_mail: `unsubscribe_from_mail('x')`,
    cancel_email_change: 'cancel_email_change()',
    retry_media_jobs: 'retry_media_jobs()',
    decide_held_post: `decide_held_post('${heldPost}', true, 1)`,
    decide_images: `decide_images('${post}', false)`,
    invite_member: `invite_member('new@clinic.example')`,
    withdraw_invitation: `withdraw_invitation('new@clinic.example')`,
    remove_second_step: `remove_second_step('${people.colleague}')`,
    show_orcid: 'show_orcid(false)',
    set_account_disabled: `set_account_disabled('${people.colleague}', true)`,
    delete_account: `set_config('request.jwt.claims', (current_setting('request.jwt.claims')::jsonb || jsonb_build_object('amr', jsonb_build_array(jsonb_build_object('timestamp', extract(epoch from now())::bigint))))::text, true), delete_account('keep')`,
  };
}

/** Every statement that writes, by name. */
async function triesOf(): Promise<[string, string][]> {
  const scene = await createScene(world);
  const calls = await callsOf(scene);
  const volatile = await owner<{ name: string }>(
    `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace and p.provolatile = 'v'
       and has_function_privilege('authenticated', p.oid, 'execute') order by 1`,
  );
  expect(Object.keys(calls).sort(), 'the functions tried').toEqual(volatile.map(({ name }) => name));
  expect(WRITING_FUNCTIONS, 'the functions that the site waits for without a limit').toEqual(
    Object.keys(calls).sort(),
  );
  const tries: [string, string][] = [];
  for (const [relation, trial] of Object.entries(attemptsOn(scene))) {
    // The change of an upsert is tried as an update.
    for (const [what, sql] of Object.entries(trial.inserts ?? {}))
      tries.push([`insert into ${relation}, ${what}`, sql]);
    const itself = trial.everywhere ? { '': trial.everywhere } : {};
    for (const [row, condition] of Object.entries(trial.rows)) {
      const own = relation === 'profiles' ? 'id = auth.uid()' : condition;
      for (const [change, assignments] of Object.entries(trial.changes ?? itself))
        tries.push([
          `update ${relation}${change && `, ${change}`}, ${row}`,
          `update ${relation} set ${assignments} where ${own}`,
        ]);
      tries.push([`delete from ${relation}, ${row}`, `delete from ${relation} where ${condition}`]);
    }
  }
  for (const [name, call] of Object.entries(calls)) tries.push([`call ${name}`, `select ${call}`]);
  return tries;
}

/** The names of what this person can do. */
async function doneBy(actor: Actor, tries: [string, string][]): Promise<string[]> {
  const names: string[] = [];
  await owner('savepoint attempt');
  for (const [name, sql] of tries) {
    const outcome = await attempt(actor, sql);
    if (typeof outcome === 'number' ? outcome > 0 : outcome.code === '23505') names.push(name);
  }
  await owner('rollback to savepoint attempt; release savepoint attempt');
  return names;
}

it('who is suspended or banned does nothing that others see, of all that can be tried', async () => {
  let matrix = preface;
  await owner('savepoint scene');
  for (const actor of ['author', 'moderator', 'admin'] as const) {
    const tries = await triesOf();
    const done = () => doneBy(actor, tries);
    const without = await done();
    const under: string[][] = [];
    for (const kind of ['suspension', 'ban']) {
      await owner('savepoint sanctioned');
      await owner(
        `insert into sanctions (user_id, kind, reason, until, created_by)
         values ($1, $2::text, 'Advertising', case $2::text when 'suspension' then now() + interval '1 day' end, $3)`,
        [people[actor], kind, people.admin2],
      );
      under.push(await done());
      await owner('rollback to savepoint sanctioned');
    }
    const [suspended = [], banned] = under;
    expect(banned).toEqual(suspended);
    const open = suspended.filter((name) => !name.startsWith('delete from '));
    expect(open.filter((name) => !OPEN.some((one) => name.startsWith(one)))).toEqual([]);
    const refused = without.filter((name) => !suspended.includes(name));
    expect(refused.length).toBeGreaterThan(20);
    matrix += `\n## ${actor}\n\nNo longer:\n\n${refused.map((name) => `- ${name}\n`).join('')}`;
    matrix += `\nStill:\n\n${suspended.map((name) => `- ${name}\n`).join('')}`;
    await owner('rollback to savepoint scene');
  }
  onFailureKeep(async () => ({ 'suspended.md': matrix }));
  await expect(matrix).toMatchFileSnapshot('suspended.md');
});

it('who has no name, or has not declared to be an adult professional, takes no part before', async () => {
  await owner('savepoint scene');
  for (const actor of ['author', 'moderator', 'admin'] as const) {
    const tries = await triesOf();
    const done = async () => (await doneBy(actor, tries)).filter((name) => !name.startsWith('delete from '));
    const completed = await done();
    for (const lack of [
      `update profiles set username = null where id = '${people[actor]}'`,
      `update profiles set full_name = null where id = '${people[actor]}'`,
      `delete from member_declarations where user_id = '${people[actor]}'`,
    ]) {
      await owner('savepoint incomplete');
      await owner(lack);
      const left = await done();
      const open = [
        ...OPEN,
        'insert into profiles, in one’s own name',
        'update profiles',
        'insert into member_declarations',
        // What staff read, and the notice of a decision, which itself is refused.
        'call read_reported_message',
        'insert into notifications, content_deleted',
      ];
      expect(left.filter((name) => !open.some((one) => name.startsWith(one)))).toEqual([]);
      expect(completed.filter((name) => !left.includes(name)).length).toBeGreaterThan(20);
      expect(left.some((name) => name.startsWith('update profiles, what others see'))).toBe(true);
      await owner('rollback to savepoint incomplete');
    }
    await owner('rollback to savepoint scene');
  }
});

it.each([
  ['an e-mail address', "insert into auth.users (id, email) values ($1, 'new@clinic.example')"],
  ['a phone number', "insert into auth.users (id, phone) values ($1, '447700900123')"],
  ['nothing, as a guest', 'insert into auth.users (id, is_anonymous) values ($1, true)'],
  [
    'a company’s account',
    'insert into auth.users (id, email, is_sso_user, raw_user_meta_data) values ($1, \'new@clinic.example\', true, \'{"full_name": "Dr New"}\')',
  ],
])('an account that began with %s takes part once its profile is completed', async (_, signUp) => {
  const approved = await world.solution('approved');
  const like = () => world.as('author', 'insert into likes (solution_id) values ($1)', [approved]);
  const newcomer = randomUUID();
  await owner(signUp, [newcomer]);
  const asNewcomer = (sql: string, values: unknown[] = []) =>
    world.as('colleague', sql, values, { sub: newcomer });
  const refused = await asNewcomer('insert into likes (solution_id) values ($1)', [approved]);
  expect(refused).toMatchObject({ code: '42501', message: 'Please complete your profile first' });
  for (const name of ["full_name = 'Dr New'", "username = 'dr.new'"]) {
    await asNewcomer(`update profiles set ${name} where id = $1`, [newcomer]);
    expect((await asNewcomer('insert into likes (solution_id) values ($1)', [approved])).code).toBe('42501');
  }
  await asNewcomer(
    "insert into member_declarations (user_id, statement, text_version) values ($1, 'adult_healthcare_professional', '2026-11-01')",
    [newcomer],
  );
  expect((await asNewcomer('insert into likes (solution_id) values ($1)', [approved])).rowCount).toBe(1);
  expect((await like()).rowCount).toBe(1);
});
