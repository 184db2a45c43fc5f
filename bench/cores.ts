import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import autocannon from 'autocannon';
import { runningInstance } from '../server/running-instance.mjs';
import { openDatabase } from './parts/database.ts';
import { compare } from './parts/runner.ts';
import { startSite, startSubject } from './parts/start.ts';

// What a second core brings: the same servers and their database on one core and on two; and how long the table API's
// clients wait while pages are made. The load has no core of its own, so that with two cores it takes from both. Needs
// Linux' taskset.
const SECONDS = Number(process.env.SECONDS ?? 5);
const LIST = 'id,title,description,occupation,amputation_level,materials,likes_count,created_at';

const database = await openDatabase(1000);
const site = await startSite(database.dataDir, { DATABASE_URL: database.url, TRUST_PROXY: 'true' });
const bare = await Promise.all([startSubject('bare', database), startSubject('bare', database)]);

/** The processes that were started by one, and by those. */
function* descendants(pid: number): Generator<number> {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    let status = '';
    try {
      status = readFileSync(`/proc/${name}/status`, 'utf8');
    } catch {
      continue;
    }
    if (!status.includes(`\nPPid:\t${pid}\n`)) continue;
    yield Number(name);
    yield* descendants(Number(name));
  }
}

/** Lets all servers use the first cores only. */
function allow(cores: number): void {
  for (const pid of descendants(process.pid))
    spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `0-${cores - 1}`, String(pid)]);
}

let visits = 0;
/** Each request comes from another network, since one network has few turns at once. */
async function load(urls: string[], headers: Record<string, string> = {}, isNew = false): Promise<number> {
  const results = await Promise.all(
    urls.map((url) =>
      autocannon({
        url,
        connections: 16 / urls.length,
        duration: SECONDS,
        requests: [
          {
            setupRequest: (request) => ({
              ...request,
              path: isNew ? `${request.path}?sort=${visits}` : request.path,
              headers: { ...headers, 'x-forwarded-for': `10.${visits++ % 250}.${visits % 97}.1` },
            }),
          },
        ],
      }),
    ),
  );
  if (results.some(({ non2xx, errors }) => non2xx > 0 || errors > 0))
    throw new Error('A request was refused');
  return results.reduce((sum, { requests, duration }) => sum + requests.total / duration, 0);
}

const onCores = (cores: number, name: string, run: () => Promise<number>) => ({
  name,
  run() {
    allow(cores);
    return run();
  },
});

try {
  if (availableParallelism() < 2) throw new Error('This needs a machine with two cores');
  const caller = { role: 'anon', claims: { role: 'anon' } };
  const columns = LIST.replaceAll(',', ', ');
  const sql = `select coalesce(json_agg(r), '[]')::text as body from (select ${columns} from public.solutions order by created_at desc, id desc limit 20) as r`;
  for (const { child } of bare) {
    child.send({ path: '/list', caller, sql, values: [] });
    await once(child, 'message');
  }
  const [first = '', second = ''] = bare.map(({ hello }) => `http://127.0.0.1:${hello.port}/list`);
  const anonKey = runningInstance(database.dataDir)?.anonKey ?? '';
  const browse = () => load([`${site.url}/browse`], {}, true);
  await compare('Browse, made for each request', 'pages/s', [
    onCores(1, 'one core', browse),
    onCores(2, 'two cores', browse),
  ]);
  const listUrl = `${site.url}/rest/v1/solutions?select=${LIST}&order=created_at.desc,id.desc&limit=20`;
  const list = () => load([listUrl], { apikey: anonKey });
  await compare('The list of 20 by the table API', 'requests/s', [
    onCores(1, 'one core', list),
    onCores(2, 'two cores', list),
  ]);
  /** The waiting times of a client that asks for one list after the other; the slowest of each twenty. */
  const patience = async () => {
    const times: number[] = [];
    const end = performance.now() + SECONDS * 1000;
    while (performance.now() < end) {
      const startedAt = performance.now();
      await (await fetch(listUrl, { headers: { apikey: anonKey } })).arrayBuffer();
      times.push(performance.now() - startedAt);
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  };
  await compare('The 95th of 100 lists to one client', 'ms', [
    { name: 'a quiet site', run: patience },
    {
      name: 'while pages are made for 16 others',
      run: async () => (await Promise.all([patience(), browse()]))[0],
    },
  ]);
  await compare('The same statement over a bare server', 'requests/s', [
    onCores(1, 'one core', () => load([first])),
    onCores(2, 'two cores', () => load([first])),
    onCores(2, 'two cores, two processes', () => load([first, second])),
  ]);
} finally {
  for (const { child } of bare) child.kill();
  await site.stop();
  await database.stop();
}
