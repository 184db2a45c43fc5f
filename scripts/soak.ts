import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { filesIn } from '../tests/operation/chaos/chaos-site.ts';
import { openLoad } from '../tests/operation/chaos/load.ts';
import { freePort, processesOf, start } from '../tests/operation/site.ts';

// A day's mixture of simultaneous visits against a separate site, for MINUTES (30): `npm run soak -- 8`. Ends
// with a failure when memory kept growing, or resources were left behind once all visitors had left. Reads
// /proc, so it needs Linux.

const MINUTE_MS = 60_000;
const SAMPLE_MS = 10_000;
/** The pause after the load: longer than workers, idle connections and kept-alive sockets stay. */
const SETTLE_MS = 90_000;
const IDLE_MS = 60_000;
/** The growth that still counts as noise. */
const MAX_GROWTH = 0.1;
/** The number of simultaneous visitors. */
const PEOPLE = 12;

const minutes = Number(process.argv[2] ?? 30);
if (!(minutes >= 1) || !existsSync('/proc/self/status')) {
  console.error('Usage: npm run soak -- MINUTES (at least 1; on Linux)');
  process.exit(1);
}
/** The time of the first measurement of memory, when each part has been used once. */
const warmMs = Math.min(5, minutes / 2) * MINUTE_MS;

const directory = mkdtempSync(join(tmpdir(), 'limb-commons-soak-'));
chmodSync(directory, 0o711);
const dataDir = join(directory, 'data');
const temporary = join(directory, 'temporary');
mkdirSync(temporary, { mode: 0o1777 });
chmodSync(temporary, 0o1777);

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
    // The process has ended in the meantime.
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

interface Sample {
  minute: number;
  siteMb: number;
  workersMb: number;
  /** The memory private to its processes; the shared part is as large as it was configured. */
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
const site = await start({
  DATA_DIR: dataDir,
  TMPDIR: temporary,
  PORT: port,
  LOG_LEVEL: 'warn',
  METRICS_TOKEN,
  // Each visitor has a separate address, as behind a proxy.
  TRUST_PROXY: 'true',
});
void site.exited.then(() => {
  if (!done) console.error(`The site ended by itself.\n${site.output()}`);
});
const errors = () =>
  site
    .output()
    .split('\n')
    .filter((line) => /^\{"level":[56]0/.test(line));
const { anonKey, serviceRoleKey, databaseUrl } = JSON.parse(
  readFileSync(join(dataDir, 'instance.json'), 'utf8'),
);
const { server: pid, postgres: postmaster } = processesOf(dataDir);
const database = new pg.Client({ connectionString: databaseUrl, application_name: 'soak' });
await database.connect();
const startedAt = Date.now();

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
    minute: (Date.now() - startedAt) / MINUTE_MS,
    siteMb: megabytes(pid, 'VmRSS'),
    workersMb: sum(workers.map((each) => megabytes(each, 'VmRSS'))),
    databaseMb: sum([...databaseFamily].map((each) => megabytes(each, 'RssAnon'))),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    files: [temporary, join(dataDir, 'incoming'), join(dataDir, 'files/unfinished')].flatMap(filesIn).length,
    connections: rows[0]?.connections ?? 0,
    slots: rows[0]?.slots ?? 0,
    sockets,
    errors: errors().length,
  };
}

function printSample(at: Sample): void {
  const n = (value: number, width: number) => String(Math.round(value)).padStart(width);
  console.log(
    `${at.minute.toFixed(1).padStart(5)} min | site ${n(at.siteMb, 4)} MB, workers ${n(at.workersMb, 4)} MB, database ${n(at.databaseMb, 4)} MB | ` +
      `${n(at.descriptors, 3)} descriptors, ${n(at.files, 2)} temporary files, ${n(at.connections, 2)} connections, ${at.slots} slots, ${n(at.sockets, 2)} sockets | ${at.errors} errors`,
  );
}

/** The frequency of each act, relative to the others. */
const WEIGHTS = {
  page: 30,
  'solution page': 20,
  'search page': 10,
  search: 15,
  suggestion: 5,
  like: 6,
  'like taken back': 5,
  comment: 6,
  message: 3,
  'sign-in': 3,
  upload: 2,
  submission: 1,
  decision: 6,
  listening: 4,
  'hang-up': 5,
};
const controller = new AbortController();
const load = await openLoad(
  { url, anonKey, serviceRoleKey },
  { people: PEOPLE, weights: WEIGHTS, edge: 1800, randomOf: () => Math.random },
);

/** The median, which a single garbage collection does not move. */
const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const problems: string[] = [];
try {
  const before = await sample();
  printSample(before);
  const samples: Sample[] = [];
  const endsAt = Date.now() + minutes * MINUTE_MS;
  const visits = load.run(AbortSignal.any([controller.signal, AbortSignal.timeout(minutes * MINUTE_MS)]));
  while (Date.now() < endsAt) {
    await wait(Math.min(SAMPLE_MS, Math.max(0, endsAt - Date.now())));
    const at = await sample();
    samples.push(at);
    printSample(at);
  }
  await visits;

  console.log(`All visitors have left; ${SETTLE_MS / 1000} s to settle, then a minute without anything.`);
  await wait(SETTLE_MS);
  const processes = () => ({
    site: processorSeconds(pid),
    database: family(postmaster).reduce((sum, each) => sum + processorSeconds(each), 0),
  });
  const [start, cpu] = [performance.now(), processes()];
  await wait(IDLE_MS);
  const [seconds, later] = [(performance.now() - start) / 1000, processes()];
  const after = await sample();
  printSample(after);

  for (const [kind, outcomes] of [...load.answers].toSorted())
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
  // The connection that the realtime service reads by, from the first listener on.
  if (after.slots > 1) problems.push(`${after.slots - 1} replication slots are left`);
  if (after.connections > before.connections)
    problems.push(`${after.connections - before.connections} connections to the database are left`);
  if (after.descriptors > before.descriptors + 5)
    problems.push(`${after.descriptors - before.descriptors} descriptors are left`);
  if (after.workersMb > 0) problems.push('a media worker is left');
  if (after.errors > 0)
    problems.push(`${after.errors} errors are in the log, the first: ${errors()[0]?.slice(0, 600)}`);
  for (const [kind, outcomes] of load.answers)
    for (const [outcome, times] of outcomes)
      if (/^5\d\d/.test(outcome) || kind === 'failed') problems.push(`${times} times ${kind}: ${outcome}`);
} finally {
  done = true;
  controller.abort();
  await database.end();
  site.process.kill('SIGTERM');
  await site.exited;
  rmSync(directory, { recursive: true, force: true });
}
for (const problem of problems) console.log(`Not well: ${problem}.`);
console.log(
  problems.length === 0
    ? 'Nothing was left behind, and memory stayed what it was.'
    : `${problems.length} findings.`,
);
process.exit(problems.length === 0 ? 0 : 1);
