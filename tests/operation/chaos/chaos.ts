import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { verifyArchive } from '#server/backup/archive.ts';
import { brokenAmong, INVARIANTS, INVARIANTS_AT_REST, lostAmong } from '../../invariants.ts';
import { type Mail, mailOf, startMailServer } from '../../mail-server.ts';
import { type Random, seededRandom } from '../../seeded-random.ts';
import { TIMEOUT_MS } from '../../timeouts.ts';
import { childrenOf, freePort, isAlive } from '../site.ts';
import { Site, until } from './chaos-site.ts';
import { type Load, MESSAGE_SUBJECT, openLoad, SOLUTION_TITLE } from './load.ts';

/*
 * Rounds in which a part of a site is killed at a random moment under load, and everything is compared
 * afterwards. The seed decides the acts and their times; their effect on the machine is not the same twice.
 */

export const VICTIMS = ['server', 'media worker', 'database', 'backup'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface Tally {
  kills: number;
  /** Writes that the site had answered with success. */
  acknowledged: number;
  mails: number;
  /** Those among them that came a second time. */
  mailsTwice: number;
  findings: string[];
}

const PEOPLE = 8;
const LARGEST_PICTURE = 720;
const WEIGHTS = {
  page: 2,
  'solution page': 2,
  search: 1,
  like: 5,
  'like taken back': 3,
  comment: 5,
  reply: 3,
  message: 8,
  'page view': 2,
  'topic view': 3,
  upload: 3,
  clip: 0.1,
  submission: 5,
  decision: 20,
  withdrawal: 3,
  'sign-in': 1,
};
/** The kill comes in this span after the load has begun. */
const [SOONEST_MS, LATEST_MS] = [200, 1_500];
/** A job that did not move for this long was abandoned by its process. */
const ABANDONED_MS = TIMEOUT_MS / 15;
/** After this many rounds a day goes by, in which unused uploads expire. */
const ROUNDS_A_DAY = 20;
/**
 * Emails are sent by the site's own timer and by callers of the function; each can be cut off in the middle
 * of one.
 */
const SENDERS = 2;

const EVERYTHING_DUE = 'update private.mail_jobs set due_at = now() where digest';
/**
 * Lets members add in minutes as much as otherwise takes them days, and turns all their emails on. The demo
 * content's decisions lose their author, as no act of the load stands behind them.
 */
const PREPARE = `
  create or replace function private.enforce_row_limit(rows regclass, owner text, max_rows integer, span interval, reason text, until timestamptz default null)
    returns void language sql set search_path = '' as 'select';
  create or replace function private.within_rate_limit(kind text, max_count integer) returns boolean language sql set search_path = '' as 'select true';
  update public.profiles set email_notifications = true;
  update public.solution_reviews set reviewer_id = null;`;
/** The claims of killed workers run out. A worker that lives fails over it, and the pause before its next attempt ends as well. */
const RELEASE = `
  update public.media_jobs set claimed_at = null, due_at = now() where attempts > 0;
  update private.mail_jobs set due_at = now() where attempts > 0`;
const JOBS_LEFT = `
  select 'media ' || j.id || ' ' || j.attempts as job from public.media_jobs j
  union all select 'mail ' || j.id || ' ' || j.attempts from private.mail_jobs j where not j.digest or j.attempts > 0`;
/** Emails that must have come: the recipients and events, by the rows. */
const MAILS = `
  select u.email as to, m.subject as what from public.messages m join auth.users u on u.id = m.recipient_id
  where m.subject like '${MESSAGE_SUBJECT}%'
  union all
  select u.email, s.title from public.solution_reviews r
  join public.solutions s on s.id = r.solution_id join auth.users u on u.id = s.user_id
  where r.decision in ('approved', 'rejected') and r.reviewer_id <> s.user_id and s.title like '${SOLUTION_TITLE}%'`;

/**
 * Kills rounds upon a separate site.
 *
 * @param directory where the site's data folder `data` is, or will be
 * @param report receives a line for each round
 */
export async function chaos(
  directory: string,
  rounds: number,
  seed: string,
  report: (line: string) => void,
): Promise<Record<Victim, Tally>> {
  const site = new Site(directory, await freePort());
  const office = startMailServer();
  await office.open();
  try {
    await site.start(office.address());
    await site.query(PREPARE);
    const load = await openLoad(site.connection, {
      people: PEOPLE,
      weights: WEIGHTS,
      edge: LARGEST_PICTURE,
      randomOf(person) {
        const roll = seededRandom(`${seed}/${person}`);
        return () => roll(2 ** 32) / 2 ** 32;
      },
    });
    return await new Rounds(site, office, load, seededRandom(seed)).run(rounds, report);
  } finally {
    await site.stop();
    await office.shut();
  }
}

class Rounds {
  readonly #site: Site;
  readonly #office: ReturnType<typeof startMailServer>;
  readonly #load: Load;
  readonly #roll: Random;
  readonly #mails: Mail[] = [];
  readonly #tallies = Object.fromEntries(
    VICTIMS.map((victim) => [victim, { kills: 0, acknowledged: 0, mails: 0, mailsTwice: 0, findings: [] }]),
  ) as unknown as Record<Victim, Tally>;
  #viewsBefore = new Map<string, number>();
  #backupTakesMs = 500;

  constructor(site: Site, office: ReturnType<typeof startMailServer>, load: Load, roll: Random) {
    this.#site = site;
    this.#office = office;
    this.#load = load;
    this.#roll = roll;
  }

  async run(rounds: number, report: (line: string) => void): Promise<Record<Victim, Tally>> {
    this.#viewsBefore = new Map((await this.#viewRows()).map(({ id, views_count }) => [id, views_count]));
    await this.#warmUp();
    const began = performance.now();
    this.#tallies.backup.findings.push(...(await this.#backup()));
    this.#backupTakesMs = performance.now() - began;
    for (let number = 1; number <= rounds; number++) {
      const victim = VICTIMS[(number - 1) % VICTIMS.length] as Victim;
      const tally = this.#tallies[victim];
      const startedAt = performance.now();
      const [done, came, twice] = [this.#done(), this.#mails.length, this.#twice()];
      const findings = await this.#round(victim).catch((error: Error) => this.#recover(error));
      if (number % ROUNDS_A_DAY === 0 || number === rounds) findings.push(...(await this.#letADayPass()));
      tally.kills += 1;
      tally.acknowledged += this.#done() - done;
      tally.mails += this.#mails.length - came;
      tally.mailsTwice += this.#twice() - twice;
      tally.findings.push(...findings.map((finding) => `round ${number}: ${finding}`));
      report(
        `Round ${number}, ${victim}: ${this.#done() - done} writes and ${this.#mails.length - came} mails in ` +
          `${((performance.now() - startedAt) / 1000).toFixed(1)} s${findings.map((finding) => `\n  ${finding}`).join('')}`,
      );
    }
    return this.#tallies;
  }

  /** An error that has stopped a round is a finding, and no reason to end the run. */
  async #recover(error: Error): Promise<string[]> {
    await this.#site.restart();
    return [`it could not be finished: ${error.message}`];
  }

  /** Runs until every member has signed in and begun to write. */
  async #warmUp(): Promise<void> {
    const stop = new AbortController();
    const working = this.#load.run(stop.signal);
    await until('the first writes', () => this.#done() > PEOPLE).finally(() => stop.abort());
    await working;
  }

  async #round(victim: Victim): Promise<string[]> {
    const findings: string[] = [];
    const answersBefore = this.#outcomes();
    await this.#site.query(EVERYTHING_DUE);
    const stop = new AbortController();
    const working = Promise.all([this.#load.run(stop.signal), this.#keepWorking(stop.signal)]);
    try {
      await wait(SOONEST_MS + this.#roll(LATEST_MS - SOONEST_MS));
      if (victim === 'server') {
        const workers = this.#site.mediaWorkers();
        this.#site.kill(this.#site.processes().server);
        stop.abort();
        await working;
        await until('its media workers to notice', () => !workers.some(isAlive));
        await this.#site.startAgain();
      } else if (victim === 'media worker') {
        await until('a media worker', () => this.#site.kill(this.#oneOf(this.#site.mediaWorkers())));
        const uploads = this.#done('upload');
        await until('another upload', () => this.#done('upload') > uploads);
      } else if (victim === 'database') {
        const postgres = await until('the database', () => this.#site.processes().postgres);
        const whole = this.#roll(2) === 0;
        const some = () => (whole ? postgres : this.#oneOf(childrenOf(postgres))?.pid);
        await until('a process of the database', () => this.#site.kill(some()));
        const written = this.#done();
        await until('ten more writes', () => this.#done() > written + 10);
      } else await this.#killBackup();
    } finally {
      stop.abort();
      await working;
    }
    await until('the site to be ready', () => this.#site.isReady());
    await this.#settle(victim === 'server');
    if (victim === 'backup') findings.push(...(await this.#backup()));
    findings.push(...(await this.#compare()));
    findings.push(...(await this.#site.looseEnds(victim === 'server')));
    if (victim === 'media worker' || victim === 'backup')
      for (const [outcome, times] of this.#outcomes()) {
        const more = times - (answersBefore.get(outcome) ?? 0);
        // Only the picture's sender may notice either of them.
        if (more > 0 && /: (5\d\d|Error|TypeError)|^failed/.test(outcome))
          findings.push(`${more} times ${outcome}`);
      }
    findings.push(...this.#site.fatalErrors());
    return findings;
  }

  /** One of these, if there is one. */
  #oneOf<T>(from: T[]): T | undefined {
    return from[this.#roll(Math.max(1, from.length))];
  }

  /** Kills a backup while it writes; if it was finished before, another is begun. */
  async #killBackup(): Promise<void> {
    for (;;) {
      const backup = this.#site.startBackup();
      const ended = new Promise((resolve) => backup.once('exit', resolve));
      const hasStarted = () => backup.exitCode !== null || existsSync(join(this.#site.dataDir, 'backing-up'));
      await until('a backup to begin', hasStarted);
      await wait(this.#roll(this.#backupTakesMs));
      if (backup.exitCode !== null) continue;
      backup.kill('SIGKILL');
      await ended;
      return;
    }
  }

  /**
   * Makes a backup that is not killed, and checks that each file beside it is whole then and no other file is
   * left.
   */
  async #backup(): Promise<string[]> {
    const backup = this.#site.startBackup();
    let stderr = '';
    backup.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise((resolve) => backup.once('close', resolve));
    if (code !== 0) return [`a backup failed: ${stderr}`];
    const findings: string[] = stderr === '' ? [] : [`a backup complained: ${stderr}`];
    const last: { file: string } = JSON.parse(
      readFileSync(join(this.#site.dataDir, 'last-backup.json'), 'utf8'),
    );
    const names = readdirSync(this.#site.shelf);
    if (!existsSync(last.file)) findings.push(`the last backup is not there: ${last.file}`);
    if (existsSync(join(this.#site.dataDir, 'backing-up'))) findings.push('what a backup held is left');
    for (const name of names) {
      if (name.endsWith('.tar'))
        await verifyArchive(join(this.#site.shelf, name), undefined, []).catch((error: Error) =>
          findings.push(error.message),
        );
      else if (name !== 'erased.jsonl') findings.push(`beside the backups lies ${name}`);
    }
    return findings;
  }

  /** As the site's timers do every five seconds and moderators after each decision, so that kills meet jobs. */
  async #keepWorking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#site.work().catch(() => undefined);
      await wait(100);
    }
  }

  /**
   * Waits until no job is left.
   *
   * @param abandoned whether every process that had claimed one has ended
   */
  async #settle(abandoned: boolean): Promise<void> {
    if (abandoned) await this.#site.query(RELEASE);
    let seen = '';
    let moved = performance.now();
    for (const began = performance.now(); performance.now() - began < TIMEOUT_MS; await wait(50)) {
      const jobsLeft = (await this.#site.query(JOBS_LEFT)).map(({ job }) => job).join();
      if (jobsLeft === '') return;
      if (jobsLeft !== seen) moved = performance.now();
      else if (performance.now() - moved > ABANDONED_MS) await this.#site.query(RELEASE);
      seen = jobsLeft;
      await this.#site.work();
    }
  }

  /** Every row against every other, against the acknowledged writes, and against the emails that came. */
  async #compare(): Promise<string[]> {
    for (const letter of this.#office.received.splice(0)) this.#mails.push(mailOf(letter));
    const run = (sql: string, values?: unknown[]) => this.#site.query(sql, values);
    const findings = [
      ...(await brokenAmong({ ...INVARIANTS, ...INVARIANTS_AT_REST }, run)),
      ...(await lostAmong(this.#load.facts(), run)),
      ...this.#compareMails(await run(MAILS)),
    ];
    for (const { id, views_count } of await this.#viewRows()) {
      const { asked, answered } = this.#load.views.get(id) ?? { asked: 0, answered: 0 };
      const more = views_count - (this.#viewsBefore.get(id) ?? 0);
      if (more < answered || more > asked)
        findings.push(
          `${more} views of a topic were counted, of ${asked} asked for and ${answered} acknowledged`,
        );
    }
    return findings;
  }

  #compareMails(expected: pg.QueryResultRow[]): string[] {
    const findings: string[] = [];
    const bySubject = Map.groupBy(
      this.#mails.filter(({ subject }) => isOfLoad(subject)),
      ({ to, subject }) => `${to} ${subject.slice(subject.indexOf(': ') + 2)}`,
    );
    for (const { to, what } of expected) {
      const copies = bySubject.get(`${to} ${what}`) ?? [];
      if (copies.length === 0) findings.push(`no mail came to ${to} about "${what}"`);
      if (new Set(copies.map(({ id }) => id)).size > 1)
        findings.push(`the mails to ${to} about "${what}" are not known as the same`);
    }
    const allowed = SENDERS * (this.#tallies.server.kills + this.#tallies.database.kills + 1);
    if (this.#twice() > allowed)
      findings.push(`${this.#twice()} mails came twice, more than kills can explain`);
    return findings;
  }

  /** Files and rows grow a day older: remains must be deleted then. */
  async #letADayPass(): Promise<string[]> {
    await this.#site.query(`
      update storage.objects set created_at = created_at - interval '25 hours';
      update public.pending_uploads set created_at = created_at - interval '25 hours'`);
    this.#load.forgetUploads();
    // Files that no row names are deleted when no job is left.
    for (let time = 0; time < 2; time++) {
      await this.#site.expire();
      await this.#settle(false);
    }
    await this.#site.restart();
    return [...(await this.#compare()), ...(await this.#site.looseEnds(true))];
  }

  #viewRows(): Promise<{ id: string; views_count: number }[]> {
    return this.#site.query('select id, views_count from public.forum_topics') as Promise<
      { id: string; views_count: number }[]
    >;
  }

  /** The number of writes of the load that were answered with success. */
  #done(kind?: string): number {
    const writes = kind ? [kind] : WRITES;
    return writes.reduce((sum, each) => sum + (this.#load.answers.get(each)?.get('done') ?? 0), 0);
  }

  #outcomes(): Map<string, number> {
    return new Map(
      [...this.#load.answers].flatMap(([kind, outcomes]) =>
        [...outcomes].map(([outcome, times]) => [`${kind}: ${outcome}`, times] as const),
      ),
    );
  }

  #twice(): number {
    return this.#mails.length - new Set(this.#mails.map(({ id }) => id)).size;
  }
}

const WRITES = [
  'comment',
  'decision',
  'like',
  'like taken back',
  'message',
  'page view',
  'reply',
  'submission',
  'topic view',
  'upload',
  'withdrawal',
];
const isOfLoad = (subject: string) => subject.includes(MESSAGE_SUBJECT) || subject.includes(SOLUTION_TITLE);
