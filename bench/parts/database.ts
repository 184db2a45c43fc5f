import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { readSecrets, type Secrets } from '#backend/crypto/secrets.ts';
import { migrate } from '#backend/database/migrate.ts';
import { startPostgres } from '#backend/database/postgres.ts';

export const root = resolve(import.meta.dirname, '../..');

export interface BenchDatabase {
  url: string;
  secrets: Secrets;
  dataDir: string;
  /** Superuser connection. */
  client: pg.Client;
  stop(): Promise<void>;
}

/** A separate database with this many approved solutions, some pictures and comments, deleted afterwards. */
export async function openDatabase(solutions: number): Promise<BenchDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'limb-commons-bench-'));
  chmodSync(dataDir, 0o711);
  mkdirSync(join(dataDir, 'files'));
  const secrets = await readSecrets(dataDir, undefined);
  const postgres = await startPostgres(dataDir, secrets.databasePassword);
  await migrate(postgres.url, secrets.databasePassword, root);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await fill(client, postgres.url, solutions);
  return {
    url: postgres.url,
    secrets,
    dataDir,
    client,
    async stop() {
      await client.end();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes the sets that browse searches with, of solutions inserted without their triggers, on all cores. */
export async function reindexSolutions(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: availableParallelism() });
  const { rows } = await pool.query<{ chunk: number }>(
    'select generate_series(0, private.chunk_count() - 1) as chunk',
  );
  await Promise.all(rows.map(({ chunk }) => pool.query('select private.reindex_solutions($1)', [chunk])));
  await pool.end();
}

const WORDS =
  'socket liner knee ankle foot wrist elbow harness cable hook grip pin suction vacuum carbon laminate check residual limb skin pressure gait stance swing torque rotation adapter pylon strap buckle glove thumb finger hand tool handle guitar bow pen fork wheel pedal ladder stair slope sand water swim run cycle climb garden kitchen'.split(
    ' ',
  );

async function fill(client: pg.Client, url: string, solutions: number): Promise<void> {
  await client.query(
    "insert into auth.users (id, email) select gen_random_uuid(), 'bench' || n || '@example.org' from generate_series(1, 50) as n",
  );
  await client.query(
    "update public.profiles set username = 'bench.' || substr(id::text, 1, 8), full_name = 'Bench Person', profession = 'Prosthetist'",
  );
  await client.query(
    "insert into public.member_declarations (user_id, statement, text_version) select id, 'adult_healthcare_professional', '2026-11-01' from public.profiles on conflict do nothing",
  );
  // The triggers would send notifications and count points one by one; the figures here are of reading and of
  // single writes.
  await client.query('set session_replication_role = replica; select setseed(0.5)');
  await client.query(
    `insert into public.solutions (user_id, title, description, status, occupation, amputation_level, age_group, prosthesis_type, cost_range, materials, custom_tags, likes_count, created_at)
     select people[1 + n % 50], initcap(said.words[1]) || ' with ' || array_to_string(said.words[2:5], ' '),
       array_to_string(said.words, ' '), 'approved',
       o.all[1 + floor(random() * cardinality(o.all))::int], a.all[1 + floor(random() * cardinality(a.all))::int],
       (array['Adults', 'Children'])[1 + n % 2], p.all[1 + floor(random() * cardinality(p.all))::int],
       c.all[1 + floor(random() * cardinality(c.all))::int], m.all[1:1 + n % 3], array[said.words[6]], floor(random() * 200),
       now() - n * interval '1 minute'
     from generate_series(1, $1::int) as n,
       (select array_agg(id order by id) as people from public.profiles) as members,
       (select private.occupations() as all) as o, (select private.amputation_levels() as all) as a,
       (select private.prosthesis_types() as all) as p, (select private.cost_ranges() as all) as c,
       (select private.materials() as all) as m,
       lateral (select array_agg(($2::text[])[1 + floor(random() * random() * cardinality($2::text[]))::int]) as words
         from generate_series(1, 90 + n - n)) as said`,
    [solutions, WORDS],
  );
  await client.query(
    `insert into public.comments (solution_id, user_id, content)
     select id, user_id, 'Which liner did you use with it?' from public.solutions where likes_count % 2 = 0`,
  );
  await client.query('set session_replication_role = default');
  await reindexSolutions(url);
  await client.query('vacuum analyze');
}
