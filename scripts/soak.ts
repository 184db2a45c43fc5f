import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import sharp from 'sharp';
import { demoMembers } from '../supabase/seed/people.ts';
import { DEMO_PASSWORD } from '../supabase/seed/seed.ts';

// A day's mixture of visits at once against a site of its own, for MINUTES (30): `npm run soak -- 8`. Ends with a failure
// when memory went on growing, or something was left behind once everybody had gone. Reads /proc, so it needs Linux.

const root = resolve(import.meta.dirname, '..');
const MINUTE_MS = 60_000;
const SAMPLE_MS = 10_000;
/** After the load: longer than workers, idle connections and kept-alive sockets stay. */
const SETTLE_MS = 90_000;
const IDLE_MS = 60_000;
/** What growing may be and still be noise. */
const MAX_GROWTH = 0.1;
/** People at it at the same time. */
const PEOPLE = 12;

const minutes = Number(process.argv[2] ?? 30);
if (!(minutes >= 1) || !existsSync('/proc/self/status')) {
  console.error('Usage: npm run soak -- MINUTES (at least 1; on Linux)');
  process.exit(1);
}
/** Memory is compared with what it was here, when everything has been used once. */
const warmMs = Math.min(5, minutes / 2) * MINUTE_MS;

const directory = mkdtempSync(join(tmpdir(), 'limb-commons-soak-'));
chmodSync(directory, 0o711);
const dataDir = join(directory, 'data');
const temporary = join(directory, 'temporary');
mkdirSync(temporary, { mode: 0o1777 });
chmodSync(temporary, 0o1777);

/** The site's process, and what it has said. */
async function startSite(port: number): Promise<{ child: ChildProcess; errors(): string[] }> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      TMPDIR: temporary,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      METRICS_TOKEN,
      // Everybody comes from an address of their own, as behind a proxy.
      TRUST_PROXY: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk;
  });
  child.on('exit', () => {
    if (!done) console.error(`The site ended by itself.\n${log}`);
  });
  while (!output.includes('is ready')) {
    if (child.exitCode !== null) throw new Error(`The site did not start.\n${log}`);
    await wait(200);
  }
  return {
    child,
    errors: () => log.split('\n').filter((line) => /^\{"level":[56]0/.test(line)),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Processes under this one, itself included. */
function family(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .trim()
        .split(' ')
        .filter(Boolean)
        .map(Number),
    );
    return [pid, ...children.flatMap(family)];
  } catch {
    // Gone meanwhile.
    return [];
  }
}

function megabytes(pid: number, field: 'VmRSS' | 'RssAnon'): number {
  try {
    const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Seconds of processor time, with those of its children that have ended. */
function processorSeconds(pid: number): number {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (.*)/s);
    const ticks = rest.split(' ').slice(11, 15).map(Number);
    return ticks.reduce((sum, each) => sum + each, 0) / 100;
  } catch {
    return 0;
  }
}

const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).length
    : 0;

interface Sample {
  minute: number;
  siteMb: number;
  workersMb: number;
  /** Private to its processes; what they share is as large as it was set. */
  databaseMb: number;
  descriptors: number;
  files: number;
  connections: number;
  slots: number;
  sockets: number;
  errors: number;
}

const METRICS_TOKEN = randomUUID();
let done = false;
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
console.log(`A fresh site with demo content starts; ${PEOPLE} people use it for ${minutes} minutes.`);
const site = await startSite(port);
const { pid, anonKey, serviceRoleKey, databaseUrl } = JSON.parse(
  readFileSync(join(dataDir, 'instance.json'), 'utf8'),
);
const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
const database = new pg.Client({ connectionString: databaseUrl, application_name: 'soak' });
await database.connect();
const began = Date.now();

async function sample(): Promise<Sample> {
  const databaseFamily = new Set(family(postmaster));
  const workers = family(pid).filter((each) => each !== pid && !databaseFamily.has(each));
  const { rows } = await database.query<{ connections: number; slots: number }>(
    `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and application_name <> 'soak') as connections,
       (select count(*)::int from pg_replication_slots) as slots`,
  );
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const sockets = Number(/^limb_realtime_connections (\d+)/m.exec(await metrics.text())?.[1] ?? Number.NaN);
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  return {
    minute: (Date.now() - began) / MINUTE_MS,
    siteMb: megabytes(pid, 'VmRSS'),
    workersMb: sum(workers.map((each) => megabytes(each, 'VmRSS'))),
    databaseMb: sum([...databaseFamily].map((each) => megabytes(each, 'RssAnon'))),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    files:
      filesIn(temporary) + filesIn(join(dataDir, 'incoming')) + filesIn(join(dataDir, 'files/unfinished')),
    connections: rows[0]?.connections ?? 0,
    slots: rows[0]?.slots ?? 0,
    sockets,
    errors: site.errors().length,
  };
}

function tell(at: Sample): void {
  const n = (value: number, width: number) => String(Math.round(value)).padStart(width);
  console.log(
    `${at.minute.toFixed(1).padStart(5)} min | site ${n(at.siteMb, 4)} MB, workers ${n(at.workersMb, 4)} MB, database ${n(at.databaseMb, 4)} MB | ` +
      `${n(at.descriptors, 3)} descriptors, ${n(at.files, 2)} temporary files, ${n(at.connections, 2)} connections, ${at.slots} slots, ${n(at.sockets, 2)} sockets | ${at.errors} errors`,
  );
}

/** What was asked and how it was answered: by kind, then by outcome. */
const answers = new Map<string, Map<string, number>>();
function count(kind: string, outcome: string): void {
  const outcomes = answers.get(kind) ?? new Map<string, number>();
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  answers.set(kind, outcomes);
}
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;
const WORDS = [
  'socket',
  'liner',
  'knee',
  'violin',
  'carbon foot',
  'running blade',
  'child',
  'swim',
  'so',
  'grip',
];

async function picture(): Promise<Blob> {
  const edge = 600 + Math.floor(Math.random() * 1200);
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  const bytes = await sharp({
    create: { width: edge, height: edge, channels: 3, background: 'white', noise },
  })
    .jpeg({ quality: 80 })
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });
}

/** Begins a request and hangs up in the middle of it. */
async function hangUp(address: string, token: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head =
    Math.random() < 0.5
      ? `GET /browse?search=${encodeURIComponent(pick(WORDS))}&page=${randomUUID()} HTTP/1.1\r\n`
      : 'POST /functions/v1/process-media-upload HTTP/1.1\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 5000000\r\n';
  socket.write(
    `${head}host: 127.0.0.1:${port}\r\nx-forwarded-for: ${address}\r\napikey: ${anonKey}\r\nauthorization: Bearer ${token}\r\n\r\n`,
  );
  socket.write(
    `--x\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n${'\u00ff'.repeat(20_000)}`,
  );
  await wait(Math.random() * 150);
  socket.destroy();
  count('hang-up', 'sent');
}

const service = createClient(url, serviceRoleKey, {
  auth: { persistSession: false, autoRefreshToken: false },
});
const solutionIds = async () =>
  (
    (
      await service
        .from('solutions')
        .select('id')
        .eq('status', 'approved')
        .order('created_at', { ascending: false })
        .limit(40)
    ).data ?? []
  ).map(({ id }) => id as string);
let solutions = await solutionIds();
const { data: people } = await service.from('profiles').select('id,username');
const idOf = new Map((people ?? []).map((person) => [person.username as string, person.id as string]));

/** One person who comes again and again, each time to do something else. */
async function person(number: number, until: number): Promise<void> {
  const member = demoMembers[number % demoMembers.length] as (typeof demoMembers)[number];
  const id = idOf.get(member.username) ?? '';
  const others = [...idOf.values()].filter((each) => each !== id);
  let address = '';
  let client: SupabaseClient;
  let token = '';

  const come = async () => {
    address = `10.${number}.${Math.floor(Math.random() * 250)}.${1 + Math.floor(Math.random() * 250)}`;
    client = createClient(url, anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { headers: { 'x-forwarded-for': address } },
      realtime: { params: { apikey: anonKey } },
    });
    const { data, error } = await client.auth.signInWithPassword({
      email: member.email,
      password: DEMO_PASSWORD,
    });
    count('sign-in', error ? `${error.status} ${error.code}` : 'done');
    token = data.session?.access_token ?? '';
  };
  const told = (kind: string, { status, error }: { status: number; error: { message: string } | null }) =>
    count(kind, error ? `${status} ${error.message.slice(0, 60)}` : 'done');
  const page = async (path: string) => {
    const answer = await fetch(url + path, { headers: { 'x-forwarded-for': address } });
    await answer.arrayBuffer();
    count('page', answer.ok ? 'done' : `${answer.status} ${path.replace(/[0-9a-f-]{36}.*/, '…')}`);
  };
  const upload = async () => {
    const form = new FormData();
    form.set('userId', id);
    form.set('file', await picture(), 'a.jpg');
    const answer = await fetch(`${url}/functions/v1/process-media-upload`, {
      method: 'POST',
      headers: { apikey: anonKey, authorization: `Bearer ${token}`, 'x-forwarded-for': address },
      body: form,
    });
    const body = await answer.json();
    count('upload', answer.ok ? 'done' : `${answer.status} ${String(body.message).slice(0, 60)}`);
    return answer.ok ? (body.originalUrl as string) : undefined;
  };
  const share = async () => {
    const media_url = await upload();
    if (!media_url) return;
    const { data, ...answer } = await client.rpc('submit_solution', {
      solution: {
        title: `A bracket for rowing, number ${randomUUID().slice(0, 8)}`,
        description: 'It holds the oar at its balance point and lets the wrist follow the stroke to its end.',
        occupation: 'Walking',
        amputation_level: 'Transtibial (Below Knee)',
        age_group: 'Adults',
        prosthesis_type: 'Passive',
        cost_range: 'Low-cost (<$500)',
      },
      media: [{ media_url, description: 'The bracket on its bench' }],
      thumbnail_url: '',
      consent: 'nobody_recognisable',
      consent_version: '2026-11-01',
    });
    told('submission', answer);
    if (!data) return;
    // As a moderator would, without a second person's sign-in for each.
    told(
      'approval',
      await service
        .from('solutions')
        .update({ status: 'approved' })
        .eq('id', (data as { id: string }).id),
    );
    solutions = await solutionIds();
  };
  const listen = async () => {
    const channel = client.channel(randomUUID());
    const joined = await new Promise<string>((settled) => {
      const late = setTimeout(() => settled('late'), 15_000);
      channel
        .on(
          'postgres_changes',
          { event: '*', schema: 'public', table: 'comments', filter: `solution_id=eq.${pick(solutions)}` },
          () => count('change', 'heard'),
        )
        .subscribe((state, error) => {
          clearTimeout(late);
          settled(error ? error.message : state);
        });
    });
    count('socket', joined === 'SUBSCRIBED' ? 'done' : joined);
    await wait(500 + Math.random() * 3_000);
    await client.removeAllChannels();
    await client.realtime.disconnect();
  };
  const acts: [weight: number, act: () => Promise<unknown>][] = [
    [30, () => page(pick(['/', '/browse', '/forum', '/about', '/resources', '/status', '/sitemap.xml']))],
    [20, () => page(`/solutions/${pick(solutions)}`)],
    [10, () => page(`/browse?search=${encodeURIComponent(`${pick(WORDS)} ${pick(WORDS)}`)}`)],
    [
      15,
      async () =>
        told('search', await client.rpc('browse_solutions', { search: pick(WORDS), page_size: 12 })),
    ],
    [
      5,
      async () =>
        told('suggestion', await client.rpc('suggest_searches', { search: pick(WORDS).slice(0, 3) })),
    ],
    [
      6,
      async () =>
        told(
          'like',
          await client
            .from('likes')
            .upsert(
              { solution_id: pick(solutions), user_id: id },
              { onConflict: 'solution_id,user_id', ignoreDuplicates: true },
            ),
        ),
    ],
    [
      5,
      async () =>
        told(
          'like taken back',
          await client.from('likes').delete().eq('user_id', id).eq('solution_id', pick(solutions)),
        ),
    ],
    [
      6,
      async () =>
        told(
          'comment',
          await client.from('comments').insert({
            solution_id: pick(solutions),
            content: `The liner was a locking one, ${randomUUID()}.`,
          }),
        ),
    ],
    [
      3,
      async () =>
        told(
          'message',
          await client
            .from('messages')
            .insert({ recipient_id: pick(others), content: `Is the rig free on Thursday? ${randomUUID()}` }),
        ),
    ],
    [3, come],
    [2, upload],
    [1, share],
    [4, listen],
    [5, () => hangUp(address, token)],
  ];
  const weights = acts.reduce((sum, [weight]) => sum + weight, 0);
  await come();
  while (Date.now() < until && !done) {
    let place = Math.random() * weights;
    const [, act] =
      acts.find(([weight]) => {
        place -= weight;
        return place < 0;
      }) ?? (acts[0] as (typeof acts)[number]);
    await act().catch((error: Error) => count('failed', String(error.cause ?? error).slice(0, 100)));
    await wait(Math.random() * 200);
  }
}

/** The middle one, which a single garbage collection does not move. */
const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const problems: string[] = [];
try {
  const before = await sample();
  tell(before);
  const samples: Sample[] = [];
  const until = Date.now() + minutes * MINUTE_MS;
  const load = Promise.all(Array.from({ length: PEOPLE }, (_, number) => person(number, until)));
  while (Date.now() < until) {
    await wait(Math.min(SAMPLE_MS, Math.max(0, until - Date.now())));
    const at = await sample();
    samples.push(at);
    tell(at);
  }
  await load;

  console.log(`Everybody has gone; ${SETTLE_MS / 1000} s to settle, then a minute without anything.`);
  await wait(SETTLE_MS);
  const processes = () => ({
    site: processorSeconds(pid),
    database: family(postmaster).reduce((sum, each) => sum + processorSeconds(each), 0),
  });
  const [start, cpu] = [performance.now(), processes()];
  await wait(IDLE_MS);
  const [seconds, later] = [(performance.now() - start) / 1000, processes()];
  const after = await sample();
  tell(after);

  for (const [kind, outcomes] of [...answers].toSorted())
    console.log(
      `${kind}: ${[...outcomes]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, 6)
        .map(([outcome, times]) => `${times} ${outcome}`)
        .join(', ')}`,
    );
  const share = (used: number) => `${((used / seconds) * 100).toFixed(2)} %`;
  console.log(
    `Idle, of one processor: site ${share(later.site - cpu.site)}, database ${share(later.database - cpu.database)}.`,
  );

  const around = (minute: number) => samples.filter((at) => Math.abs(at.minute - minute) <= 0.5);
  const end = samples.at(-1)?.minute ?? 0;
  for (const [what, key] of [
    ['the site', 'siteMb'],
    ['the database', 'databaseMb'],
  ] as const) {
    const [warm, last] = [around(warmMs / MINUTE_MS), around(end - 0.5)].map((some) =>
      median(some.map((at) => at[key])),
    );
    const growth = ((last ?? 0) - (warm ?? 0)) / (warm || 1);
    console.log(
      `Memory of ${what}: ${Math.round(warm ?? 0)} MB after ${warmMs / MINUTE_MS} minutes, ${Math.round(last ?? 0)} MB at the end (${(growth * 100).toFixed(1)} %).`,
    );
    if (growth > MAX_GROWTH) problems.push(`memory of ${what} grew by more than a tenth`);
  }
  if (after.files > 0) problems.push(`${after.files} temporary files are left`);
  if (after.sockets > 0) problems.push(`${after.sockets} sockets are left`);
  // The one that the realtime service reads by, from the first listener on.
  if (after.slots > 1) problems.push(`${after.slots - 1} replication slots are left`);
  if (after.connections > before.connections)
    problems.push(`${after.connections - before.connections} connections to the database are left`);
  if (after.descriptors > before.descriptors + 5)
    problems.push(`${after.descriptors - before.descriptors} descriptors are left`);
  if (after.workersMb > 0) problems.push('a media worker is left');
  if (after.errors > 0)
    problems.push(`${after.errors} errors are in the log, the first: ${site.errors()[0]?.slice(0, 600)}`);
  for (const [kind, outcomes] of answers)
    for (const [outcome, times] of outcomes)
      if (/^5\d\d/.test(outcome) || kind === 'failed') problems.push(`${times} times ${kind}: ${outcome}`);
} finally {
  done = true;
  await database.end();
  const ended = new Promise((resolved) => site.child.once('exit', resolved));
  site.child.kill('SIGTERM');
  await ended;
  rmSync(directory, { recursive: true, force: true });
}
for (const problem of problems) console.log(`Not well: ${problem}.`);
console.log(
  problems.length === 0
    ? 'Nothing was left behind, and memory stayed what it was.'
    : `${problems.length} findings.`,
);
process.exit(problems.length === 0 ? 0 : 1);
