import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { SETTINGS } from '#backend/config.ts';
import { clusterOf, freePort, stopOrphan } from '#backend/database/postgres.ts';
import { isRunning } from '#backend/is-running.mjs';
import { freeBytes } from '../../media/disk.ts';
import type { Manifest, makeBackup } from '../backup/backup.ts';
import { connect } from '../backup/tables.ts';
import { runningInstance } from '../running-instance.mjs';
import { type Release, UpgradeError } from './release.ts';

const START_TIMEOUT_MS = 1_800_000;
const STOP_TIMEOUT_MS = 60_000;
const PAGES = 20;
const SEARCHES = 10;
/** What a rehearsal takes over: the site's project and who operates it. Nothing that reaches people or other machines. */
const TAKEN_OVER = /^(OPERATOR_|SUPPORT_EMAIL|LEGAL_EMAIL|CAPTCHA_SITE_KEY|SUPABASE_WORKDIR|STORAGE_QUOTA)/;
/** Tables whose rows a start clears up or a minute changes. */
const PASSING =
  /^(private\.|auth\.(?!users|identities)|realtime\.|public\.(media_jobs|pending_uploads|incoming_uploads)$)/;

/** What a rehearsal found. */
export interface Rehearsal {
  /** Why the site should not be upgraded; none when it may be. */
  objections: string[];
  /** The seconds for which the site will not answer, as on this machine now. */
  gapSeconds: number;
  compared: { tables: number; pages: number; searches: number };
}

/**
 * Tries a release on a copy of the site's data, on a port and in a folder of its own, with emails kept and nothing archived.
 *
 * @param backup of the site as it is, not encrypted, in the folder
 * @param folder for the copy; removed by whoever made it
 * @param conditions the address of the running site, if one runs, the longest gap that its operator accepts, and the environment
 */
export async function rehearse(
  release: Release,
  { record, manifest }: Awaited<ReturnType<typeof makeBackup>>,
  folder: string,
  {
    liveUrl,
    maxGapSeconds,
    surroundings,
  }: { liveUrl: string | undefined; maxGapSeconds: number; surroundings: NodeJS.ProcessEnv },
  progress: (step: string) => void,
): Promise<Rehearsal> {
  if (freeBytes(folder) < 3 * record.bytes)
    throw new UpgradeError(
      `A rehearsal needs ${Math.ceil((3 * record.bytes) / 1e9)} GB on the disk of ${folder}; free some first.`,
    );
  const dataDir = join(folder, 'data');
  const port = await freePort();
  const environment = {
    ...Object.fromEntries(
      Object.entries(surroundings).filter(([name]) => !SETTINGS.includes(name) || TAKEN_OVER.test(name)),
    ),
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'error',
  };
  const result: Rehearsal = { objections: [], gapSeconds: 0, compared: { tables: 0, pages: 0, searches: 0 } };
  progress(`Restoring a copy of the site by version ${release.version}`);
  const restored = await runToEnd(release, ['restore', record.file], folder, environment);
  if (restored.code !== 0)
    return {
      ...result,
      objections: [`Version ${release.version} cannot restore the data: ${restored.lastLine}`],
    };
  // Demo content would be counted as rows that the new version made.
  writeFileSync(join(dataDir, 'demo-content'), '');
  progress(`Starting version ${release.version} on the copy`);
  const startedAt = performance.now();
  const site = await startSite(release, folder, environment);
  try {
    if (site.failure !== undefined)
      return {
        ...result,
        objections: [`Version ${release.version} does not start with the data: ${site.failure}`],
      };
    result.gapSeconds = Math.ceil((performance.now() - startedAt) / 1000);
    if (result.gapSeconds > maxGapSeconds)
      result.objections.push(
        `The first start takes ${result.gapSeconds} seconds, and no longer gap than ${maxGapSeconds} was asked for; find a quiet hour, and allow it by --gap.`,
      );
    progress('Comparing');
    const client = await connect(runningInstance(dataDir)?.databaseUrl ?? '');
    try {
      await compareRows(client, manifest, result);
      await comparePages(client, `http://127.0.0.1:${port}`, liveUrl, result);
    } finally {
      await client.end();
    }
    return result;
  } finally {
    await site.stop();
  }
}

async function compareRows(client: pg.Client, manifest: Manifest, result: Rehearsal): Promise<void> {
  for (const { name, rows: before } of manifest.tables.filter((table) => !PASSING.test(table.name))) {
    const { rows: known } = await client.query('select to_regclass($1) is not null as is_there', [name]);
    if (!known[0]?.is_there) {
      if (before > 0) result.objections.push(`The table ${name} with ${before} rows is gone.`);
      continue;
    }
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${name}`);
    const after = Number(rows[0]?.count);
    result.compared.tables += 1;
    if (after < before) result.objections.push(`The table ${name} has ${after} rows instead of ${before}.`);
  }
}

/** Compares what visitors see: headings of pages, and which solutions a search finds. */
async function comparePages(
  client: pg.Client,
  rehearsed: string,
  live: string | undefined,
  result: Rehearsal,
): Promise<void> {
  const { rows } = await client.query<{ id: string; title: string }>(
    `select id, title from public.solutions where status = 'approved' and audience = 'public' order by created_at desc limit ${PAGES}`,
  );
  const pages = ['/', '/browse', '/forum', '/about', ...rows.map(({ id }) => `/solutions/${id}`)].slice(
    0,
    PAGES,
  );
  const words = rows
    .map(({ title }) => title.split(/[^\p{L}]+/u).sort((a, b) => b.length - a.length)[0] ?? '')
    .filter((word) => word.length > 3);
  const searches = [...new Set(words)]
    .slice(0, SEARCHES)
    .map((word) => `/browse?q=${encodeURIComponent(word)}`);
  for (const path of [...pages, ...searches]) {
    const isSearch = path.includes('?');
    const seen = await pageAt(rehearsed + path, isSearch);
    result.compared[isSearch ? 'searches' : 'pages'] += 1;
    if (seen.status !== 200) result.objections.push(`${path} answers with status ${seen.status}.`);
    else if (live) {
      const before = await pageAt(live + path, isSearch);
      if (before.status === 200 && before.content !== seen.content)
        result.objections.push(
          isSearch ? `The search ${path} finds other solutions.` : `The page ${path} has another heading.`,
        );
    }
  }
}

async function pageAt(url: string, isSearch: boolean): Promise<{ status: number; content: string }> {
  const answer = await fetch(url).catch(() => undefined);
  const html = (await answer?.text()) ?? '';
  const content = isSearch
    ? [...new Set(html.match(/\/solutions\/[0-9a-f-]{36}/g) ?? [])].sort().join(' ')
    : (/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1]?.replace(/<[^>]*>/g, '') ?? '');
  return { status: answer?.status ?? 0, content };
}

/** Runs a command of a release. @returns its exit code, and its last line, which says why it failed */
async function runToEnd(release: Release, words: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(join(release.folder, 'limb-commons'), words, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = outputOf(child);
  const [code] = await once(child, 'close');
  return { code, lastLine: lastLineOf(output()) };
}

async function startSite(release: Release, cwd: string, env: NodeJS.ProcessEnv) {
  // By the channel it notices when this process dies, and stops.
  const child = spawn(join(release.folder, 'limb-commons'), ['start'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = outputOf(child);
  const closed = once(child, 'close');
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const giveUp = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await closed;
    clearTimeout(giveUp);
  };
  const failure = await new Promise<string | undefined>((resolve) => {
    const giveUp = setTimeout(() => resolve('it is not ready after half an hour.'), START_TIMEOUT_MS);
    const settle = (reason?: string) => {
      clearTimeout(giveUp);
      resolve(reason);
    };
    child.stdout?.on('data', () => output().includes('is ready:') && settle());
    void closed.then(() => settle(lastLineOf(output())));
  });
  return { failure, stop };
}

function outputOf(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      output += text;
    });
  return () => output;
}

const lastLineOf = (output: string) => output.trim().split('\n').at(-1) ?? '';

/**
 * Takes the folder of rehearsals for this process.
 *
 * @returns gives it back, with everything in it
 * @throws UpgradeError while another process has it
 */
export async function takeRehearsalFolder(folder: string): Promise<() => Promise<void>> {
  const owner = join(folder, 'owner');
  if (existsSync(owner) && isRunning(Number(readFileSync(owner, 'utf8')), 'operator/upgrade.ts'))
    throw new UpgradeError(`Another upgrade is being tried in ${folder}; wait for its end.`);
  const remove = async () => {
    const data = join(folder, 'data');
    if (lstatSync(join(data, 'postgres'), { throwIfNoEntry: false })) {
      const { cluster } = clusterOf(data);
      // What a rehearsal left that was killed.
      await stopOrphan(cluster);
      rmSync(cluster, { recursive: true, force: true });
      // Where another account runs PostgreSQL, its folder lies elsewhere.
      if (!cluster.startsWith(folder)) rmSync(dirname(cluster), { recursive: true, force: true });
    }
    rmSync(folder, { recursive: true, force: true });
  };
  await remove();
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  writeFileSync(owner, String(process.pid), { flag: 'wx' });
  return remove;
}
