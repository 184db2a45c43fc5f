import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { roomForFiles } from './disk.ts';
import { type Answer, type Job, type JobResult, OUT_OF_MEMORY, OUT_OF_TIME } from './job.ts';
import { JOB_LIMITS } from './limits.ts';
import type { Received } from './receive.ts';
import { busy, noRoom, tooManyRefused, tooMuchWork, tooSlow, unusable } from './refusal.ts';

/** The media processing that the product's functions can use. */
export interface Media {
  /** The folder in which uploads are received. */
  folder: string;
  /**
   * Admits an upload, before its body is read.
   *
   * @returns a function to call when the upload is over, however it ends
   * @throws MediaRefused when this member, or all members together, have too many under way, or too many of this member's
   *   were refused
   */
  admit(owner: string): () => void;
  /** Counts an upload of this member whose file was refused: it cost as much as one that was taken. */
  countRefused(owner: string): void;
  /**
   * @param owner whose turn it must be
   * @throws MediaRefused when the file cannot be used; any damage to the worker is over then
   */
  process(file: Received, make: Job['make'], owner: string): Promise<JobResult>;
  close(): Promise<void>;
}

/** The uploads that a member may have under way. */
export const MAX_PER_OWNER = 3;
/** The uploads of all members together; the last of them are for members who have none under way. */
const MAX_UPLOADS = 96;
const KEPT_FREE = 32;
/** The refused files of a member in a day, as many as may wait for a solution. Only in memory: a restart begins at none. */
export const MAX_REFUSED = 60;
const REFUSED_KEPT_MS = 86_400_000;
const IDLE_MS = 60_000;
const STRAY_AGE_MS = 3_600_000;

/** Whose work is done next, one piece at a time. */
interface Turns {
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

interface Options {
  /** Makes the turns at one worker, whose jobs may take many seconds. */
  turns(): Turns;
  /** Receives the reasons why files were refused; the sender gets less detail. */
  log(problem: string, details: Record<string, unknown>): void;
  /** For tests: another program than the real worker. */
  program?: string;
  /** For tests: what a job may use. */
  limits?: typeof JOB_LIMITS;
}

/**
 * Three worker processes, one for pictures, one for films and one for build files, so that none delays another. Each does
 * one job at a time; it is started when needed, and ends when it has been idle for a while.
 */
export function createMedia(folder: string, { turns, log, program, limits }: Options): Media {
  const anHourAgo = Date.now() - STRAY_AGE_MS;
  let there = sweep(folder, (name) => statSync(join(folder, name)).mtimeMs < anHourAgo, log);
  // No upload takes this long, and the site may run for months without a restart.
  const sweeping = setInterval(() => {
    there = sweep(folder, (name) => there.has(name), log);
    for (const [owner, times] of refused) {
      const recent = times.filter((time) => time > performance.now() - REFUSED_KEPT_MS);
      if (recent.length > 0) refused.set(owner, recent);
      else refused.delete(owner);
    }
  }, STRAY_AGE_MS).unref();
  const start = () => ({ worker: new Worker(program, limits), queue: turns() });
  const [pictures, films, files] = [start(), start(), start()];
  const underway = new Map<string, number>();
  /** When files of each member were refused, in the time of the monotonic clock, the earliest first. */
  const refused = new Map<string, number[]>();

  return {
    folder,
    admit(owner) {
      if ((refused.get(owner)?.length ?? 0) >= MAX_REFUSED) throw tooManyRefused();
      const own = underway.get(owner) ?? 0;
      const all = [...underway.values()].reduce((sum, count) => sum + count, 0);
      if (own >= MAX_PER_OWNER || all >= (own > 0 ? MAX_UPLOADS - KEPT_FREE : MAX_UPLOADS)) throw busy();
      underway.set(owner, own + 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        const remaining = (underway.get(owner) ?? 1) - 1;
        if (remaining > 0) underway.set(owner, remaining);
        else underway.delete(owner);
      };
    },
    countRefused(owner) {
      refused.set(owner, [...(refused.get(owner) ?? []), performance.now()]);
    },
    async process(file, make, owner) {
      const { worker, queue } = make === 'video' ? films : make === 'file' ? files : pictures;
      const { path, folder } = file;
      try {
        return await queue.run(owner, () => worker.run({ make, path, folder }));
      } catch (error) {
        log('a file could not be processed', {
          reason: error instanceof Error ? error.message : error,
          kind: file.kind,
        });
        // The decoder reports only that it failed.
        if (roomForFiles(file.folder) === 0) throw noRoom();
        if (error instanceof Refused) throw unusable(file.name, error.message);
        if (error instanceof TooHeavy)
          throw unusable(file.name, 'This file needs too much memory. Simplify it and choose it again.');
        if (error instanceof TooMuchWork) throw tooMuchWork(file.name, file.kind);
        if (error instanceof TooSlow) throw tooSlow(file.name, file.kind);
        throw unusable(file.name, `This ${file.kind} cannot be read. It may be damaged: save it again.`);
      }
    },
    async close() {
      clearInterval(sweeping);
      await Promise.all([pictures, films, files].map(({ worker }) => worker.close()));
    },
  };
}

/**
 * Removes the folders that a killed process left behind, also those behind one that cannot be removed.
 *
 * @returns the names that stay
 */
function sweep(folder: string, isLeftBehind: (name: string) => boolean, log: Options['log']): Set<string> {
  const staying = new Set<string>();
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // There has not been any upload yet.
  }
  for (const name of names) {
    try {
      if (isLeftBehind(name)) rmSync(join(folder, name), { recursive: true, force: true });
      else staying.add(name);
    } catch (error) {
      staying.add(name);
      log('what an upload left behind could not be removed', { name, reason: String(error) });
    }
  }
  return staying;
}

/** A job that exceeded its limit by the clock. */
class TooSlow extends Error {}

/** A file that needs more processor time than a file may cost. */
class TooMuchWork extends Error {}

/** A build file that cannot be made safe; the message is for its sender. */
class Refused extends Error {}

/** A build file that needs more memory than a file may cost. */
class TooHeavy extends Error {}

/** The process ended in the middle of a job: because of the job's file, or because it was killed. */
class WorkerEnded extends Error {}

/** One process, which must be given one job at a time; it is started when needed, and ends when it is idle. */
export class Worker {
  readonly #program: string;
  readonly #limits: typeof JOB_LIMITS;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #count = 0;
  #closed = false;

  constructor(program = join(import.meta.dirname, 'worker.ts'), limits = JOB_LIMITS) {
    this.#program = program;
    this.#limits = limits;
  }

  /** A job whose process ends is tried once more: it may not have been the cause. */
  run(job: Pick<Job, 'make' | 'path' | 'folder'>): Promise<JobResult> {
    const { cpuMs, bytes } = this.#limits;
    const maxCpuMs = job.make === 'video' || job.make === 'file' ? cpuMs[job.make] : cpuMs.image;
    const once = () => this.#once({ ...job, id: this.#count++, maxCpuMs, maxBytes: bytes });
    return once().catch((error) =>
      error instanceof WorkerEnded && !this.#closed ? once() : Promise.reject(error),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    const child = this.#child;
    // A process that could not be started has no id, and never ends.
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  async #once(job: Job): Promise<JobResult> {
    if (this.#closed) throw new Error('the site is stopping');
    clearTimeout(this.#idle);
    const child = this.#started();
    let overdue: NodeJS.Timeout | undefined;
    try {
      return await new Promise<JobResult>((resolve, reject) => {
        overdue = setTimeout(() => reject(new TooSlow('it took too long')), this.#limits.hungMs);
        child.on('message', (answer: Answer) => {
          if (answer.id !== job.id) return;
          if ('result' in answer) resolve(answer.result);
          else reject('refusal' in answer ? new Refused(answer.refusal) : new Error(answer.problem));
        });
        child.once('error', reject);
        child.once('exit', (code, signal) => {
          if (signal === OUT_OF_MEMORY) reject(new TooHeavy('it needs too much memory'));
          else if (signal === OUT_OF_TIME) reject(new TooMuchWork('it needs too much processor time'));
          else reject(new WorkerEnded(`the worker ended (${signal ?? code})`));
        });
        child.send(job);
      });
    } catch (error) {
      // A decoder that was stopped half-way is not used again; one that refused a file is.
      if (error instanceof TooSlow) child.kill('SIGKILL');
      throw error;
    } finally {
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
      // The decoders' libraries print messages about missing hardware.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // None of this process's secrets is passed on.
      env: { NODE_ENV: 'production' },
      execArgv: ['--max-old-space-size=512'],
      serialization: 'json',
    });
    // Pages have priority.
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    child.unref();
    child.channel?.unref();
    this.#child = child;
    return child;
  }
}
