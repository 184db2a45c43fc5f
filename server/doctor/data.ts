import { spawnSync } from 'node:child_process';
import { existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#backend/config.ts';
import { ConfigError } from '#backend/config-project.ts';
import { freeBytes } from '../../media/disk.ts';
import { lastBackup } from '../backup/backup.ts';
import { lastArchived, NOT_BEGUN } from '../backup/continuous/archiving.ts';
import { lastRestore } from '../backup/retention.ts';
import { connect } from '../backup/tables.ts';
import { runningInstance } from '../running-instance.mjs';
import { type Finding, note, problem, reasonOf, warning } from './finding.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The time by which two clocks may differ: a code for the second step is valid for as long. */
const MAX_CLOCK_MS = 30_000;
const MAX_ARCHIVE_AGE_MS = 120_000;
const MAX_RESTORE_AGE_MS = 90 * DAY_MS;
/** The time after a start in which the first backup is made. */
const FIRST_BACKUP_MS = 10 * 60_000;
const REGISTER_MS = 8_000;

const days = (ms: number) => `${Math.floor(ms / DAY_MS)} days`;
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

/** Space on the disk of the data, and who may read it. */
export function findOnDisk({ dataDir }: Config): Finding[] {
  if (!existsSync(dataDir))
    return [
      problem(`There is no site in ${dataDir}.`, 'Start it, or set DATA_DIR to the folder of its data.'),
    ];
  const findings: Finding[] = [];
  const { blocks, bsize, files, ffree } = statfsSync(dataDir);
  const free = freeBytes(dataDir);
  if (free < Math.max(1e9, (blocks * bsize) / 10))
    findings.push(
      (free < 1e9 ? problem : warning)(
        `${gigabytes(free)} are free on the disk of ${dataDir}. Uploads end with the last 0.1 GB.`,
        'Enlarge the disk, or move backups from it.',
      ),
    );
  if (files > 0 && ffree < files / 20)
    findings.push(
      problem(`The disk of ${dataDir} can hold few more files.`, 'Make a file system with more inodes.'),
    );
  const secrets = join(dataDir, 'secrets.json');
  if (!existsSync(secrets)) return findings;
  const { mode, uid } = statSync(secrets);
  if (process.platform !== 'win32' && mode & 0o077)
    findings.push(
      problem(`Other accounts of this machine can read ${secrets}.`, `Run: chmod 600 ${secrets}`),
    );
  const foreign = ['files', 'incoming', 'instance.json', 'last-backup.json'].filter(
    (name) => existsSync(join(dataDir, name)) && statSync(join(dataDir, name)).uid !== uid,
  );
  if (foreign.length > 0)
    findings.push(
      problem(
        `${foreign.map((name) => join(dataDir, name)).join(' and ')} belong to another account than ${secrets}.`,
        'Give the folder to the account of the site (chown -R), and run its commands under that account.',
      ),
    );
  return findings;
}

/** Whether the store that holds the files can be used, and by this site alone. */
export async function findInStore({ s3 }: Config): Promise<Finding[]> {
  if (!s3) return [];
  // Loaded only where it is needed: the client is large.
  const { checkStore } = await import('#backend/files/s3-check.ts');
  return checkStore(s3).then(
    () => [],
    (error: unknown) => [
      problem(
        error instanceof ConfigError ? error.message : reasonOf(error),
        'Mend the store or the S3 settings; files cannot be read or written until then.',
      ),
    ],
  );
}

/** Whether the clock of this machine is set by others. */
export function findInClock(): Finding[] {
  const { stdout } = spawnSync('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    encoding: 'utf8',
  });
  return stdout?.trim() === 'no'
    ? [
        warning(
          'The clock of this machine is not synchronised; codes for the second step fail when it is half a minute wrong.',
          'Switch time synchronisation on (timedatectl set-ntp true).',
        ),
      ]
    : [];
}

/** Whether the site has run for so short a time that its first backup may still be on its way. */
const hasJustStarted = (dataDir: string) =>
  runningInstance(dataDir) !== undefined &&
  Date.now() - statSync(join(dataDir, 'instance.json')).mtimeMs < FIRST_BACKUP_MS;

/** Whether what is lost with this machine can be restored. */
export async function findInBackups({ backup, dataDir, production, supabase }: Config): Promise<Finding[]> {
  if (supabase) return [];
  const { directory, every, key } = backup;
  if (!directory)
    return [
      (production ? problem : warning)(
        'There are no backups: losing this disk loses the site.',
        'Set BACKUP_DIR to a folder on another disk.',
      ),
    ];
  if (!existsSync(directory))
    return [problem(`The folder for backups ${directory} does not exist.`, 'Make it, or mount its disk.')];
  const findings: Finding[] = [];
  if (statSync(directory).dev === statSync(dataDir).dev)
    findings.push(
      warning(
        `Backups are on the same disk as the data (${directory}).`,
        'Set BACKUP_DIR to a folder on another disk, or copy it elsewhere every night.',
      ),
    );
  if (!key)
    findings.push(
      warning(
        'Backups are not encrypted; who has one has all that members entrusted to the site.',
        'Set BACKUP_KEY to the public half of an age key, and keep the other half elsewhere.',
      ),
    );
  const last = await lastBackup(dataDir);
  const age = last ? Date.now() - Date.parse(last.madeAt) : Number.POSITIVE_INFINITY;
  const isFirstDue = every > 0 && !last && hasJustStarted(dataDir);
  if (isFirstDue)
    findings.push(
      note(
        'No backup has been made yet; the site began a few minutes ago, and makes its first one by itself.',
        'Ask again ten minutes after the start.',
      ),
    );
  else if (every > 0 && age > 2 * every * HOUR_MS)
    findings.push(
      problem(
        last ? `The last backup was made ${days(age)} ago.` : 'No backup has been made yet.',
        'Look for "a backup failed" in the log.',
      ),
    );
  if (last && last.missing > 0)
    findings.push(
      problem(
        `${last.missing} files that the database names are missing from the disk.`,
        'Restore them from an older backup: the log of the backup names them.',
      ),
    );
  const archived = lastArchived(dataDir);
  if (archived?.problem && !(isFirstDue && archived.problem === NOT_BEGUN))
    findings.push(
      problem(`Archiving fails: ${archived.problem}`, 'Until then, a lost disk loses what is new.'),
    );
  else if (archived?.until && Date.now() - Date.parse(archived.until) > MAX_ARCHIVE_AGE_MS)
    findings.push(
      warning(
        `The continuous archive ends at ${archived.until}.`,
        'Start the site; it archives while it runs.',
      ),
    );
  const restored = await lastRestore(directory);
  if (!restored || Date.now() - restored.getTime() > MAX_RESTORE_AGE_MS)
    findings.push(
      warning(
        restored
          ? `A backup was last restored ${days(Date.now() - restored.getTime())} ago.`
          : 'No backup has been restored yet; only a restored one is known to work.',
        'Restore the newest into an empty folder (docs/operations.md, "Restore").',
      ),
    );
  return findings;
}

interface Facts {
  now: Date;
  unprotected: number;
  staff: number;
  given_up: number;
  failing: number;
  reason: string | null;
}

/** What moderators and machines have left lying, and whether staff and registers are as they should be. */
export async function findInDatabase(url: string): Promise<Finding[]> {
  const client = await connect(url);
  try {
    const [facts] = (
      await client.query<Facts>(
        `select clock_timestamp() as now,
           (select count(*)::int from public.user_roles r where r.role in ('moderator', 'admin')) as staff,
           (select count(*)::int from public.user_roles r where r.role in ('moderator', 'admin') and not exists (
             select from auth.mfa_factors f where f.user_id = r.user_id and f.status::text = 'verified')) as unprotected,
           (select count(*)::int from public.media_jobs j where private.is_given_up(j)) as given_up,
           (select count(*)::int from private.mail_jobs where attempts >= 3) as failing,
           (select last_error from private.mail_jobs where attempts >= 3 order by id desc limit 1) as reason`,
      )
    ).rows;
    const { rows: registers } = await client.query<{ code: string; search_url: string }>(
      'select code, search_url from public.registers where not is_retired order by code',
    );
    return [...inFacts(facts), ...(await inRegisters(registers))];
  } finally {
    await client.end();
  }
}

function inFacts(facts: Facts | undefined): Finding[] {
  if (!facts) return [];
  return [
    Math.abs(facts.now.getTime() - Date.now()) > MAX_CLOCK_MS &&
      problem('The clocks of this machine and of the database differ.', 'Synchronise both.'),
    facts.staff === 0 &&
      problem(
        'The site has neither a moderator nor an administrator, so that nothing is ever published.',
        'Sign up, and give yourself the role by the command grant.',
      ),
    facts.unprotected > 0 &&
      warning(
        `${facts.unprotected} of ${facts.staff} moderators and administrators sign in without a second step.`,
        'Ask them to add one in their settings, or require it of all staff.',
      ),
    facts.given_up > 0 &&
      problem(
        `${facts.given_up} images, videos or files could not be moved or removed for a day.`,
        'The column last_error of media_jobs says why; they are tried again when attempts is set to 0.',
      ),
    facts.failing > 0 &&
      problem(
        `${facts.failing} emails failed three times or more: ${facts.reason ?? 'without a reason'}`,
        'Mend the mail server; they are sent by themselves then.',
      ),
  ].filter((finding) => finding !== false);
}

/** Registers whose page is gone: moderators could check no registration there. */
async function inRegisters(registers: { code: string; search_url: string }[]): Promise<Finding[]> {
  const answers = await Promise.all(
    registers.map(async ({ code, search_url }) => {
      try {
        const { status } = await fetch(search_url, {
          signal: AbortSignal.timeout(REGISTER_MS),
          redirect: 'follow',
        });
        return {
          code,
          search_url,
          reason: status === 404 || status === 410 ? `status ${status}` : undefined,
        };
      } catch (error) {
        return { code, search_url, reason: reasonOf(error), unreached: true };
      }
    }),
  );
  // A machine that may reach none of them says nothing about the registers.
  if (registers.length > 0 && answers.every(({ unreached }) => unreached))
    return [
      warning(
        'No public register could be reached from this machine, so that their addresses were not checked.',
        'Let it open https addresses, or check the list of registers by hand.',
      ),
    ];
  return answers
    .filter(({ reason }) => reason !== undefined)
    .map(({ code, search_url, reason }) =>
      warning(
        `The register ${code} cannot be opened at ${search_url} (${reason}).`,
        'Look up its new address, and correct it among the registers.',
      ),
    );
}
