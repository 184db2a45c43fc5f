import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { root } from './parts/database.ts';
import { median } from './parts/runner.ts';
import { SITE_OPTIONS } from './parts/start.ts';

// How long a start takes, beside the start of a process that only listens, and the memory of the process: fresh and
// after a load of kept pages, pages made for each request and lists of the table API. The database's own
// processes are not counted.
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 10);
const SITE = 'http://127.0.0.1:43123';

interface Started {
  site: ChildProcess;
  /** Milliseconds until the first page came. */
  answeredAfter: number;
  /** Milliseconds until the site said that it is ready, with its demo content. */
  readyAfter: number;
}

async function start(program: string[], url: string, dataDir?: string): Promise<Started> {
  const startedAt = performance.now();
  const site = spawn(process.execPath, program, {
    cwd: root,
    env: { ...process.env, PORT: '43123', LOG_LEVEL: 'error', ...(dataDir && { DATA_DIR: dataDir }) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ready = new Promise<number>((resolve) =>
    site.stdout?.on(
      'data',
      (line: Buffer) => line.includes('is ready') && resolve(performance.now() - startedAt),
    ),
  );
  const isAnswered = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isAnswered())) {
    if (site.exitCode !== null) throw new Error(`${program.join(' ')} ended`);
    await pause(10);
  }
  const answeredAfter = performance.now() - startedAt;
  return { site, answeredAfter, readyAfter: await ready };
}

async function stop({ site }: Started): Promise<void> {
  site.kill('SIGINT');
  await once(site, 'exit');
}

const megabytes = (pid: number | undefined) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

async function measure(): Promise<void> {
  const figures = new Map<string, number[]>();
  const add = (name: string, figure: number) =>
    void figures.set(name, [...(figures.get(name) ?? []), figure]);
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await start([import.meta.filename, 'bare'], 'http://127.0.0.1:43124/');
    add('a process that only listens', bare.readyAfter);
    await stop(bare);
    const dataDir = mkdtempSync(join(tmpdir(), 'limb-commons-footprint-'));
    const empty = await start([...SITE_OPTIONS, 'server/main.ts'], SITE, dataDir);
    add('empty data folder: a page', empty.answeredAfter);
    add('empty data folder: all demo content', empty.readyAfter);
    await stop(empty);
    const warm = await start([...SITE_OPTIONS, 'server/main.ts'], SITE, dataDir);
    add('again: ready', warm.readyAfter);
    add('memory, fresh (MB)', megabytes(warm.site.pid));
    let visits = 0;
    for (const [path, isNew] of [
      ['/', false],
      ['/browse', true],
      ['/rest/v1/solutions?limit=20&select=id,title', false],
    ] as const)
      await autocannon({
        url: SITE + path,
        connections: 16,
        duration: SECONDS,
        headers: { 'accept-encoding': 'gzip' },
        ...(isNew && {
          requests: [{ setupRequest: (request) => ({ ...request, path: `${path}?sort=${visits++}` }) }],
        }),
      });
    add('memory, after the load (MB)', megabytes(warm.site.pid));
    await stop(warm);
    rmSync(dataDir, { recursive: true, force: true });
  }
  const floor = median(figures.get('a process that only listens') ?? []);
  for (const [name, own] of figures)
    console.log(
      `${name.padEnd(40)} ${median(own).toFixed(0).padStart(7)}${name.startsWith('memory') ? '' : ` ms  ${(median(own) / floor).toFixed(1)}x`}`,
    );
}

if (process.argv[2] === 'bare') {
  createServer((_request, response) => response.end()).listen(43124, '127.0.0.1', () =>
    console.log('is ready'),
  );
} else await measure();
