import { accessSync, chmodSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PRODUCT_NAME } from '#app/site.ts';
import { type Config, readConfig } from '#backend/config.ts';
import { ConfigError } from '#backend/config-project.ts';
import { openFiles } from '#backend/files/open-files.ts';
import type { Handler } from '#backend/http/http-server.ts';
import { createLog } from '#backend/log.ts';
import { type Backend, connectSupabase, startBackend } from '#backend/start.ts';
import { archiveContinuously } from './backup/continuous/archiving.ts';
import { archiveSettings } from './backup/continuous/log-archive.ts';
import { copyOffsite } from './backup/offsite.ts';
import { UNFINISHED_MARKER } from './backup/restore.ts';
import { scheduleBackups } from './backup/schedule.ts';
import { prepareDemoContent } from './demo-content.ts';
import { createMailbox } from './dev-mailbox.ts';
import { scheduleFieldPack } from './field-pack.ts';
import { createHealth } from './health/routes.ts';
import { CAN_HAND_OVER, listen } from './listen.ts';
import { startRenderThreads } from './pages/renderers.ts';
import { announceInstance, forgetInstance, runningInstance } from './running-instance.mjs';
import { createSite, type Site } from './site.ts';
import { StartedParts } from './started-parts.ts';
import { noteHandOver } from './upgrade/before.ts';
import { convertDatabase } from './upgrade/convert.ts';
import { discardOld, passOnDeletions, settleData, takeOwnData } from './upgrade/kept-data.ts';
import { isRelease, VERSION } from './version.mjs';

const root = resolve(import.meta.dirname, '..');
/** The environment as this process received it; for programs that are started with the same settings. */
// biome-ignore lint/style/noProcessEnv: the backup that it starts gets all of it
const environment = { ...process.env };
const dev = process.argv.includes('--dev');
/** Whether this process takes over from one that has stopped its database and still answers with the pages it keeps. */
const takesOver = process.argv.includes('--take-over');
/** The time that stopping may take after a fault, which may have broken parts that have to be stopped. */
const FAULT_STOP_MS = 30_000;
/** The time for which requests may still run when the site stops. */
const CLOSE_MS = 8_000;
/** A turn in which nothing is done takes less. */
const QUIET_MS = 1;
const MAX_TURNS = 500;
const DAY_MS = 86_400_000;

/** Reports why the site cannot start: in one sentence when it was written for the operator, else in full. */
function printError(error: unknown): void {
  if (error instanceof ConfigError) console.error(`Configuration: ${error.message}`);
  else console.error(error instanceof Error && error.constructor === Error ? error.message : error);
}

function progress(step: string) {
  console.error(`${step} …`);
}

function prepareDataDirectory(dataDir: string) {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
    // Root may write where the check denies it, and the other way round on a read-only file system.
    const probe = join(dataDir, '.writable');
    writeFileSync(probe, '');
    rmSync(probe);
    // What members entrust to the site is for its own account alone, whatever writes it there.
    for (const folder of ['files', 'incoming', 'mail', 'field-pack']) {
      mkdirSync(join(dataDir, folder), { recursive: true });
      chmodSync(join(dataDir, folder), 0o700);
    }
  } catch (cause) {
    throw new Error(`The data folder ${dataDir} cannot be written to; set DATA_DIR to one that can.`, {
      cause,
    });
  }
  if (existsSync(join(dataDir, UNFINISHED_MARKER)))
    throw new Error(`A restore into ${dataDir} was cut off; empty the folder and restore again.`);
}

/** Builds the site of a clone. An archive holds it built, without the packages that this needs. */
async function build(signal: AbortSignal) {
  if (!isRelease) await (await import('./build.ts')).buildSite(progress, signal);
}

/** Brings the database of the release that ran before to this one, or the one that this one had back to it. */
async function prepareDatabase({ dataDir, databaseUrl }: Config) {
  if (databaseUrl) return;
  await takeOwnData(dataDir, VERSION);
  if (isRelease) await convertDatabase(dataDir, process.cwd(), root, environment, progress);
}

/**
 * Waits for a turn in which nothing was done, so that every connection is accepted by then that has been made: the system resets those
 * that are left when the server closes.
 */
async function quietTurn() {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const began = performance.now();
    await nextTurn();
    if (performance.now() - began < QUIET_MS) return;
  }
}

async function main() {
  const config = readConfig(root);
  prepareDataDirectory(config.dataDir);
  const log = createLog(config.logLevel);
  const before = runningInstance(config.dataDir);
  if (before)
    throw new Error(
      `The site already runs on ${config.dataDir}, at ${before.apiUrl}; stop that one first, or set DATA_DIR and PORT.`,
    );
  const { server, open, leave: turnAway } = await listen(config, log, takesOver);

  /** What stands on what; the archive takes the log of a database that has stopped, and copies elsewhere what it took. */
  const parts = new StartedParts([
    'port',
    'instance',
    'offsite copies',
    'archive',
    'database',
    'backups',
    'answers',
    'live changes',
    'demo content',
    'field pack',
    'uptime',
    'old data',
    'build',
  ]);
  /** Waits for the process that takes over, which may use the database from then on. */
  let handOver: (() => Promise<void>) | undefined;
  const building = new AbortController();
  // The threads load the site while the database starts.
  const rendering = dev
    ? undefined
    : build(building.signal).then(() => startRenderThreads({ root, logLevel: config.logLevel }, log));
  // A failed build is reported where its pages are needed.
  const rendered = rendering?.catch(() => undefined);
  let site: Site | undefined;
  const close = async () => {
    await quietTurn();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), CLOSE_MS).unref();
    await closed;
    await (await rendered)?.destroy();
  };
  await parts.start('build', () => async () => {
    building.abort();
    await rendered;
  });
  await parts.start('answers', () => async () => {
    if (!handOver) return close();
    await turnAway();
    site?.rest();
    // A page that is looked at again cannot reach the database, which is no fault.
    log.level = 'fatal';
  });
  await parts.start('port', () => async () => {
    if (!handOver) return;
    await handOver();
    await close();
  });
  const stop = async () => {
    if (!parts.areStopping) progress(handOver ? 'Handing over' : 'Stopping');
    await parts.stop().catch((error) => {
      printError(error);
      process.exitCode = 1;
    });
    process.exit();
  };
  const beginHandOver = () => {
    if (parts.areStopping) return;
    handOver = async () => {
      process.send?.('hand over');
      await new Promise<void>((left) => {
        process.on('message', (message) => message === 'leave' && left());
        for (const reason of reasons) process.on(reason, () => left());
      });
    };
    void stop();
  };
  // An uncaught error may have left work half-way, so the process does not continue.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'an error that nothing foresaw: the site stops');
    process.exitCode = 1;
    setTimeout(() => process.exit(), FAULT_STOP_MS);
    void stop();
  });
  // The last is that the parent process has ended, and with it the one that would send a signal.
  const reasons = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const;
  // What has only begun to start is not stopped in order; the next start continues.
  const leave = () => {
    building.abort();
    process.exit(1);
  };
  for (const reason of reasons) process.on(reason, leave);
  try {
    let backend: Backend | undefined;
    await parts.start('database', async () => {
      const started = config.supabase
        ? connectSupabase(config, config.supabase, log)
        : await prepareDatabase(config).then(() =>
            startBackend(config, log, () => archiveSettings(config), progress),
          );
      backend = started;
      return async () => {
        if (handOver && started.databaseUrl && !config.databaseUrl)
          await passOnDeletions(config.dataDir, VERSION, started.databaseUrl).catch(printError);
        await started.stop();
        if (handOver) noteHandOver(process.cwd(), VERSION);
      };
    });
    for (const reason of reasons) process.off(reason, leave).on(reason, stop);
    if (backend) await serve(backend);
  } catch (error) {
    // The site was stopped while it started; the next start continues.
    if (parts.areStopping) return;
    progress('Stopping');
    // The reason comes last, where an operator looks for it.
    await parts.stop().finally(() => printError(error));
    process.exit(1);
  }

  async function serve(backend: Backend): Promise<void> {
    await parts.start('live changes', () => () => backend.sockets?.close());
    const addDemoContent = await prepareDemoContent(root, config, backend, progress);
    const health = createHealth(
      config,
      backend,
      log,
      () => parts.areStopping,
      () => site?.load(),
    );
    const mailbox = createMailbox(config, backend.settled);
    let pages: Handler;
    let hasHome: (() => Promise<boolean>) | undefined;
    const threads = await rendering;
    if (!threads) {
      const { createDevSite } = await import('./dev.ts');
      pages = await createDevSite(root, backend, config, log, server);
    } else {
      const opened = await createSite(threads, backend, config, health.recordReadyPage);
      site = opened;
      pages = opened.answer;
      hasHome = async () => (await opened.answer(new Request(config.siteUrl))).ok;
    }
    if (backend.databaseUrl && !config.databaseUrl) await settleData(config.dataDir, backend.databaseUrl);
    await open(
      {
        services: (request, bindings) => backend.app.fetch(request, bindings),
        health: (request, bindings) => health.app.fetch(request, bindings),
        mailbox: mailbox && ((request, bindings) => mailbox.fetch(request, bindings)),
        pages,
        readyPages: site?.answerReady,
        // In development Vite listens on the same server for its own websockets.
        upgrade: (request, socket, head) => backend.sockets?.upgrade(request, socket, head) || dev,
        held: backend.held,
      },
      health.measured,
    );
    await parts.start('instance', () => {
      announceInstance(config.dataDir, {
        pid: process.pid,
        apiUrl: config.siteUrl,
        databaseUrl: backend.databaseUrl,
        mailUrl: config.smtpUrl ? undefined : `${config.siteUrl}/mail`,
        anonKey: backend.keys.anonKey,
        serviceRoleKey: backend.keys.serviceRoleKey,
      });
      return () => forgetInstance(config.dataDir);
    });
    process.send?.('ready');
    if (CAN_HAND_OVER && process.send) process.on('SIGUSR2', beginHandOver);
    // Visitors are answered in the meantime.
    await parts.start('demo content', async () => {
      await addDemoContent(building.signal);
      return undefined;
    });
    // This project has the function that records uptime; another one may lack it.
    const isHome = hasHome;
    if (isHome && config.root === root) await parts.start('uptime', () => health.start(isHome));
    // The page of a pack is there once the site is built.
    if (!dev)
      await parts.start('field pack', () =>
        scheduleFieldPack(
          config,
          {
            apiUrl: backend.apiUrl || config.siteUrl,
            serviceRoleKey: backend.keys.serviceRoleKey,
            fetch: backend.fetch,
          },
          { program: join(root, 'scripts/operator/pack.ts'), environment },
          log,
        ),
      );
    const { databaseUrl } = backend;
    if (databaseUrl) {
      const { dataDir } = config;
      await parts.start('archive', async () =>
        archiveContinuously(config, { dataDir, driver: await openFiles(config) }, databaseUrl, log),
      );
      await parts.start('offsite copies', () => copyOffsite(config, log));
      await parts.start('backups', () =>
        scheduleBackups(
          config,
          databaseUrl,
          { program: join(root, 'scripts/operator/backup.ts'), environment },
          log,
        ),
      );
    }
    await parts.start('old data', async () => {
      const discard = () =>
        discardOld(config.dataDir, process.cwd()).catch((error) =>
          log.error({ err: error }, 'data of an earlier version could not be removed'),
        );
      const timer = setInterval(discard, DAY_MS).unref();
      await discard();
      return () => clearInterval(timer);
    });
    if (!config.smtpUrl)
      console.log(
        `\nEmail${config.supabase ? ' of the site, such as notifications,' : ''} is kept instead of sent; read it at ${config.siteUrl}/mail`,
      );
    log.info({ version: VERSION, address: config.siteUrl }, 'the site is ready');
    console.log(`\n${PRODUCT_NAME} is ready: ${config.siteUrl}`);
  }
}

await main().catch((error) => {
  printError(error);
  process.exit(1);
});
