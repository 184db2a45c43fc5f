import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import { TIMEOUT_MS } from '../../timeouts.ts';
import { childrenOf, processesOf, type Run, signal, start } from '../site.ts';

/** A site in separate processes, as `npm start` makes it. */
export class Site {
  readonly dataDir: string;
  readonly shelf: string;
  readonly #settings: Record<string, string>;
  #run: Run | undefined;
  #database: Promise<pg.Client> | undefined;

  constructor(directory: string, port: string) {
    this.dataDir = join(directory, 'data');
    this.shelf = join(directory, 'backups');
    mkdirSync(this.shelf, { recursive: true });
    this.#settings = {
      DATA_DIR: this.dataDir,
      PORT: port,
      LOG_LEVEL: 'error',
      TRUST_PROXY: 'true',
      BACKUP_DIR: this.shelf,
      BACKUP_EVERY: '0',
      BACKUP_KEEP: '2',
    };
  }

  async start(smtpUrl: string): Promise<void> {
    this.#settings.SMTP_URL = smtpUrl;
    this.#run = await start(this.#settings);
  }

  /** After a kill: remains of the killed processes are old enough to be swept by then. */
  async startAgain(): Promise<void> {
    await this.#run?.exited;
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    for (const folder of ['files', 'incoming'])
      if (existsSync(join(this.dataDir, folder)))
        for (const name of readdirSync(join(this.dataDir, folder), { recursive: true, encoding: 'utf8' }))
          utimesSync(join(this.dataDir, folder, name), twoHoursAgo, twoHoursAgo);
    this.#run = await start(this.#settings);
  }

  async restart(): Promise<void> {
    this.#run?.process.kill('SIGTERM');
    await this.startAgain();
  }

  async stop(): Promise<void> {
    const database = await this.#database;
    await database?.end();
    this.#run?.process.kill('SIGTERM');
    await this.#run?.exited;
  }

  #instance() {
    return JSON.parse(readFileSync(join(this.dataDir, 'instance.json'), 'utf8'));
  }

  get connection() {
    const { apiUrl, anonKey, serviceRoleKey } = this.#instance();
    return { url: apiUrl as string, anonKey, serviceRoleKey };
  }

  processes() {
    return processesOf(this.dataDir);
  }

  mediaWorkers(): number[] {
    return childrenOf(this.processes().server)
      .filter(({ command }) => command.includes('media/worker.ts'))
      .map(({ pid }) => pid);
  }

  /** @returns whether it was there to be killed */
  kill(pid: number | undefined): boolean {
    // Zero would be this process and all of its group.
    return pid !== undefined && pid > 1 && signal(pid, 'SIGKILL');
  }

  startBackup(): ChildProcess {
    return spawn(process.execPath, ['scripts/operator/backup.ts'], {
      cwd: resolve(import.meta.dirname, '../../..'),
      env: { PATH: process.env.PATH ?? '', ...this.#settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.connection.url}/readyz`).catch(() => undefined))?.ok ?? false;
  }

  /** As superuser; the rows of the last of several statements. */
  async query(sql: string, values?: unknown[]): Promise<pg.QueryResultRow[]> {
    this.#database ??= this.#connect();
    const client = await this.#database;
    const results = await client.query(sql, values);
    return [results].flat().at(-1)?.rows ?? [];
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#instance().databaseUrl });
    const clearDatabase = () => {
      this.#database = undefined;
    };
    client.on('error', clearDatabase).on('end', clearDatabase);
    return client.connect().then(
      () => client,
      (error) => {
        clearDatabase();
        throw error;
      },
    );
  }

  #service() {
    return createClient(this.connection.url, this.connection.serviceRoleKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
  }

  async work(): Promise<void> {
    for (const job of ['process-media-jobs', 'process-mail-jobs'])
      await this.#service().functions.invoke(job, { method: 'POST' });
  }

  /** The site's job of every minute. */
  async expire(): Promise<void> {
    for (const sweep of ['expire_uploads', 'expire_incoming_uploads'])
      await this.#service().rpc(sweep).throwOnError();
  }

  /**
   * Files against rows, and the remains of interrupted work.
   *
   * @param swept whether files that no row names must be deleted by now
   */
  async looseEnds(swept: boolean): Promise<string[]> {
    const folder = join(this.dataDir, 'files');
    const rows = (await this.query(
      "select version, bucket_id || '/' || name as name, (metadata ->> 'size')::int as size from storage.objects",
    )) as { version: string; name: string; size: number }[];
    const findings = rows.flatMap(({ version, name, size }) => {
      const found = statSync(join(folder, version.slice(0, 2), version), { throwIfNoEntry: false });
      return found?.size === size ? [] : [`${name} has ${found?.size ?? 'no'} bytes of ${size}`];
    });
    const named = new Set(rows.map(({ version }) => version));
    const strays = () =>
      filesIn(folder)
        .filter((path) => !named.has(path.split('/').at(-1) ?? ''))
        .concat(filesIn(join(this.dataDir, 'incoming')));
    const remainingStrays = () => strays().filter((path) => swept || /\/(unfinished|incoming)\//.test(path));
    if (!(await until('', () => remainingStrays().length === 0).catch(() => false)))
      findings.push(`${remainingStrays().length} files are left over, such as ${remainingStrays()[0]}`);
    return findings;
  }

  /** Unexpected errors in the present server's output. */
  fatalErrors(): string[] {
    return (this.#run?.output() ?? '').split('\n').filter((line) => /^\{"level":60/.test(line));
  }
}

export const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

/** The result of `look`, once there is one. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (const began = performance.now(); performance.now() - began < TIMEOUT_MS; await wait(20)) {
    const seen = await look();
    if (seen) return seen;
  }
  throw new Error(`Waited in vain for ${what}.`);
}
