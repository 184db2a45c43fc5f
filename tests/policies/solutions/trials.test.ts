import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { brokenAmong, INVARIANTS } from '../../invariants.ts';
import { SOLUTION } from '../../solution.ts';
import { type Actor, type Member, openDatabase, people } from '../fixtures.ts';

const {
  as,
  ask,
  owner,
  column,
  value,
  insert,
  attach,
  backdate,
  solution,
  upload,
  moveFiles,
  jobs,
  ...world
} = openDatabase();

const REPORT = {
  result: 'worked',
  amputation_level: 'Transtibial (Below Knee)',
  age_group: 'Adults',
  prosthesis_type: 'Passive',
};
const TUG = { measure: 'TUG', score_before: 18.2, score_after: 12.4, people: 1 };

interface Sent {
  report?: Record<string, unknown>;
  media?: unknown;
  consent?: string | null;
  version?: number;
  submission?: string;
}

const submit = (
  of: string,
  actor: Actor = 'colleague',
  { report, media = [], consent = 'patient_written', version = 1, submission = randomUUID() }: Sent = {},
) =>
  as<{ id: string }>(actor, 'select submit_trial($1, $2, $3, $4, $5, $6, $7) as id', [
    of,
    version,
    JSON.stringify({ ...REPORT, ...report }),
    JSON.stringify(media),
    consent,
    consent && '2026-11-01',
    submission,
  ]);
const decide = (id: string, change = "status = 'approved'", actor: Actor = 'moderator') =>
  as(actor, `update solution_trials set ${change} where id = $1`, [id]);

/** An approved trial, or one that waits. */
async function trial(of: string, by: Member = 'colleague', sent: Sent = {}, status = 'approved') {
  const { rows, message } = await submit(of, by, sent);
  const id = rows[0]?.id;
  if (!id) throw new Error(message);
  if (status === 'approved') await decide(id);
  return id;
}

const row = async (id: string) => (await owner('select * from solution_trials where id = $1', [id]))[0];
const tally = async (id: string) =>
  (
    await owner(
      "select tried_count, array_remove(extra_facets, 'language:en') as extra_facets from solutions where id = $1",
      [id],
    )
  )[0];
const seenBy = async (actor: Actor, id: string) =>
  (await as(actor, 'select status from solution_trials where id = $1', [id])).rows.length;
const noticesOf = async (actor: Member) =>
  (await world.noticesOf(actor)).filter((type) => type.startsWith('trial'));
const pointsFor = () => column("select points from point_events where cause = 'trial'");

describe('a report of a trial', () => {
  it('waits for review, and is then seen by everyone', async () => {
    const of = await solution();
    const id = await trial(of, 'colleague', { report: { outcomes: [TUG] } }, 'pending');
    expect(await row(id)).toMatchObject({ status: 'pending', version: 1, user_id: people.colleague });
    for (const actor of ['visitor', 'author'] as const) expect(await seenBy(actor, id), actor).toBe(0);
    expect((await decide(id)).rowCount).toBe(1);
    for (const actor of ['visitor', 'author'] as const) expect(await seenBy(actor, id), actor).toBe(1);
    expect(
      (await as('visitor', 'select id from solution_outcomes where trial_id = $1', [id])).rows,
    ).toHaveLength(1);
  });

  it.each([
    ['Please say what you changed', { result: 'worked_with_changes', changes: ' ' }],
    ['Please say why it did not work', { result: 'did_not_work' }],
    ['The TUG score must be between 0 and 600', { outcomes: [{ ...TUG, score_after: 601 }] }],
    ['Measured outcomes must be a list', { outcomes: {} }],
  ])('is refused as a whole: %s', async (message, report) => {
    const of = await solution();
    const refused = await submit(of, 'colleague', { report });
    expect(refused.message).toContain(message);
    expect(refused.code).toBe('23514');
    expect(await owner('select id from solution_trials')).toEqual([]);
  });

  it('is welcome when it did not work, and says what was changed', async () => {
    const of = await solution();
    const failed = await trial(of, 'colleague', {
      report: { result: 'did_not_work', experience: 'It slipped.' },
    });
    const report = { result: 'worked_with_changes', changes: ' A liner ' };
    const changed = await trial(of, 'moderator', { report }, 'pending');
    expect(await row(failed)).toMatchObject({ status: 'approved', experience: 'It slipped.' });
    expect(await row(changed)).toMatchObject({ changes: 'A liner' });
    expect(await tally(of)).toEqual({ tried_count: 1, extra_facets: ['Tried by others'] });
  });

  it('is of a published solution of another member, in a version that exists', async () => {
    const [of, hidden] = [await solution(), await solution('pending')];
    expect((await submit(of, 'author')).message).toBe('You cannot report a trial of your own solution');
    for (const [other, actor] of [
      [hidden, 'colleague'],
      [hidden, 'moderator'],
      [randomUUID(), 'colleague'],
    ] as const)
      expect((await submit(other, actor)).message).toBe('You can report only on a published solution');
    for (const version of [0, 2])
      expect((await submit(of, 'colleague', { version })).message).toBe(
        'Please choose a version that was published',
      );
    expect((await submit(of)).rows).toHaveLength(1);
  });

  it('counts at once where it comes in approved, as with a restore', async () => {
    const of = await solution();
    await owner(
      `insert into solution_trials (solution_id, version, user_id, status, result, amputation_level, age_group, prosthesis_type)
       values ($1, 1, $2, 'approved', 'worked', 'Transtibial (Below Knee)', 'Adults', 'Passive')`,
      [of, people.colleague],
    );
    expect(await tally(of)).toEqual({ tried_count: 1, extra_facets: ['Tried by others'] });
  });

  it.each([
    ['its text', (of: string) => submit(of, 'colleague', { report: { experience: 'Still in use.' } })],
    ['a picture', async (of: string, id: string) => world.picture(of, await upload('colleague'), id)],
  ])(
    'whose author changes %s while a moderator looks at it is a new version, which their decision names',
    async (_what, change) => {
      const of = await solution();
      const id = await trial(of, 'colleague', {}, 'pending');
      await backdate('solution_trials');
      await change(of, id);
      expect(await column('select id from solution_trials where updated_at = now()')).toEqual([id]);
    },
  );

  it('is one a member and version, and sending it again edits it', async () => {
    const of = await solution();
    const id = await trial(of, 'colleague', { report: { outcomes: [TUG] } }, 'pending');
    const again = await submit(of, 'colleague', { report: { experience: 'Still in use.' } });
    expect(again.rows).toEqual([{ id }]);
    expect(await row(id)).toMatchObject({ experience: 'Still in use.', replaced: null });
    expect(await owner('select id from solution_outcomes')).toEqual([]);
    await owner(`update solutions set version = 2 where id = $1`, [of]);
    expect((await submit(of, 'colleague', { version: 2 })).rows[0]?.id).not.toBe(id);
    await decide(id);
    await owner("update solution_trials set status = 'approved' where status = 'pending'");
    // One member, whatever the number of versions they tried.
    expect(await tally(of)).toMatchObject({ tried_count: 1 });
  });

  it('that was decided on is not sent to review again by the same submission', async () => {
    const of = await solution();
    const submission = randomUUID();
    const id = await trial(of, 'colleague', { submission });
    expect((await submit(of, 'colleague', { submission })).rows).toEqual([{ id }]);
    expect(await row(id)).toMatchObject({ status: 'approved' });
    // Changed after the answer to the first attempt was lost, it is.
    await submit(of, 'colleague', { submission, report: { changes: 'A longer strap.' } });
    expect(await row(id)).toMatchObject({ status: 'pending', changes: 'A longer strap.' });
  });

  it('edited after its approval leaves the page until it is approved again, with what readers saw for its moderator', async () => {
    const of = await solution();
    const id = await trial(of, 'colleague', { report: { outcomes: [TUG] } });
    expect(await tally(of)).toMatchObject({ tried_count: 1 });
    await submit(of, 'colleague', { report: { result: 'did_not_work', experience: 'It broke in week 9.' } });
    expect(await row(id)).toMatchObject({
      status: 'pending',
      approved_at: null,
      replaced: { result: 'worked', outcomes: [{ measure: 'TUG' }] },
    });
    expect(await tally(of)).toEqual({ tried_count: 0, extra_facets: [] });
    expect(await seenBy('visitor', id)).toBe(0);
    expect(await pointsFor()).toEqual([]);
    await decide(id);
    expect(await row(id)).toMatchObject({ status: 'approved', replaced: null });
    expect(await tally(of)).toMatchObject({ tried_count: 1 });
    // The author hears of it once.
    expect(await noticesOf('author')).toEqual(['trial_received']);
    expect(await brokenAmong(INVARIANTS, owner)).toEqual([]);
  });

  it('that is deleted by a moderator is taken off the tally', async () => {
    const of = await solution();
    const id = await trial(of);
    expect((await as('moderator', 'delete from solution_trials where id = $1', [id])).rowCount).toBe(1);
    expect(await tally(of)).toEqual({ tried_count: 0, extra_facets: [] });
    expect(await column("select target_id from audit_events where action = 'trial_deleted'")).toEqual([id]);
    expect(await pointsFor()).toEqual([]);
  });

  it('with a score that no column holds is refused in words, and changes nothing', async () => {
    const of = await solution();
    for (const score of ['100000', '-100000', '1e400'])
      for (const name of ['score_before', 'score_after'] as const) {
        const outcomes = JSON.stringify([{ ...TUG, [name]: 'SCORE' }]).replace('"SCORE"', score);
        const { message } = await as('colleague', 'select submit_trial($1, 1, $2, $3)', [
          of,
          `{"outcomes": ${outcomes}, ${JSON.stringify(REPORT).slice(1)}`,
          '[]',
        ]);
        expect(message, `${name} ${score}`).toBe('A score must be within the range of its measure');
      }
    expect(await owner('select 1 from solution_trials where solution_id = $1', [of])).toHaveLength(0);
    expect((await submit(of, 'colleague', { report: { outcomes: [TUG] } })).rows).toHaveLength(1);
  });

  it('is limited in number', async () => {
    await owner("update profiles set created_at = now() - interval '1 year'");
    const sources = [];
    for (let count = 0; count < 21; count++) sources.push(await solution());
    for (const of of sources.slice(0, 20)) expect((await submit(of)).message).toBeUndefined();
    expect((await submit(sources[20] ?? '')).message).toContain('20 trial reports within a day');
    // An edit adds none.
    expect((await submit(sources[0] ?? '')).message).toBeUndefined();
  });
});

describe('the review of a trial', () => {
  it('is by a moderator who neither wrote it nor has the solution, or by an admin', async () => {
    const of = await solution();
    const id = await trial(of, 'moderator', {}, 'pending');
    expect((await decide(id, "status = 'approved'", 'moderator')).rowCount).toBe(0);
    expect((await decide(id, "status = 'approved'", 'moderator2')).rowCount).toBe(1);
    const theirs = await trial(await solution('approved', 'moderator'), 'colleague', {}, 'pending');
    const refused = await decide(theirs, "status = 'approved'", 'moderator');
    expect(refused.message).toBe(
      'Only a moderator can decide on a trial report, but not on their own or one about their solution',
    );
    expect((await decide(theirs, "status = 'approved'", 'moderator2')).rowCount).toBe(1);
    const admins = await trial(of, 'admin', {}, 'pending');
    // As with solutions, an admin may, which the log says.
    expect((await decide(admins, "status = 'approved'", 'admin')).rowCount).toBe(1);
    expect(await value("select after -> 'own' from audit_events where target_id = $1", [admins])).toBe(true);
  });

  it('rejects with a reason, which its writer is told', async () => {
    const of = await solution();
    const id = await trial(of, 'colleague', {}, 'pending');
    expect((await decide(id, "status = 'rejected'")).message).toContain('A rejection needs a reason');
    expect((await decide(id, "status = 'rejected', rejection_reason = 'A name is shown'")).rowCount).toBe(1);
    expect(await noticesOf('colleague')).toEqual(['trial_rejected']);
    expect(await noticesOf('author')).toEqual([]);
    expect((await decide(id)).message).toBe('Only a pending trial report can be approved or rejected');
    await submit(of, 'colleague', { report: { experience: 'Without the name' } });
    expect(await row(id)).toMatchObject({ status: 'pending', rejection_reason: null });
    expect((await decide(id, `status = 'approved', checklist = '{"identifiers": true}'`)).rowCount).toBe(1);
    expect(
      await value("select after -> 'checklist' from audit_events where action = 'trial_approved'"),
    ).toEqual({
      identifiers: true,
    });
    expect(await row(id)).toMatchObject({ checklist: null });
  });

  it('is in the queue, claimed like a solution', async () => {
    const id = await trial(await solution(), 'colleague', {}, 'pending');
    expect((await as('moderator', 'select kind, id, title, sender from review_queue')).rows).toEqual([
      { kind: 'trial', id, title: SOLUTION.title, sender: 'Dr colleague' },
    ]);
    await ask('moderator', 'claim_review', ['trial', id]);
    expect(await column('select kind from review_claims')).toEqual(['trial']);
    await decide(id);
    expect(await column('select kind from review_claims')).toEqual([]);
  });

  it('gives points once, tells the author, and takes the points back with the report', async () => {
    const of = await solution();
    await owner('delete from notifications');
    const id = await trial(of);
    const points = () => owner('select user_id, points from point_events where source_id = $1', [id]);
    expect(await points()).toEqual([{ user_id: people.colleague, points: 20 }]);
    expect(await noticesOf('author')).toEqual(['trial_received']);
    expect(await noticesOf('colleague')).toEqual(['trial_approved']);
    expect(await brokenAmong(INVARIANTS, owner)).toEqual([]);
    await as('colleague', 'delete from solution_trials where id = $1', [id]);
    expect(await points()).toEqual([]);
    expect(await noticesOf('author')).toEqual([]);
  });

  it('shows a moderator the personal details in its text', async () => {
    const report = { experience: 'Born 12/03/1961.' };
    const id = await trial(await solution(), 'colleague', { report }, 'pending');
    expect(await ask('moderator', 'trial_identifiers_found', [id])).toEqual(['date of birth']);
    expect(await ask('colleague', 'trial_identifiers_found', [id])).toBeNull();
  });
});

describe('the answer of the author', () => {
  it('is the author’s, to an approved report, and reaches its writer', async () => {
    const of = await solution();
    const id = await trial(of, 'colleague', {}, 'pending');
    const answer = (actor: Actor, text: string | null = 'Try the softer liner.') =>
      as(actor, 'update solution_trials set author_answer = $2 where id = $1', [id, text]);
    expect((await answer('author')).rowCount).toBe(0);
    await decide(id);
    expect((await answer('colleague')).message).toBe('Only the author of the solution can answer');
    expect((await answer('moderator')).message).toBe('Only the author of the solution can answer');
    expect((await answer('author')).rowCount).toBe(1);
    expect(await row(id)).toMatchObject({ author_answer: 'Try the softer liner.', status: 'approved' });
    expect(await noticesOf('colleague')).toContain('trial_answered');
    expect((await answer('moderator', null)).rowCount).toBe(1);
    expect(await row(id)).toMatchObject({ author_answer: null });
    expect(await owner("select 1 from audit_events where action = 'trial_answer_removed'")).toHaveLength(1);
  });

  it('is told to its writer once, however often it is taken away and written again', async () => {
    await owner('update profiles set email_notifications = true where id = $1', [people.colleague]);
    const id = await trial(await solution());
    const answer = (text: string | null) =>
      as('author', 'update solution_trials set author_answer = $2 where id = $1', [id, text]);
    for (let time = 0; time < 3; time++) {
      expect((await answer('Try the softer liner.')).rowCount).toBe(1);
      expect((await answer(null)).rowCount).toBe(1);
    }
    expect((await answer('Try a longer liner.')).rowCount).toBe(1);
    expect(await row(id)).toMatchObject({ author_answer: 'Try a longer liner.' });
    expect(
      await owner("select 1 from notifications where type = 'trial_answered' and trial_id = $1", [id]),
    ).toHaveLength(1);
    expect(
      await owner(
        "select 1 from private.mail_jobs where notice ->> 'type' = 'trial_answered' and notice ->> 'trial_id' = $1",
        [id],
      ),
    ).toHaveLength(1);
  });

  it('changes nothing else of the report', async () => {
    await trial(await solution());
    for (const change of ["result = 'did_not_work', experience = 'x'", "changes = 'x'"])
      expect((await as('author', `update solution_trials set ${change}`)).message, change).toBe(
        'Only the member who wrote a trial report can edit it',
      );
    expect(
      (await as('author', "update solution_trials set status = 'rejected', rejection_reason = 'No'")).message,
    ).toContain('Only a moderator can decide');
  });
});

describe('images of a trial', () => {
  const withPicture = async (of: string, status = 'approved', by: Member = 'colleague') => {
    const { media_url } = await upload(by);
    return trial(of, by, { media: [{ media_url, description: 'The socket' }] }, status);
  };
  const pictures = async (actor: Actor) =>
    (await as(actor, 'select id from solution_media where trial_id is not null')).rows.length;

  it('are private until the report is approved, though its solution is public', async () => {
    const of = await solution();
    const id = await withPicture(of, 'pending');
    await moveFiles(of);
    const place = () => value('select media_url from solution_media where trial_id = $1', [id]);
    expect(await place()).toContain('/authenticated/pending-media/');
    await decide(id);
    expect(await jobs()).toEqual(['move']);
    await moveFiles(of);
    expect(await place()).toContain('/public/solution-media/');
    expect(await pictures('visitor')).toBe(1);
    await submit(of, 'colleague', { media: [{ media_url: await place() }] });
    expect(await jobs()).toEqual(['move']);
    expect(await pictures('visitor')).toBe(0);
    await moveFiles(of);
    expect(await place()).toContain('/authenticated/pending-media/elsewhere');
  });

  it('need a consent statement, which readers do not see and no decision is without', async () => {
    const of = await solution();
    const { media_url } = await upload('colleague');
    const media = [{ media_url }];
    expect((await submit(of, 'colleague', { media, consent: null })).message).toBe(
      'Please choose a consent statement',
    );
    expect((await submit(of, 'colleague', { media, consent: 'by_ear' })).message).toContain(
      'Please choose a consent statement',
    );
    const id = await trial(of, 'colleague', { media });
    for (const actor of ['colleague', 'moderator'] as const)
      expect(await ask(actor, 'trial_consent', [id])).toMatchObject({ basis: 'patient_written' });
    expect(await ask('author', 'trial_consent', [id])).toBeNull();
    await owner(
      "update solution_trials set status = 'pending', consent_basis = null, consent_version = null, consent_recorded_at = null",
    );
    expect((await decide(id)).message).toBe(
      'A trial report with images can be approved only with a consent statement',
    );
  });

  it('are the writer’s own uploads, at most ten, and no more once it is approved', async () => {
    const of = await solution();
    const { media_url } = await upload('author');
    expect((await submit(of, 'colleague', { media: [{ media_url }] })).message).toBe(
      'Media must be a file you have uploaded',
    );
    const own = [];
    for (let count = 0; count < 11; count++) own.push({ media_url: (await upload('colleague')).media_url });
    expect((await submit(of, 'colleague', { media: own })).message).toBe(
      'A report can have at most 10 images and videos',
    );
    const id = await trial(of, 'colleague', { media: own.slice(0, 10) });
    for (const { message } of [
      await attach('colleague', of, await upload('colleague'), id),
      await as('colleague', "update solution_media set description = 'New'"),
    ])
      expect(message).toBe('A moderator has decided on this report. Submit your changes as a new report.');
    expect((await as('colleague', 'delete from solution_media where trial_id = $1', [id])).rowCount).toBe(10);
    expect(await owner("select 1 from media_jobs where object_names <> '{}'")).toHaveLength(10);
  });

  it('cannot be put into a report of another solution', async () => {
    const [of, other] = [await solution(), await solution()];
    const id = await withPicture(of, 'pending');
    expect((await attach('colleague', other, await upload('colleague'), id)).code).toBe('42501');
  });

  it('are not of the solution: neither its card nor its limits nor its versions have them', async () => {
    const of = await solution();
    await withPicture(of);
    expect(await value('select thumbnail_url from solutions where id = $1', [of])).toBeNull();
    await world.resubmit(of);
    expect(await owner('select from solution_media where solution_id <> $1', [of])).toEqual([]);
    await world.approve(of);
    // The trial stays with the published solution, with its pictures and outcomes.
    expect(await pictures('visitor')).toBe(1);
    expect(await value("select content -> 'media' from solution_versions where version = 2")).toEqual([]);
    expect(await tally(of)).toMatchObject({ tried_count: 1 });
  });

  it('are removed at the request of a person shown, of which their writer is told', async () => {
    const of = await solution();
    const hidden = await withPicture(of, 'pending', 'moderator');
    const id = await withPicture(of);
    await owner('delete from notifications');
    await ask('visitor', 'request_removal', [randomUUID(), of, 'patient']);
    expect(await value('select media_ids from removal_requests')).toEqual(
      await column('select id from solution_media where trial_id = $1', [id]),
    );
    await as('moderator', "update removal_requests set status = 'hidden'");
    expect(await pictures('visitor')).toBe(0);
    expect(await value('select withheld_media from solutions where id = $1', [of])).toBe(0);
    expect(await column("select user_id from notifications where type = 'media_hidden'")).toEqual([
      people.colleague,
    ]);
    await as('moderator', "update removal_requests set status = 'removed'");
    expect(await owner('select id from solution_media where trial_id = $1', [id])).toEqual([]);
    expect(await owner('select id from solution_media where trial_id = $1', [hidden])).toHaveLength(1);
  });

  it('whose writer moderates are kept by another moderator', async () => {
    const of = await solution();
    const id = await withPicture(of, 'pending', 'moderator');
    await decide(id, "status = 'approved'", 'moderator2');
    await ask('visitor', 'request_removal', [randomUUID(), of, 'patient']);
    const keep = (actor: Actor) =>
      as(actor, "update removal_requests set status = 'kept', answer = 'Nobody is shown.'");
    expect((await keep('moderator')).code).toBe('42501');
    expect((await keep('moderator2')).rowCount).toBe(1);
  });
});

describe('trials elsewhere', () => {
  it('sort and filter browse, and are counted on the card', async () => {
    const [first, second] = [await solution(), await solution()];
    await trial(first);
    await trial(first, 'moderator2');
    const third = await solution();
    interface Page {
      total: number;
      items: { id: string; tried_count: number }[];
      next_cursor: string;
    }
    const page = (options: object) => ask<Page>('visitor', 'browse_solutions', { ...options });
    expect((await page({ sort: 'tried' })).items[0]).toMatchObject({ id: first, tried_count: 2 });
    const start = await page({ sort: 'tried', page_size: 1 });
    const rest = await page({ sort: 'tried', page_size: 2, cursor: start.next_cursor });
    expect(rest.items.map(({ id }) => id).toSorted()).toEqual([second, third].toSorted());
    for (const sort of ['newest', 'tried'])
      expect(await page({ filters: ['Tried by others'], sort })).toMatchObject({
        total: 1,
        items: [{ id: first }],
      });
  });

  it('are points of the evidence of their own, and no outcomes of the solution', async () => {
    const of = await solution();
    const id = await trial(of, 'colleague', {
      report: { outcomes: [{ ...TUG, people: 10 }], prosthesis_type: 'Hybrid' },
    });
    const evidence = () => ask('visitor', 'evidence', ['TUG']);
    expect(await evidence()).toMatchObject({
      counts: [{ measure: 'TUG', type: 'Hybrid', cases: 1, people: 10, outcomes: 1 }],
      points: [{ solution_id: of, trial_id: id, type: 'Hybrid' }],
    });
    expect(await tally(of)).toMatchObject({ extra_facets: ['Tried by others'] });
    expect(await brokenAmong(INVARIANTS, owner)).toEqual([]);
    await submit(of);
    expect(await evidence()).toMatchObject({ counts: [], points: [] });
    expect(await brokenAmong(INVARIANTS, owner)).toEqual([]);
  });

  it('make their writer hear of safety notices, also while they wait', async () => {
    const of = await solution();
    await trial(of, 'colleague', {}, 'pending');
    await trial(of, 'moderator2');
    await insert('author', 'safety_notices', {
      solution_id: of,
      kind: 'recall',
      content: 'The hook may snap.',
    });
    expect(
      (await column("select user_id from notifications where type = 'safety_notice'")).toSorted(),
    ).toEqual([people.colleague, people.moderator2].toSorted());
  });

  it('are news for who follows the solution', async () => {
    const of = await solution();
    await insert('admin2', 'follows', { solution_id: of });
    await trial(of);
    const [news] = await ask<{ items: unknown[] }[]>('admin2', 'following_news', ['yesterday']);
    expect(news?.items).toContainEqual(
      expect.objectContaining({ kind: 'trials', solution_id: of, number: 1 }),
    );
  });

  it('can be reported by who sees them', async () => {
    const of = await solution();
    const [shown, waiting] = [await trial(of), await trial(of, 'moderator2', {}, 'pending')];
    const report = (id: string) =>
      insert('author', 'content_reports', {
        content_type: 'trial',
        content_id: id,
        reason: 'Names a patient',
      });
    expect((await report(waiting)).code).toBe('42501');
    expect((await report(shown)).rowCount).toBe(1);
  });

  it('are in the export of their writer, with pictures and outcomes, and not in the author’s', async () => {
    const of = await solution();
    await trial(of, 'colleague', {
      report: { outcomes: [TUG] },
      media: [{ media_url: (await upload('colleague')).media_url }],
    });
    expect(await ask('colleague', 'export_account')).toMatchObject({
      solution_trials: [{ solution_id: of, consent_basis: 'patient_written' }],
      solution_media: [{}],
      solution_outcomes: [{}],
    });
    expect(await ask('author', 'export_account')).toMatchObject({
      solution_trials: [],
      solution_media: [],
      solution_outcomes: [],
    });
  });

  it('stay as those of a former member, or leave with the account', async () => {
    const [of, other] = [await solution(), await solution()];
    const kept = await trial(of);
    const waiting = await trial(other, 'colleague', {}, 'pending');
    await owner('select private.erase_account($1, $2)', [people.colleague, 'keep']);
    expect(await row(kept)).toMatchObject({ user_id: null, status: 'approved' });
    expect(await row(waiting)).toBeUndefined();
    expect(await tally(of)).toMatchObject({ tried_count: 1 });
    const gone = await trial(of, 'moderator2');
    await owner('select private.erase_account($1, $2)', [people.moderator2, 'remove']);
    expect(await row(gone)).toBeUndefined();
    expect(await tally(of)).toMatchObject({ tried_count: 1 });
  });
});
