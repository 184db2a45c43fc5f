import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { type Deletion, repeatDeletions } from '#server/backup/deletions.ts';
import { createDatabase } from '../backend.ts';
import { rowsSeenBy, writeEvidence } from '../runner/evidence.ts';
import { insertConsented, SOLUTION } from '../solution.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Takes one of the database's rules away, for scripts/mutants.ts to see whether a test notices. */
    mutation?: string;
  }
}

/**
 * The actors as which every policy is tried: `visitor` has no account, `colleague` is a member without a part
 * in the case, `service` holds the service key.
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

/** The addresses of an uploaded picture. */
interface Files {
  media_url: string;
  compressed_url?: string;
  thumbnail_url?: string;
}

const addresses = ({ media_url, compressed_url = media_url, thumbnail_url = media_url }: Files) => [
  media_url,
  compressed_url,
  thumbnail_url,
];
const ATTACH = `insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, trial_id, media_type)
  values ($1, $2, $3, $4, $5, $6) returning id`;

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

  /** The first value of each row, as the owner sees it. */
  async function column<Value>(sql: string, values: unknown[] = []): Promise<Value[]> {
    return (await owner(sql, values)).map((row) => Object.values(row)[0]);
  }

  /** The first value of the first row, as the owner sees it. */
  async function value<Value = string>(sql: string, values: unknown[] = []): Promise<Value> {
    return (await column<Value>(sql, values))[0] as Value;
  }

  /** What a function of the API answers to this person; a refusal is thrown. Arguments are in their order or named. */
  async function ask<Answer>(
    actor: Actor,
    name: string,
    args: unknown[] | Record<string, unknown> = [],
  ): Promise<Answer> {
    const given = Object.keys(args).map((arg, at) => `${Array.isArray(args) ? '' : `${arg} =>`} $${at + 1}`);
    const { rows, message } = await as<{ answer: Answer }>(
      actor,
      `select ${name}(${given}) as answer`,
      Object.values(args),
    );
    if (!rows[0]) throw new Error(message);
    return rows[0].answer;
  }

  /** Adds a row to a table of the API. */
  const insert = (actor: Actor, table: string, row: Record<string, unknown>, claims = {}) =>
    as<{ id: string }>(
      actor,
      `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map((_, at) => `$${at + 1}`)})`,
      Object.values(row),
      claims,
    );

  /** What a form sends beside its fields. */
  interface Sending {
    actor?: Actor;
    media?: unknown;
    consent?: string;
    thumbnail?: string | null;
    submission?: string | null;
  }
  const submit = (form: object = {}, sending: Sending = {}) => {
    const { actor = 'author', media = [], consent = 'patient_written', thumbnail, submission } = sending;
    return as<{ id: string }>(actor, "select submit_solution($1, $2, $3, '2026-11-01', $4, $5) as id", [
      JSON.stringify({ ...SOLUTION, ...form }),
      JSON.stringify(media),
      consent,
      thumbnail,
      submission,
    ]);
  };
  async function submitted(form: object = {}, sending: Sending = {}): Promise<string> {
    const { rows, message } = await submit(form, sending);
    if (!rows[0]) throw new Error(message);
    return rows[0].id;
  }
  /** Approves a solution, or the new version of it that waits. */
  const approve = (id: string, actor: Actor = 'moderator') =>
    as(actor, "update solutions set status = 'approved' where id = $1 or revises = $1", [id]);

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

  return {
    owner,
    column,
    value,
    as,
    ask,
    insert,
    attempt,
    submit,
    submitted,
    approve,
    /** A submitted solution that was approved. */
    async published(form: object = {}, sending: Sending = {}) {
      const id = await submitted(form, sending);
      await approve(id);
      return id;
    },
    resubmit(id: string, form: object = {}, sending: Sending = {}) {
      const { actor = 'author', media = [], consent = 'patient_written', thumbnail } = sending;
      return as<{ id: string }>(actor, "select resubmit_solution($1, $2, $3, $4, '2026-11-01', $5) as id", [
        id,
        JSON.stringify({ ...SOLUTION, ...form }),
        JSON.stringify(media),
        consent,
        thumbnail,
      ]);
    },
    reject: (id: string) =>
      as(
        'moderator',
        "update solutions set status = 'rejected', rejection_reason = 'A label shows a name.' where id = $1",
        [id],
      ),
    revisionOf: (id: string) => value('select id from solutions where revises = $1', [id]),
    /** Adds an uploaded file to a solution, or to a report of a trial of it. */
    attach: (actor: Actor, solution: string, file: Files, trial: string | null = null, type = 'image') =>
      as(actor, ATTACH, [solution, ...addresses(file), trial, type]),
    /** The same past the policies; returns its id. */
    picture: (solution: string, file: Files, trial: string | null = null) =>
      value(ATTACH, [solution, ...addresses(file), trial, 'image']),
    /** Makes a row older than what happens in this transaction. */
    async backdate(table: string, set = "updated_at = now() - interval '1 hour'") {
      await owner('set local session_replication_role = replica');
      await owner(`update ${table} set ${set}`);
      await owner('set local session_replication_role = default');
    },
    verifyFactor: (member: Member, status = 'verified') =>
      owner(
        `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
         values (gen_random_uuid(), $1, 'Phone', 'totp', $2, now(), now())`,
        [people[member], status],
      ),
    ban: (member: Member) =>
      owner(
        "insert into sanctions (user_id, kind, reason, created_by) values ($1, 'ban', 'Advertising', $2)",
        [people[member], people.admin],
      ),
    /** The kinds of notifications that a member has, by their time. */
    noticesOf: (member: Member) =>
      column<string>('select type from notifications where user_id = $1 order by created_at, type', [
        people[member],
      ]),
    databaseUrl: () => url,
    /** Repeats what was removed since a backup, as its restore does; returns how much of it is there. */
    repeat: (deletions: Deletion[]) => repeatDeletions(client, deletions),
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
      return value(text, values);
    },
    /** A processed file of the member's that no solution holds yet; returns its media URL. */
    async upload(author: Member = 'author') {
      const folder = `/storage/v1/object/authenticated/pending-media/${people[author]}/${randomUUID()}`;
      const urls = {
        media_url: `${folder}/full.webp`,
        compressed_url: `${folder}/card.webp`,
        thumbnail_url: `${folder}/thumb.webp`,
      };
      await owner(
        'insert into public.pending_uploads (user_id, urls, byte_size, made) values ($1, $2, 48000, $3)',
        [people[author], Object.values(urls), { ...urls, media_type: 'image', width: 2000, height: 1125 }],
      );
      return urls;
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
      return column<string>(
        "select case object_names when '{}' then 'move' else 'remove' end from public.media_jobs order by id",
      );
    },
    /** A processed build file of the member's that no solution holds yet; returns its URL. */
    async buildFile(author: Member = 'author', name = 'clamp.pdf') {
      const folder = `/storage/v1/object/authenticated/pending-media/${people[author]}/${randomUUID()}`;
      const previews = ['page-1.webp', 'page-2.webp'];
      const file_url = `${folder}/file.pdf`;
      const made = {
        file_url,
        file_name: name,
        file_type: 'pdf',
        byte_size: 24_000,
        facts: { pages: 2 },
        previews,
        page_texts: ['Cut the plate', 'Drill four holes'],
      };
      await owner(
        'insert into public.pending_uploads (user_id, urls, byte_size, made) values ($1, $2, 30000, $3)',
        [people[author], [file_url, ...previews.map((name) => `${folder}/${name}`)], made],
      );
      return file_url;
    },
    comment: (solution: string, by: Member = 'colleague', parent: string | null = null) =>
      value(
        'insert into public.comments (solution_id, user_id, content, parent_comment_id) values ($1, $2, $3, $4) returning id',
        [solution, people[by], 'Which liner did you use?', parent],
      ),
    like: (solution: string, by: Member = 'colleague') =>
      value('insert into public.likes (solution_id, user_id) values ($1, $2) returning id', [
        solution,
        people[by],
      ]),
    topic: (by: Member = 'author', locked = false) =>
      value(
        'insert into public.forum_topics (title, description, user_id, is_locked) values ($1, $2, $3, $4) returning id',
        ['Suspension for short residual limbs', 'What works for you?', people[by], locked],
      ),
    post: (topic: string, by: Member = 'colleague') =>
      value('insert into public.forum_posts (topic_id, content, user_id) values ($1, $2, $3) returning id', [
        topic,
        'A suction liner, mostly.',
        people[by],
      ]),
    message: (from: Member = 'colleague', to: Member = 'author') =>
      value(
        'insert into public.messages (sender_id, recipient_id, subject, content) values ($1, $2, $3, $4) returning id',
        [people[from], people[to], 'Your bow socket', 'Could you share the drawing?'],
      ),
  };
}
