import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { readConfig } from '#backend/config.ts';
import { readDeletions, recordDeletions, repeatDeletions } from '#server/backup/deletions.ts';
import { scheduleBackups } from '#server/backup/schedule.ts';
import { createDatabase } from '../../backend.ts';
import { insertSolution } from '../../solution.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS } from '../../timeouts.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const world = openDatabase();
const { as, ask, owner, column, value, insert, solution, upload, comment, like, topic, moveFiles, jobs } =
  world;

/** A solution that is public, with published pictures, and their ids. */
async function pictured(count = 2) {
  const about = await solution();
  const media: string[] = [];
  for (let position = 0; position < count; position++) {
    const file = await upload();
    const open = (url: string) => url.replace('authenticated/pending-media', 'public/solution-media');
    await owner('delete from pending_uploads');
    const id = await world.picture(about, {
      media_url: open(file.media_url),
      compressed_url: open(file.compressed_url),
      thumbnail_url: open(file.thumbnail_url),
    });
    await owner('update solution_media set position = $2 where id = $1', [id, position]);
    media.push(id);
  }
  await owner(
    `update solutions s set thumbnail_url = m.compressed_url from solution_media m
     where s.id = $1 and m.solution_id = s.id and m.position = 0`,
    [about],
  );
  await owner('delete from media_jobs');
  return { id: about, media };
}

async function requestRemoval(about: string, fields: Record<string, unknown> = {}, actor: Actor = 'visitor') {
  const values = {
    tracking: randomUUID(),
    solution: about,
    asker: 'patient',
    pictures: null,
    reason: null,
    email: null,
  };
  const given = Object.values({ ...values, ...fields });
  const outcome = await as(actor, 'select request_removal($1, $2, $3, $4, $5, $6)', given);
  const id = await value('select id from removal_requests where tracking_id = $1', [given[0]]);
  return { ...outcome, id, tracking: String(given[0]) };
}
const decide = (actor: Actor, id: string, status: string, answer: string | null = null) =>
  as(actor, 'update removal_requests set status = $2, answer = $3 where id = $1', [id, status, answer]);
const state = (tracking: string) => ask('visitor', 'removal_request_state', [tracking]);
const visibleMedia = async (actor: Actor, id: string) =>
  (await as(actor, 'select id from solution_media where solution_id = $1', [id])).rowCount;
const notificationsOf = (member: string) =>
  column(
    "select type from notifications where user_id = $1 and type not in ('badge_earned', 'like', 'comment') order by created_at, type",
    [member],
  );
const about = async (id: string) =>
  (await owner('select withheld_media, thumbnail_url, safety_kind from solutions where id = $1', [id]))[0];

/** What the mails say that are due. */
const letters = async () => {
  const mails = await column<{ to: string; notices: Record<string, string>[] } | null>(
    'select claim_mail() from generate_series(1, 12)',
  );
  return mails.filter((mail) => mail !== null);
};

describe('a removal request', () => {
  it('is made without an account, and its state read by whoever has its number', async () => {
    const { id } = await pictured();
    const one = await requestRemoval(id, { reason: ' My tattoo. ', email: 'pat@example.org' });
    expect(one.code).toBeUndefined();
    expect(await state(one.tracking)).toMatchObject({
      status: 'received',
      pictures: 2,
      by_mail: true,
      answer: null,
      solution_id: id,
    });
    expect(await state(randomUUID())).toBeNull();
    expect(await owner('select reason, email from removal_requests')).toEqual([
      { reason: 'My tattoo.', email: 'pat@example.org' },
    ]);
    // Sent again, as after a lost response.
    expect((await requestRemoval(id, { tracking: one.tracking, asker: 'guardian' })).code).toBeUndefined();
    expect(await owner('select asker from removal_requests')).toEqual([{ asker: 'patient' }]);
    expect((await requestRemoval(id, { asker: 'guardian' }, 'colleague')).code).toBeUndefined();
  });

  it('is refused when something is wrong with it', async () => {
    const { id, media } = await pictured();
    const other = await pictured(1);
    expect((await requestRemoval(id, { pictures: [] })).message).toBe('Choose at least one image');
    expect((await requestRemoval(id, { pictures: other.media })).code).toBe('PT404');
    expect((await requestRemoval(randomUUID())).code).toBe('PT404');
    expect((await requestRemoval(await solution('pending'))).code).toBe('PT404');
    const one = await requestRemoval(id, { pictures: [media[1], ...other.media] });
    expect(await value('select media_ids from removal_requests where id = $1', [one.id])).toEqual([media[1]]);
  });

  describe('in floods', () => {
    const from = async (network: string, about: string, fields = {}) => {
      await owner("select set_config('request.headers', $1, true)", [
        JSON.stringify({ 'x-forwarded-for': network }),
      ]);
      const { message, code } = await requestRemoval(about, fields);
      return code && `${code} ${JSON.parse(message ?? '{}').message}`;
    };
    const refused = /^PGRST You have sent several requests/;

    it('is held back by network, and no one else is', async () => {
      const { id } = await pictured(1);
      for (let time = 0; time < 5; time++) expect(await from('203.0.113.5', id)).toBeUndefined();
      expect(await from('203.0.113.5:4711', id)).toMatch(refused);
      expect(await from('203.0.113.6', id)).toBeUndefined();
      // A household has 2⁶⁴ addresses, and some have 256 of these networks.
      for (let time = 0; time < 5; time++) expect(await from(`2001:db8:0:1::${time}`, id)).toBeUndefined();
      expect(await from('[2001:db8:0:1::99]:443', id)).toMatch(refused);
      for (let net = 2; net < 17; net++)
        expect(await from(`2001:db8:0:${net.toString(16)}::1`, id)).toBeUndefined();
      expect(await from('2001:db8:0:ff::1', id)).toMatch(refused);
      expect(await from('2001:db8:0:100::1', id)).toBeUndefined();
      // No address is stored in plain text.
      expect(await owner("select from private.removal_request_senders where sender ~ '[.:]'")).toEqual([]);
    });

    it('shuts no one out, and alerts moderators once and then together', async () => {
      const { id } = await pictured(1);
      await owner('update auth.users set email_confirmed_at = now()');
      for (let sender = 0; sender < 110; sender++)
        expect(await from(`198.51.100.${sender}`, id)).toBeUndefined();
      expect(await from('203.0.113.9', id)).toBeUndefined();
      expect((await as('moderator', 'select id from removal_requests')).rowCount).toBe(111);
      expect(await notificationsOf(people.moderator)).toEqual(['removal_request']);
      const mails = async () =>
        (await letters()).flatMap(({ to, notices }) => (to === 'moderator@clinic.example' ? notices : []));
      expect(await mails()).toMatchObject([{ type: 'removal_request' }]);
      const later = (minutes: number) =>
        owner(
          `update private.mail_jobs set due_at = due_at - interval '${minutes} minutes' where notice ->> 'type' = 'removal_requests'`,
        );
      await later(59);
      expect(await mails()).toEqual([]);
      await later(1);
      expect(await mails()).toMatchObject([{ type: 'removal_requests' }]);
      // After an hour the next one is an alert again.
      await owner("update removal_requests set alerted_at = alerted_at - interval '61 minutes'");
      expect(await from('203.0.113.10', id)).toBeUndefined();
      expect(await notificationsOf(people.moderator)).toEqual(['removal_request', 'removal_request']);
    });

    it('tells no one of them any more once all are decided', async () => {
      const { id } = await pictured(1);
      await owner('update auth.users set email_confirmed_at = now()');
      for (const network of ['203.0.113.5', '203.0.113.6']) await from(network, id);
      await owner(
        "update removal_requests set status = 'removed'; update private.mail_jobs set due_at = now()",
      );
      expect(await letters()).toEqual([]);
    });

    it('writes to an address three times a day at most, and takes the requests', async () => {
      const { id } = await pictured(1);
      const email = 'Someone.Else@example.org';
      for (let sender = 0; sender < 5; sender++)
        expect(await from(`203.0.113.${sender}`, id, { email })).toBeUndefined();
      const receipts = await owner(
        "select from private.mail_jobs where notice ->> 'type' = 'removal_request_received'",
      );
      expect(receipts).toHaveLength(3);
    });
  });

  it('alerts everyone who moderates, by mail too, whatever notifications they want', async () => {
    await owner('update profiles set allow_notifications = false where id = $1', [people.moderator]);
    await owner('update auth.users set email_confirmed_at = now()');
    const { id } = await pictured();
    await requestRemoval(id, { email: 'pat@example.org' });
    for (const member of [people.moderator, people.moderator2, people.admin])
      expect(await notificationsOf(member)).toEqual(['removal_request']);
    for (const member of [people.author, people.colleague]) expect(await notificationsOf(member)).toEqual([]);
    const sent = await letters();
    expect(sent.map(({ to }) => to).sort()).toEqual([
      'admin2@clinic.example',
      'admin@clinic.example',
      'moderator2@clinic.example',
      'moderator@clinic.example',
      'pat@example.org',
    ]);
    for (const { to, notices } of sent)
      expect(notices).toMatchObject([
        to === 'pat@example.org'
          ? { type: 'removal_request_received', tracking_id: expect.any(String) }
          : { type: 'removal_request', tracking_id: null },
      ]);
  });
});

describe('what a report is about', () => {
  const reported = async (content_type: string, content_id: string) => {
    await insert('colleague', 'content_reports', { content_type, content_id, reason: 'A face' });
    return value('select id from content_reports where content_id = $1', [content_id]);
  };
  const hide = (actor: Actor, report: string) => as(actor, 'select hide_reported_media($1)', [report]);

  it('is hidden by a moderator with one statement, and waits in the queue', async () => {
    const { id, media } = await pictured();
    const report = await reported('solution', id);
    for (const actor of ['colleague', 'author', 'visitor'] as const)
      expect((await hide(actor, report)).code).toBe('42501');
    expect(await visibleMedia('visitor', id)).toBe(2);
    expect((await hide('moderator', report)).code).toBeUndefined();
    expect(await visibleMedia('visitor', id)).toBe(0);
    expect((await hide('moderator2', report)).code).toBe('PT404');
    expect(await owner('select asker, reason, status, media_ids from removal_requests')).toEqual([
      { asker: 'moderator', reason: 'A face', status: 'hidden', media_ids: media },
    ]);
    expect(await notificationsOf(people.author)).toEqual(['media_hidden']);
    // Who hid it needs no alert.
    expect(await owner("select from notifications where type = 'removal_request'")).toEqual([]);
    const { rows } = await as('moderator2', "select sender from review_queue where kind = 'removal_request'");
    expect(rows).toEqual([{ sender: 'A moderator, after a report' }]);
    const request = await value('select id from removal_requests', []);
    expect((await decide('moderator', request, 'kept', 'No face.')).rowCount).toBe(1);
    expect(await visibleMedia('visitor', id)).toBe(2);
  });

  it('stays when the report is closed, or is of what has no images', async () => {
    const { id } = await pictured();
    const report = await reported('solution', id);
    await as('moderator', "update content_reports set status = 'dismissed' where id = $1", [report]);
    expect((await hide('moderator', report)).code).toBe('PT404');
    expect((await hide('moderator', await reported('topic', await topic()))).code).toBe('PT404');
    expect(await visibleMedia('visitor', id)).toBe(2);
    expect((await requestRemoval(id, { asker: 'moderator' })).code).toBe('23514');
  });
});

describe('the rows of requests and notices', () => {
  it.each([
    [
      `insert into removal_requests (tracking_id, asker, media_ids)
       select n.id, 'patient', array[n.id] from (select gen_random_uuid() as id) n, generate_series(1, 2)`,
      'removal_requests_tracking_id_key',
    ],
    [
      `insert into safety_notices (solution_id, kind, content) select s.id, 'caution', 'The pin shears.' from solutions s, generate_series(1, 2);
       update safety_notices set ended_at = null`,
      'safety_notices_current_key',
    ],
  ])('hold their values: %s', async (sql, constraint) => {
    await solution();
    await expect(owner(sql)).rejects.toThrow(constraint);
  });
});

describe('withheld pictures', () => {
  it('are gone for readers and their author with one statement, and on their way out of the public bucket', async () => {
    const { id, media } = await pictured();
    const one = await requestRemoval(id, { pictures: [media[0]] });
    expect(await visibleMedia('visitor', id)).toBe(2);
    expect((await decide('moderator', one.id, 'hidden')).rowCount).toBe(1);
    for (const actor of ['visitor', 'colleague', 'author'] as const)
      expect(await visibleMedia(actor, id)).toBe(1);
    expect(await visibleMedia('moderator', id)).toBe(2);
    expect(await about(id)).toMatchObject({ withheld_media: 1 });
    expect((await about(id))?.thumbnail_url).toBe(
      await value('select compressed_url from solution_media where id = $1', [media[1]]),
    );
    expect(await jobs()).toEqual(['move']);
    expect(await notificationsOf(people.author)).toEqual(['media_hidden']);
    expect(await state(one.tracking)).toMatchObject({ status: 'hidden', hidden_at: expect.any(String) });
    expect(await owner('select action, actor_id from audit_events')).toEqual([
      { action: 'removal_request_hidden', actor_id: people.moderator },
    ]);
    // The second moderator is too late, and no moderator is alerted any more.
    expect((await decide('moderator2', one.id, 'hidden')).code).toBe('23514');
    expect(await owner("select from notifications where type = 'removal_request' and not is_read")).toEqual(
      [],
    );
    // Their rows alone are pointed back, and a later approval does not publish them.
    const places = () =>
      column<string>('select media_url from solution_media where solution_id = $1 order by position', [id]);
    const [hidden = '', shown] = await places();
    const moved = hidden.replace('/public/solution-media/', '/authenticated/pending-media/elsewhere/');
    for (let time = 0; time < 2; time++) {
      await moveFiles(id);
      expect(await places()).toEqual([moved, shown]);
    }
  });

  it('are out of the author’s reach while the request is open', async () => {
    const { id, media } = await pictured();
    await decide('moderator', (await requestRemoval(id, { pictures: [media[0]] })).id, 'hidden');
    const reach = (sql: string) => as('author', sql, [media[0]]);
    expect((await reach("update solution_media set description = 'x' where id = $1")).rowCount).toBe(0);
    expect((await reach('delete from solution_media where id = $1')).rowCount).toBe(0);
    expect((await as('author', 'delete from solution_media where id = $1', [media[1]])).rowCount).toBe(1);
  });

  it('are removed for good with their files, once', async () => {
    const { id, media } = await pictured();
    const one = await requestRemoval(id, { pictures: [media[0]] });
    const two = await requestRemoval(id, { pictures: [media[0]] });
    await decide('moderator', one.id, 'hidden');
    expect((await decide('moderator', one.id, 'removed', 'Sorry.')).rowCount).toBe(1);
    expect(await visibleMedia('moderator', id)).toBe(1);
    expect(await about(id)).toMatchObject({ withheld_media: 1 });
    expect(await jobs()).toEqual(['move', 'remove']);
    expect(await notificationsOf(people.author)).toEqual(['media_hidden', 'media_removed']);
    expect(await state(one.tracking)).toMatchObject({ status: 'removed', answer: 'Sorry.' });
    // Other senders of the same request are answered too.
    expect(await state(two.tracking)).toMatchObject({ status: 'removed', answer: null });
    for (const status of ['received', 'hidden', 'kept', 'removed'])
      expect((await decide('admin', one.id, status, 'No.')).rowCount).toBe(0);
  });

  it('come back with a written reason, unless someone else asked for the same', async () => {
    const { id, media } = await pictured();
    const one = await requestRemoval(id);
    const two = await requestRemoval(id, { pictures: [media[1]] });
    await decide('moderator', one.id, 'hidden');
    await decide('moderator', two.id, 'hidden');
    expect((await decide('moderator', one.id, 'kept')).message).toContain('why the images can stay');
    expect((await decide('moderator', one.id, 'kept', ' ')).message).toContain('why the images can stay');
    const unread = () =>
      column(
        'select type from notifications where user_id = $1 and not is_read and type in (select type from private.notice_types where warns)',
        [people.author],
      );
    await decide('moderator2', one.id, 'kept', 'Nobody can be recognised.');
    // One is hidden still.
    expect(await unread()).toEqual(['media_hidden']);
    expect(await visibleMedia('visitor', id)).toBe(1);
    expect(await about(id)).toMatchObject({ withheld_media: 1 });
    await decide('moderator', two.id, 'kept', 'Nor here.');
    expect(await unread()).toEqual([]);
    expect(await visibleMedia('visitor', id)).toBe(2);
    expect(await about(id)).toMatchObject({ withheld_media: 0, thumbnail_url: expect.any(String) });
    expect(await jobs()).toEqual(['move', 'move', 'move']);
    expect(await notificationsOf(people.author)).toEqual([
      'media_hidden',
      'media_restored',
      'media_restored',
    ]);
  });

  it('stay when nothing was hidden, the author is not troubled, and the claim of the request ends', async () => {
    const { id } = await pictured();
    const one = await requestRemoval(id);
    await ask('moderator', 'claim_review', ['removal_request', one.id]);
    expect((await decide('moderator', one.id, 'kept', 'A drawing.')).rowCount).toBe(1);
    expect([await visibleMedia('visitor', id), await jobs(), await notificationsOf(people.author)]).toEqual([
      2,
      [],
      [],
    ]);
    expect(await owner('select kind from review_claims')).toEqual([]);
  });

  it('are not given back by who published them, admins excepted', async () => {
    const { id } = await pictured();
    await owner('update solutions set user_id = $2 where id = $1', [id, people.moderator]);
    const one = await requestRemoval(id);
    expect((await decide('moderator', one.id, 'hidden')).rowCount).toBe(1);
    expect((await decide('moderator', one.id, 'kept', 'All fine.')).code).toBe('42501');
    expect((await decide('moderator2', one.id, 'kept', 'All fine.')).rowCount).toBe(1);
  });

  it('and requests about them end with the solution', async () => {
    const { id } = await pictured();
    const one = await requestRemoval(id, { email: 'pat@example.org' });
    await as('author', 'delete from solutions where id = $1', [id]);
    expect(await state(one.tracking)).toMatchObject({ status: 'removed', solution_id: null });
  });

  it('leave no address behind 30 days after the outcome', async () => {
    const { id } = await pictured();
    const done = await requestRemoval(id, { email: 'pat@example.org', reason: 'My tattoo.' });
    await requestRemoval(id, { email: 'open@example.org' });
    await decide('moderator', done.id, 'kept', 'A drawing.');
    const addresses = () => column('select email from removal_requests order by email');
    await owner('select expire_retained_records()');
    expect(await addresses()).toHaveLength(2);
    await owner("update removal_requests set resolved_at = now() - interval '31 days' where id = $1", [
      done.id,
    ]);
    await owner('select expire_retained_records()');
    expect(await addresses()).toEqual(['open@example.org', null]);
    expect(await value('select reason from removal_requests where id = $1', [done.id])).toBeNull();
  });
});

describe('pictures that were removed for good', () => {
  it('are removed again from a backup that is older, and those hidden stay so', async () => {
    const { url, drop } = await createDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const beside = temporaryFolder('erased');
    try {
      const {
        rows: [solution],
      } = await client.query<{ id: string }>(insertSolution({}));
      const {
        rows: [removed, kept, hidden],
      } = await client.query<{ id: string }>(
        `insert into public.solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type)
         select $1, n || '/full.webp', n || '/card.webp', n || '/thumb.webp', 'image' from unnest(array['a', 'b', 'c']) n returning id`,
        [solution?.id],
      );
      await client.query(
        `insert into public.audit_events (action, target_type, target_id, created_at, after) values
           ('removal_request_removed', 'removal_request', 'x', now() - interval '4 minutes', jsonb_build_object('media_ids', array[$1::text])),
           ('removal_request_hidden', 'removal_request', 'y', now() - interval '3 minutes', jsonb_build_object('media_ids', array[$2::text, $3::text])),
           ('removal_request_kept', 'removal_request', 'y', now() - interval '2 minutes', jsonb_build_object('media_ids', array[$2::text]))`,
        [removed?.id, kept?.id, hidden?.id],
      );
      // The embedded backend's table; a Supabase project has a different one, and separate backups.
      await client.query(
        'create table if not exists auth.audit_log_entries (payload json, created_at timestamptz)',
      );
      await recordDeletions(client, beside, new Date(0));
      const erasures = await readDeletions(beside);
      expect(erasures.map(({ kind }) => kind)).toEqual(['media', 'hidden', 'hidden', 'shown']);
      await client.query('begin');
      expect(await repeatDeletions(client, erasures)).toBe(4);
      const visible = await client.query('select id from public.solution_media where hidden_at is null');
      expect(visible.rows).toEqual([kept]);
    } finally {
      await client.end();
      await drop();
    }
  });
});

it('the list of what was removed is written while a backup is made, each entry once', async () => {
  const { url, drop } = await createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const directory = temporaryFolder('listed');
  const program = join(directory, 'backup.mjs');
  writeFileSync(program, 'setInterval(() => undefined, 1000);');
  const kinds = async () => (await readDeletions(directory)).map(({ kind }) => kind);
  const remove = (action: string) =>
    client.query(
      `insert into public.audit_events (action, target_type, target_id) values ($1, 'x', gen_random_uuid())`,
      [action],
    );
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { backup } = readConfig(
    resolve('.'),
    { BACKUP_DIR: directory, DATABASE_URL: url, DATA_DIR: directory },
    null,
  );
  const stop = scheduleBackups(
    { backup, dataDir: directory },
    url,
    { program, environment: {} },
    pino({ enabled: false }),
  );
  try {
    await client.query(
      'create table if not exists auth.audit_log_entries (payload json, created_at timestamptz)',
    );
    await remove('comment_deleted');
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => expect(await kinds()).toEqual(['comment']), {
      timeout: BACKGROUND_TIMEOUT_MS,
    });
    await remove('post_deleted');
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const other = new pg.Client({ connectionString: url });
        await other.connect();
        await recordDeletions(other, directory, new Date(0)).finally(() => other.end());
      }),
    );
    expect(await kinds()).toEqual(['comment', 'post']);
  } finally {
    vi.useRealTimers();
    await stop();
    await client.end();
    await drop();
  }
});

it('the list of what was removed is for operators alone', async () => {
  for (const actor of ['visitor', 'author', 'admin', 'service'] as const)
    expect((await as(actor, "select private.deletions_since('-infinity')")).code).toBe('42501');
});

describe('the jobs of one solution', () => {
  it('are done by one worker at a time', async () => {
    const { id } = await pictured();
    const other = await pictured();
    for (const about of [id, id, other.id])
      await owner('insert into media_jobs (solution_id) values ($1)', [about]);
    const claim = () => value('select solution_id from claim_media_job()');
    expect([await claim(), await claim(), await claim()]).toEqual([id, other.id, undefined]);
    await owner('delete from media_jobs where solution_id = $1 and claimed_at is not null', [id]);
    expect(await claim()).toBe(id);
  });
});

describe('a safety notice', () => {
  const write = (actor: Actor, about: string, kind = 'caution', content = 'The pin shears at 90 kg.') =>
    insert(actor, 'safety_notices', { solution_id: about, kind, content });
  const withdraw = (actor: Actor) => as(actor, "update safety_notices set ended_at = 'yesterday'");
  const current = (about: string) =>
    column('select content from safety_notices where solution_id = $1 and ended_at is null', [about]);

  it('is shown with its solution, which stays public', async () => {
    const id = await solution();
    expect((await write('author', id)).rowCount).toBe(1);
    expect(await current(id)).toEqual(['The pin shears at 90 kg.']);
    expect(await about(id)).toMatchObject({ safety_kind: 'caution' });
    expect(await column('select status from solutions')).toEqual(['approved']);
    expect(await owner('select * from audit_events')).toEqual([]);
  });

  it('is on the cards of browse', async () => {
    const id = await solution();
    await write('moderator', id, 'recall');
    expect(await ask('visitor', 'browse_solutions')).toMatchObject({
      items: [{ id, safety_kind: 'recall' }],
    });
  });

  it('is replaced by the next and kept in a history that author and moderators read', async () => {
    const id = await solution();
    await write('author', id);
    await write('author', id, 'recall', 'Stop using the first print.');
    expect(await current(id)).toEqual(['Stop using the first print.']);
    expect(await about(id)).toMatchObject({ safety_kind: 'recall' });
    const history = async (actor: Actor) => (await as(actor, 'select from safety_notices')).rowCount;
    expect([await history('visitor'), await history('author'), await history('moderator')]).toEqual([
      1, 2, 2,
    ]);
    expect((await withdraw('author')).rowCount).toBe(1);
    expect(await owner("select from safety_notices where ended_at < now() - interval '1 minute'")).toEqual(
      [],
    );
    expect(await current(id)).toEqual([]);
    expect(await about(id)).toMatchObject({ safety_kind: null });
  });

  it('of a moderator is theirs, and in the audit log', async () => {
    const id = await solution();
    await write('moderator', id);
    expect((await write('author', id)).message).toContain('only a moderator can change it');
    expect((await withdraw('author')).rowCount).toBe(0);
    expect((await write('moderator2', id, 'recall')).rowCount).toBe(1);
    expect((await withdraw('admin')).rowCount).toBe(1);
    expect(await column('select action from audit_events order by id')).toEqual([
      'safety_notice_written',
      'safety_notice_written',
      'safety_notice_withdrawn',
    ]);
  });

  it('is told to author, likers and commenters once each, and no more when it is withdrawn', async () => {
    const id = await solution();
    await like(id, 'colleague');
    await comment(id, 'colleague');
    await comment(id, 'admin2');
    await write('moderator', id);
    for (const member of [people.author, people.colleague, people.admin2])
      expect(await notificationsOf(member)).toEqual(['safety_notice']);
    expect([await notificationsOf(people.moderator), await notificationsOf(people.admin)]).toEqual([[], []]);
    await write('moderator2', id, 'recall');
    expect(await notificationsOf(people.colleague)).toEqual(['safety_notice']);
    await withdraw('moderator2');
    expect(await notificationsOf(people.colleague)).toEqual([]);
  });

  it('is all that is kept of an incident, besides that a report tells of one: no table or column is for what happened to a person', async () => {
    expect(
      await column(
        `select c.table_name || '.' || c.column_name from information_schema.columns c
         where c.table_schema in ('public', 'private') and concat(c.table_name, c.column_name) ~* '(harm|hurt|injur|incident|casualt)'
         order by 1`,
      ),
    ).toEqual([
      'content_reports.tells_of_harm',
      ...['code', 'country', 'name', 'url'].map((name) => `incident_authorities.${name}`),
      'review_queue.tells_of_harm',
    ]);
  });

  it('is not written more than ten times a day', async () => {
    const id = await solution();
    for (let time = 0; time < 10; time++) expect((await write('author', id)).rowCount).toBe(1);
    expect((await write('author', id)).message).toContain('10 safety notices within a day');
  });
});
