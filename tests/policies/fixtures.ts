import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { createDatabase } from '../backend.ts';
import { rowsSeenBy, writeEvidence } from '../runner/evidence.ts';
import { insertConsented } from '../solution.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Takes one of the database's rules away, for scripts/mutants.ts to see whether a test notices. */
    mutation?: string;
  }
}

/**
 * The actors as which every policy is tried: `visitor` has no account, `colleague` is a member without a part
 * in the case,
 * `service` holds the service key.
 */
export const people = {
  visitor: undefined,
  service: undefined,
  author: randomUUID(),
  colleague: randomUUID(),
  moderator: randomUUID(),
  moderator2: randomUUID(),
  admin: randomUUID(),
  admin2: randomUUID(),
} as const;
export type Actor = keyof typeof people;
export type Member = Exclude<Actor, 'visitor' | 'service'>;

/** Names of the actors whose part cannot be a member's name. */
const callNames: Record<string, string> = {
  moderator: 'mona',
  moderator2: 'milo',
  admin: 'ada',
  admin2: 'abel',
};

const roleOf = (actor: Actor) =>
  actor === 'service' ? 'service_role' : people[actor] ? 'authenticated' : 'anon';

export interface Outcome<Row> {
  rows: Row[];
  rowCount: number;
  /** SQLSTATE of a refusal. */
  code?: string;
  message?: string;
}

interface Scene {
  client: pg.Client;
  url: string;
  end(): Promise<void>;
}

async function setScene(): Promise<Scene> {
  const { url, drop } = await createDatabase();
  const client = new pg.Client({ connectionString: url });
  // The last file leaves its connection to the end of the run.
  client.on('error', () => undefined);
  await client.connect();
  for (const [name, id] of Object.entries(people)) {
    if (!id) continue;
    await client.query(
      `insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, '{"declaration_version": "2026-11-01"}')`,
      [id, `${name}@clinic.example`],
    );
    await client.query(
      'update public.profiles set username = $2, full_name = $3, profession = $4, bio = $5 where id = $1',
      [
        id,
        `${callNames[name] ?? name}.one`,
        `Dr ${callNames[name] ?? name}`,
        'Prosthetist',
        'Twenty years at the bench.',
      ],
    );
  }
  await client.query(
    'insert into public.user_roles (user_id, role) values ($1, $2), ($3, $2), ($4, $5), ($6, $5)',
    [people.moderator, 'moderator', people.moderator2, people.admin, 'admin', people.admin2],
  );
  // Log entries of the scene's preparation are no member's acts.
  await client.query('truncate public.audit_events');
  const mutation = inject('mutation');
  if (mutation) await client.query(mutation);
  return {
    client,
    url,
    async end() {
      await client.end();
      await drop();
    },
  };
}

/** The scene of the files that one process runs: a new one costs as much as most of their tests. */
let shared: { scene: Scene; of: string } | undefined;

async function sharedScene(): Promise<Scene> {
  const of = `${inject('clusterUrl')} ${inject('mutation') ?? ''}`;
  if (shared?.of !== of) {
    await shared?.scene.end();
    shared = { scene: await setScene(), of };
  }
  return shared.scene;
}

/**
 * A database with the people in it. Each test runs in one transaction that is rolled back, so tests neither
 * see nor wait for each other's rows.
 *
 * @param commits a file whose tests commit their writes has a separate database
 */
export function openDatabase({ commits = false } = {}) {
  let client: pg.Client;
  let url: string;

  beforeAll(async () => {
    const scene = await (commits ? setScene() : sharedScene());
    ({ client, url } = scene);
    return commits ? scene.end : undefined;
  });
  beforeEach(() => client.query('begin'));
  afterEach(async ({ task }) => {
    await writeEvidence(task, () => rowsSeenBy(client));
    await client.query('rollback');
  });

  /** As the database's owner: sets the scene and looks behind it. */
  async function owner<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await client.query<Row>(sql, values)).rows;
  }

  /**
   * The API's part for this person: their role, their claims, and a refusal that undoes the statement alone.
   */
  async function as<Row extends pg.QueryResultRow>(
    actor: Actor,
    sql: string,
    values: unknown[] = [],
    claims: Record<string, unknown> = {},
  ): Promise<Outcome<Row>> {
    const id = people[actor];
    const role = roleOf(actor);
    await client.query('savepoint attempt');
    await client.query("select set_config('request.jwt.claims', $1, true)", [
      JSON.stringify({ role, sub: id, aal: 'aal1', ...claims }),
    ]);
    await client.query(`set local role ${role}`);
    try {
      const result = await client.query<Row>(sql, values);
      await client.query('reset role');
      return { rows: result.rows, rowCount: result.rowCount ?? 0 };
    } catch (error) {
      await client.query('rollback to savepoint attempt');
      if (!(error instanceof pg.DatabaseError)) throw error;
      return { rows: [], rowCount: 0, code: error.code ?? '', message: error.message };
    } finally {
      await client.query("select set_config('request.jwt.claims', '', true)");
    }
  }

  /**
   * As `as`, in one round trip: how many rows the statement reaches, or the refusal. The next attempt undoes it, so a
   * test of attempts does nothing else after `owner('savepoint attempt')`.
   */
  async function attempt(actor: Actor, sql: string): Promise<number | pg.DatabaseError> {
    const id = people[actor];
    const role = roleOf(actor);
    const claims = pg.escapeLiteral(JSON.stringify({ role, sub: id, aal: 'aal1' }));
    try {
      const results = await client.query(
        `rollback to savepoint attempt; select set_config('request.jwt.claims', ${claims}, true); set local role ${role}; ${sql}`,
      );
      return [results].flat().at(-1)?.rowCount ?? 0;
    } catch (error) {
      if (error instanceof pg.DatabaseError) return error;
      throw error;
    }
  }

  async function insertedId(sql: string, values: unknown[]): Promise<string> {
    const [row] = await owner<{ id: string }>(sql, values);
    if (!row) throw new Error('nothing was made');
    return row.id;
  }

  return {
    owner,
    as,
    attempt,
    databaseUrl: () => url,
    solution(status: 'pending' | 'approved' | 'rejected' = 'approved', author: Member = 'author') {
      const { text, values } = insertConsented({
        user_id: people[author],
        status,
        rejection_reason: status === 'rejected' ? 'The label shows a name.' : null,
        occupation: 'Playing Instruments',
        amputation_level: 'Transradial (Below Elbow)',
        prosthesis_type: 'Body-Powered',
        materials: ['3D-Printed PLA', 'Silicone'],
        custom_tags: ['violin', 'bow hold'],
      });
      return insertedId(text, values);
    },
    /** A processed file of the member's that no solution holds yet; returns its media URL. */
    async upload(author: Member = 'author') {
      const folder = `/storage/v1/object/authenticated/pending-media/${people[author]}/${randomUUID()}`;
      await owner(
        `insert into public.media_uploads (user_id, media_url, compressed_url, thumbnail_url, media_type, width, height, byte_size)
         values ($1, $2, $3, $4, 'image', 2000, 1125, 48000)`,
        [people[author], `${folder}/full.webp`, `${folder}/card.webp`, `${folder}/thumb.webp`],
      );
      return {
        media_url: `${folder}/full.webp`,
        compressed_url: `${folder}/card.webp`,
        thumbnail_url: `${folder}/thumb.webp`,
      };
    },
    /** Puts a solution's files where they belong, as the job that follows a decision does; no job is left. */
    async moveFiles(solution: string) {
      await owner('delete from public.media_jobs');
      await owner('insert into public.media_jobs (solution_id, attempts, claimed_at) values ($1, 1, now())', [
        solution,
      ]);
      await owner(
        `select public.move_files(j.id, 1, $1, (
           select jsonb_object_agg(f.url, case when f.is_public then replace(f.url, '/authenticated/pending-media/', '/public/solution-media/')
             else replace(f.url, '/public/solution-media/', '/authenticated/pending-media/elsewhere/') end)
           from public.files_of_solution($1) f
         )) from public.media_jobs j`,
        [solution],
      );
      await owner('delete from public.media_jobs');
    },
    /** What the jobs are that wait, in order: files are moved, or those of rows that are gone are removed. */
    async jobs() {
      const waiting = await owner<{ what: string }>(
        "select case object_names when '{}' then 'move' else 'remove' end as what from public.media_jobs order by id",
      );
      return waiting.map(({ what }) => what);
    },
    /** A processed build file of the member's that no solution holds yet; returns its URL. */
    async buildFile(author: Member = 'author', name = 'clamp.pdf') {
      const url = `/storage/v1/object/authenticated/pending-media/${people[author]}/${randomUUID()}/file.pdf`;
      await owner(
        `insert into public.file_uploads (user_id, file_url, file_name, file_type, byte_size, facts, previews, page_texts)
         values ($1, $2, $3, 'pdf', 24000, '{"pages": 2}', '{page-1.webp,page-2.webp}', '{Cut the plate,Drill four holes}')`,
        [people[author], url, name],
      );
      return url;
    },
    comment: (solution: string, by: Member = 'colleague', parent: string | null = null) =>
      insertedId(
        'insert into public.comments (solution_id, user_id, content, parent_comment_id) values ($1, $2, $3, $4) returning id',
        [solution, people[by], 'Which liner did you use?', parent],
      ),
    like: (solution: string, by: Member = 'colleague') =>
      insertedId('insert into public.likes (solution_id, user_id) values ($1, $2) returning id', [
        solution,
        people[by],
      ]),
    topic: (by: Member = 'author', locked = false) =>
      insertedId(
        'insert into public.forum_topics (title, description, user_id, is_locked) values ($1, $2, $3, $4) returning id',
        ['Suspension for short residual limbs', 'What works for you?', people[by], locked],
      ),
    post: (topic: string, by: Member = 'colleague') =>
      insertedId(
        'insert into public.forum_posts (topic_id, content, user_id) values ($1, $2, $3) returning id',
        [topic, 'A suction liner, mostly.', people[by]],
      ),
    message: (from: Member = 'colleague', to: Member = 'author') =>
      insertedId(
        'insert into public.messages (sender_id, recipient_id, subject, content) values ($1, $2, $3, $4) returning id',
        [people[from], people[to], 'Your bow socket', 'Could you share the drawing?'],
      ),
  };
}
