import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { roomForFiles } from './disk.ts';
import type { Answer, Job, JobResult } from './job.ts';
import { TIMEOUT_MS } from './limits.ts';
import type { Received } from './receive.ts';
import { busy, noRoom, unusable } from './refusal.ts';

/** What media processing offers to the functions of the product. */
export interface Media {
  /** Where uploads are received. */
  folder: string;
  /**
   * Lets an upload in, before its body is read.
   *
   * @returns to be called when it is done with, however it ends
   * @throws MediaRefused when this member, or everybody together, has too many under way
   */
  admit(owner: string): () => void;
  /** @throws MediaRefused when the file cannot be used; whatever it did to the worker is over then */
  process(file: Received, make: Job['make']): Promise<JobResult>;
  close(): Promise<void>;
}

const MAX_PER_OWNER = 3;
const MAX_JOBS = 24;
const IDLE_MS = 60_000;
const STRAY_AGE_MS = 3_600_000;

interface Options {
  /** Told why files were refused; the sender hears less. */
  log(problem: string, details: Record<string, unknown>): void;
  /** For tests: another program than the real worker. */
  program?: string;
  patience?: typeof TIMEOUT_MS;
}

/**
 * Two worker processes, one for pictures and one for films, so that a film does not keep pictures waiting. Each
 * does one job at a time; it is started when needed, and ends when it has had nothing to do for a while.
 */
export function createMedia(folder: string, { log, program, patience = TIMEOUT_MS }: Options): Media {
  const anHourAgo = Date.now() - STRAY_AGE_MS;
  let there = sweep(folder, (name) => statSync(join(folder, name)).mtimeMs < anHourAgo);
  // No upload takes so long; and nobody may start the site again for months.
  const sweeping = setInterval(() => {
    there = sweep(folder, (name) => there.has(name));
  }, STRAY_AGE_MS).unref();
  const start = () => new Worker(program, patience);
  const [pictures, films] = [start(), start()];
  const underway = new Map<string, number>();

  return {
    folder,
    admit(owner) {
      const own = underway.get(owner) ?? 0;
      const all = [...underway.values()].reduce((sum, count) => sum + count, 0);
      if (own >= MAX_PER_OWNER || all >= MAX_JOBS) throw busy();
      underway.set(owner, own + 1);
      let over = false;
      return () => {
        if (over) return;
        over = true;
        const left = (underway.get(owner) ?? 1) - 1;
        if (left > 0) underway.set(owner, left);
        else underway.delete(owner);
      };
    },
    async process(file, make) {
      try {
        return await (make === 'video' ? films : pictures).run({
          make,
          path: file.path,
          folder: file.folder,
        });
      } catch (error) {
        log('a file could not be processed', {
          reason: error instanceof Error ? error.message : error,
          kind: file.kind,
        });
        // The decoder says no more than that it failed.
        if (roomForFiles(file.folder) === 0) throw noRoom();
        const what = file.kind === 'video' ? 'video' : 'image';
        throw unusable(
          file.name,
          error instanceof TooSlow
            ? `This ${what} takes too long to process.`
            : `This ${what} cannot be read. It may be damaged, too long or too large.`,
        );
      }
    },
    async close() {
      clearInterval(sweeping);
      await Promise.all([pictures.close(), films.close()]);
    },
  };
}

/**
 * Removes what a process that was killed could not.
 *
 * @returns the names that stay
 */
function sweep(folder: string, isLeftBehind: (name: string) => boolean): Set<string> {
  const staying = new Set<string>();
  try {
    for (const name of readdirSync(folder)) {
      if (isLeftBehind(name)) rmSync(join(folder, name), { recursive: true, force: true });
      else staying.add(name);
    }
  } catch {
    // Nothing was ever uploaded.
  }
  return staying;
}

/** A job that took longer than it may. */
class TooSlow extends Error {}

/** The process ended in the middle of a job: by the job's file, or by somebody who killed it. */
class WorkerEnded extends Error {}

/** One process that does one job at a time; it is started when needed, and ends when it has nothing to do. */
export class Worker {
  readonly #program: string;
  readonly #patience: typeof TIMEOUT_MS;
  #child: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #count = 0;
  #closed = false;

  constructor(program = join(import.meta.dirname, 'worker.ts'), patience = TIMEOUT_MS) {
    this.#program = program;
    this.#patience = patience;
  }

  /** Waits for the jobs before it. A job whose process ends is tried once more: it may have been none of its fault. */
  run(job: Omit<Job, 'id'>): Promise<JobResult> {
    const once = () => this.#once({ ...job, id: this.#count++ });
    const mine = this.#last
      .then(once)
      .catch((error) => (error instanceof WorkerEnded && !this.#closed ? once() : Promise.reject(error)));
    this.#last = mine.catch(() => {});
    return mine;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    const child = this.#child;
    // One that could not be started has no id, and never ends.
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  async #once(job: Job): Promise<JobResult> {
    if (this.#closed) throw new Error('the site is stopping');
    clearTimeout(this.#idle);
    const child = this.#started();
    const [first, whole] =
      job.make === 'video'
        ? [this.#patience.videoStalled, this.#patience.video]
        : [this.#patience.image, this.#patience.image];
    let stalled: NodeJS.Timeout | undefined;
    let overdue: NodeJS.Timeout | undefined;
    try {
      return await new Promise<JobResult>((resolve, reject) => {
        const giveUp = () => reject(new TooSlow('it took too long'));
        stalled = setTimeout(giveUp, first);
        overdue = setTimeout(giveUp, whole);
        child.on('message', (answer: Answer) => {
          if (answer.id !== job.id) return;
          if ('progress' in answer) stalled?.refresh();
          else if ('made' in answer) resolve(answer.made);
          else reject(new Error(answer.problem));
        });
        child.once('error', reject);
        child.once('exit', (code, signal) => reject(new WorkerEnded(`the worker ended (${signal ?? code})`)));
        child.send(job);
      });
    } catch (error) {
      // A decoder that was stopped half-way is not used again; one that refused a file is.
      if (error instanceof TooSlow) child.kill('SIGKILL');
      throw error;
    } finally {
      clearTimeout(stalled);
      clearTimeout(overdue);
      child.removeAllListeners();
      // Without a listener an error would end this process.
      child.on('error', () => {});
      this.#idle = setTimeout(() => child.kill(), IDLE_MS).unref();
    }
  }

  #started(): ChildProcess {
    const before = this.#child;
    if (before?.connected && before.exitCode === null && before.signalCode === null && !before.killed)
      return before;
    const child = fork(this.#program, {
      // The decoders' libraries write about hardware they do not find.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Nothing of this process's secrets.
      env: { NODE_ENV: 'production' },
      execArgv: ['--max-old-space-size=512'],
      serialization: 'json',
    });
    // Pages come first.
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    child.unref();
    child.channel?.unref();
    this.#child = child;
    return child;
  }
}
