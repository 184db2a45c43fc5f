// @module-tag whole

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteReported } from '#app/moderation/reports/report-actions.ts';
import { solution as solutions } from '#app/solution/solutions/kind.ts';
import { createDatabase, createDataFolder } from '../backend.ts';
import { type BackendProcess, startBackendProcess } from '../backend-process.ts';
import { COMPLETE_PROFILES } from '../completed-profiles.ts';
import { insertConsented } from '../solution.ts';
import { removeFolder } from '../temporary-folder.ts';

/*
 * The server is killed at the rows that a decision or a deletion writes, one after the other, until there is none
 * left: at every third one, from another one in each run.
 */

const STRIDE = 3;
const FIRST = 1 + Math.floor(Math.random() * STRIDE);

let createdDatabase: Awaited<ReturnType<typeof createDatabase>>;
let dataDir: string;
let database: pg.Client;
let server: BackendProcess;
const [author, moderator] = [randomUUID(), randomUUID()];
const tokens = { moderator: '', service: '' };
let sign: (claims: Record<string, string>) => Promise<string>;

/** Each row written counts as a step; the one that `stop` names waits for a lock that the test holds. */
const STEPS = `
create sequence private.steps;
create table private.stop (at bigint);
insert into private.stop values (0);
create function private.step() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if nextval('private.steps') = (select at from private.stop) then perform pg_advisory_xact_lock(4711); end if;
  return coalesce(new, old);
end $$;
create trigger aa_step before insert or update or delete on public.solutions for each row execute function private.step();
create trigger aa_step before update or delete on public.solution_media for each row execute function private.step();
create trigger aa_step before insert or update or delete on public.media_jobs for each row execute function private.step();
create trigger aa_step before insert or delete on storage.objects for each row execute function private.step();
`;

beforeAll(async () => {
  createdDatabase = await createDatabase();
  dataDir = createDataFolder();
  database = new pg.Client({ connectionString: createdDatabase.url });
  await database.connect();
  for (const id of [author, moderator])
    await database.query('insert into auth.users (id, email) values ($1, $2)', [id, `${id}@clinic.example`]);
  await database.query(COMPLETE_PROFILES);
  await database.query("insert into public.user_roles (user_id, role) values ($1, 'moderator')", [moderator]);
  await database.query(STEPS);
  await database.query('select pg_advisory_lock(4711)');
  const { jwtSecret } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  sign = (claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(jwtSecret));
  tokens.moderator = await sign({ role: 'authenticated', sub: moderator });
  tokens.service = await sign({ role: 'service_role' });
  server = await startServer();
});
afterAll(async () => {
  await server?.kill();
  await database.end();
  await createdDatabase.drop();
  await removeFolder(dataDir);
});

const startServer = () => startBackendProcess({ dataDir, databaseUrl: createdDatabase.url });
/** A client of this user at the server that runs now. */
const as = (who: keyof typeof tokens) => createClient(server.url, tokens[who]);

type Bucket = 'pending-media' | 'solution-media';

/** A solution with one picture of a single file, in the bucket that its state requires. */
async function solution(status: 'pending' | 'approved', bucket: Bucket) {
  const file = `${author}/${randomUUID()}/full.webp`;
  const { error } = await as('service')
    .storage.from(bucket)
    .upload(file, new Blob([file], { type: 'image/webp' }));
  expect(error).toBeNull();
  const { rows } = await database.query(insertConsented({ user_id: author, status }));
  const open = bucket === 'pending-media' ? 'authenticated' : 'public';
  await database.query(
    `insert into public.solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type, width, height) values ($1, $2, $2, $2, 'image', 8, 8)`,
    [rows[0].id, `/storage/v1/object/${open}/${bucket}/${file}`],
  );
  // The jobs left by the preparation are not under test.
  await database.query('delete from public.media_jobs');
  return { id: rows[0].id as string, file };
}

type Act = (client: SupabaseClient, id: string) => PromiseLike<unknown>;

/**
 * The decision, the file's bucket and name (it leaves the public bucket under a new one), the bucket in its
 * row, and whether any visitor can fetch it.
 */
async function state({ id, file }: { id: string; file: string }) {
  const { rows: objects } = await database.query(
    `select o.bucket_id from storage.objects o
     where o.name = $1
       or (o.bucket_id = 'pending-media' and exists (
         select from public.solution_media m where m.solution_id = $2 and m.media_url like '%/' || o.name
       ))
     order by 1`,
    [file, id],
  );
  const { rows: found } = await database.query(
    `select s.status, split_part(m.media_url, '/', 6) as bucket,
       (select count(*)::int from public.solution_reviews r where r.solution_id = s.id and r.decision in ('approved', 'rejected')) as decisions
     from public.solutions s left join public.solution_media m on m.solution_id = s.id where s.id = $1`,
    [id],
  );
  const { rows: jobs } = await database.query('select object_names from public.media_jobs');
  const answer = await fetch(`${server.url}/storage/v1/object/public/solution-media/${file}`);
  return {
    rows: found,
    objects: objects.map(({ bucket_id }) => bucket_id),
    jobs,
    public: answer.ok && (await answer.text()) === file,
  };
}

const blocked = async () => {
  const { rows } = await database.query(
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'",
  );
  return rows.map(({ pid }) => pid as number);
};

/**
 * Kills the server at each step of the act; afterwards the act and its jobs are simply done again.
 *
 * @returns the last step at which there was something to kill
 */
async function killAtEachStep(scene: () => Promise<{ id: string; file: string }>, act: Act, after: object) {
  const whole: Act = async (client, id) => {
    await act(client, id);
    await client.functions.invoke('process-media-jobs', { method: 'POST' });
  };
  for (let at = FIRST; ; at += STRIDE) {
    const stage = await scene();
    await database.query(`select setval('private.steps', 1, false)`);
    await database.query('update private.stop set at = $1', [at]);
    let over = false;
    const run = Promise.resolve(whole(as('moderator'), stage.id)).finally(() => {
      over = true;
    });
    // It may fail before it is waited for.
    run.catch(() => undefined);
    let blockedPids: number[] = [];
    await expect
      .poll(async () => {
        blockedPids = await blocked();
        if (blockedPids.length > 0) return true;
        // The site itself may have claimed the remaining job, and be on its way to the step.
        return over && (await database.query('select from public.media_jobs')).rowCount === 0;
      })
      .toBe(true);
    await database.query('update private.stop set at = 0');
    if (blockedPids.length === 0) {
      await run;
      await expect.poll(() => state(stage)).toMatchObject({ jobs: [], ...after });
      return at - STRIDE;
    }
    await server.kill();
    // As a power cut would: uncommitted changes are lost.
    await database.query('select pg_terminate_backend(pid) from unnest($1::int[]) as held (pid)', [
      blockedPids,
    ]);
    await run.catch(() => undefined);
    // Its locks last until it has ended.
    await expect
      .poll(
        async () =>
          (await database.query('select from pg_stat_activity where pid = any ($1)', [blockedPids])).rowCount,
      )
      .toBe(0);
    server = await startServer();
    // The next server takes the job over after two minutes.
    await database.query(
      "update public.media_jobs set claimed_at = now() - interval '3 minutes' where claimed_at is not null",
    );
    await whole(as('moderator'), stage.id);
    // The site itself processes the remaining jobs, and may have been quicker.
    await expect
      .poll(() => state(stage), { message: `killed at step ${at}` })
      .toMatchObject({ jobs: [], ...after });
  }
}

const decide =
  (decision: Record<string, string>): Act =>
  (client, id) =>
    client.from('solutions').update(decision).eq('id', id).eq('status', 'pending');

it('an approval that is cut off anywhere ends with one decision and its file public', async () => {
  const steps = await killAtEachStep(
    () => solution('pending', 'pending-media'),
    decide({ status: 'approved' }),
    {
      rows: [{ status: 'approved', bucket: 'solution-media', decisions: 1 }],
      objects: ['solution-media'],
      public: true,
    },
  );
  expect(steps + STRIDE).toBeGreaterThan(6);
});

it('a rejection of what was public ends with every file private', async () => {
  const steps = await killAtEachStep(
    () => solution('pending', 'solution-media'),
    decide({ status: 'rejected', rejection_reason: 'A face is visible.' }),
    {
      rows: [{ status: 'rejected', bucket: 'pending-media', decisions: 1 }],
      objects: ['pending-media'],
      public: false,
    },
  );
  expect(steps + STRIDE).toBeGreaterThan(6);
});

it('a deletion ends with no row and no file', async () => {
  const steps = await killAtEachStep(
    () => solution('approved', 'solution-media'),
    (client, id) => client.from('solutions').delete().eq('id', id),
    { rows: [], objects: [], public: false },
  );
  expect(steps + STRIDE).toBeGreaterThan(4);
});

it('a removal that is cut off between any of its steps is whole once it is repeated', async () => {
  await database.query(`
    create trigger aa_step before update on public.content_reports for each row execute function private.step();
    create trigger aa_step before insert on public.messages for each row execute function private.step();
    create trigger aa_step before insert on public.notifications for each row execute function private.step()`);
  const [email, password] = ['remover@clinic.example', 'a long walk by the sea'];
  const { data } = await as('service').auth.admin.createUser({ email, password, email_confirm: true });
  await database.query(COMPLETE_PROFILES);
  await database.query("insert into public.user_roles (user_id, role) values ($1, 'moderator')", [
    data.user?.id,
  ]);
  // One session over all the servers, as a browser has it.
  const session = createClient('http://site.example', await sign({ role: 'anon' }), {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: (input, init) => fetch(String(input).replace('http://site.example', server.url), init) },
  });
  expect((await session.auth.signInWithPassword({ email, password })).error).toBeNull();

  const scenes: string[] = [];
  const reported = async () => {
    const stage = await solution('approved', 'solution-media');
    scenes.push(stage.id);
    await database.query(
      `insert into public.content_reports (reporter_id, content_type, content_id, reason)
       select person, 'solution', $3, 'A face is visible' from unnest(array[$1, $2]::uuid[]) as person`,
      [moderator, data.user?.id, stage.id],
    );
    return stage;
  };
  const steps = await killAtEachStep(
    reported,
    (_client, id) => {
      const report = { id: '', content_type: 'solution', content_id: id, reason: '', created_at: '' };
      const about = {
        preview: '',
        authorId: author,
        authorName: '',
        href: '',
        isTitled: true,
        text: null,
        language: null,
        context: null,
        createdAt: null,
        within: null,
      };
      return deleteReported(session, {
        report: { ...report, shows_patient: false, tells_of_harm: false, reporter_id: null, reporter: null },
        reported: about,
        removal: solutions.reported.removal,
        message: 'It shows a face.',
      });
    },
    { rows: [], objects: [], public: false },
  );
  expect(steps + STRIDE).toBeGreaterThan(8);
  const { rows: reports } = await database.query(
    'select status, count(*)::int from public.content_reports where content_id = any ($1) group by 1',
    [scenes],
  );
  expect(reports).toEqual([{ status: 'resolved', count: 2 * scenes.length }]);
  const { rows: letters } = await database.query(
    "select from public.messages where recipient_id = $1 and subject = 'Your solution was removed'",
    [author],
  );
  expect(letters.length).toBeGreaterThanOrEqual(scenes.length);
});

it('likes that are given and taken back under a server that is killed again and again are counted right', async () => {
  const { id } = await solution('approved', 'solution-media');
  const people = Array.from({ length: 8 }, () => randomUUID());
  for (const person of people)
    await database.query('insert into auth.users (id, email) values ($1, $2)', [
      person,
      `${person}@clinic.example`,
    ]);
  await database.query(COMPLETE_PROFILES);
  let done = 0;
  const [kills, between] = [2, 30];
  const toggle = async (person: string) => {
    const token = await sign({ role: 'authenticated', sub: person });
    for (let liked = false; done < (kills + 1) * between; ) {
      const likes = createClient(server.url, token).from('likes');
      const { error } = liked
        ? await likes.delete().eq('solution_id', id).eq('user_id', person)
        : await likes.insert({ solution_id: id, user_id: person });
      // Whether the request arrived is not known: rows that exist already are the intended result.
      if (error && error.code !== '23505') continue;
      liked = !liked;
      done += 1;
    }
  };
  const toggling = Promise.all(people.map(toggle));
  try {
    for (let kill = 1; kill <= kills; kill++) {
      await expect.poll(() => done).toBeGreaterThanOrEqual(kill * between);
      await server.kill();
      server = await startServer();
    }
    await toggling;
  } finally {
    done = Number.POSITIVE_INFINITY;
  }
  const { rows } = await database.query(
    'select likes_count as counted, (select count(*)::int from public.likes where solution_id = $1) as there from public.solutions where id = $1',
    [id],
  );
  expect(rows[0].counted).toBe(rows[0].there);
});
