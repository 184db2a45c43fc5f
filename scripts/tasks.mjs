// JavaScript, as scripts/run.mjs is, which any Node from 20 on runs.
import { commandLine } from '../server/version.mjs';

/**
 * The command of each task on Node 24, relative to the project.
 *
 * @type {Record<string, string[]>}
 */
export const tasks = {
  // The size of the young generation in each thread, for which the site otherwise uses up to 128 MB without saving
  // processor time.
  start: ['--max-semi-space-size=8', 'server/main.ts'],
  dev: [
    '--watch-path=./backend',
    '--watch-path=./server',
    '--watch-path=./media',
    '--watch-path=./supabase',
    '--watch-preserve-output',
    'server/main.ts',
    '--dev',
  ],
  test: ['scripts/test.ts'],
  check: ['scripts/test.ts', '--check'],
  flaky: ['scripts/flaky.ts'],
  fuzz: ['scripts/fuzz.ts'],
  scale: ['scripts/scale.ts'],
  build: ['server/build.ts'],
  status: ['scripts/operator/status.ts'],
  doctor: ['scripts/operator/doctor.ts'],
  upgrade: ['scripts/operator/upgrade.ts'],
  grant: ['scripts/operator/grant.ts'],
  settings: ['scripts/operator/settings.ts'],
  backup: ['scripts/operator/backup.ts'],
  restore: ['scripts/operator/restore.ts'],
  export: ['scripts/operator/export.ts'],
  pack: ['scripts/operator/pack.ts'],
  'move-files': ['scripts/operator/move-files.ts'],
  'rotate-keys': ['scripts/operator/rotate-keys.ts'],
  mutants: ['scripts/mutants.ts'],
  generate: ['scripts/generate/generate.ts'],
  texts: ['scripts/texts.ts'],
  bench: ['bench/bench.ts'],
  soak: ['scripts/soak.ts'],
  package: ['scripts/package/package.ts'],
  release: ['scripts/release.ts'],
  chaos: ['scripts/chaos.ts'],
};

/** Tasks for developers. The packages that only these need are not installed for the others. */
export const DEVELOPER_TASKS = [
  'test',
  'check',
  'flaky',
  'fuzz',
  'scale',
  'generate',
  'mutants',
  'texts',
  'bench',
  'soak',
  'chaos',
  'package',
  'release',
];

/** Those that a release offers: all that neither develop the site nor build it. */
export const operatorTasks = Object.keys(tasks).filter(
  (name) => ![...DEVELOPER_TASKS, 'dev', 'build'].includes(name),
);

/**
 * The words that follow a task of operators.
 *
 * @type {Record<string, string>}
 */
const WORDS = {
  doctor: '[--mail ADDRESS]',
  upgrade: 'ARCHIVE [--rehearse] [--gap SECONDS] | --back [--losing-changes]',
  grant: 'person@example.org user|moderator|admin',
  settings: '[NAME VALUE]',
  backup: '[FILE] | --base',
  restore: 'FILE|BACKUP_DIR|BACKUP_COPY [--to MOMENT] [--erased LIST]',
  export: 'FOLDER [--load | --check]',
  pack: '[FOLDER [--from NEWER | --check]]',
  'move-files': 's3|disk',
  'rotate-keys': '[--now | --revoke KEY_ID]',
};

/**
 * How a task is called, as a line.
 *
 * @param {string} task
 */
export const usageOf = (task) => `Usage: ${commandLine(task, WORDS[task])}`;
