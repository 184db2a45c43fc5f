import { realpathSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '#backend/config.ts';
import { placeOf } from '#backend/database/postgres.ts';
import { lastArchived } from '#server/backup/continuous/archiving.ts';
import { recordRestore } from '#server/backup/retention.ts';
import { runningInstance } from '#server/running-instance.mjs';
import { goBack } from '#server/upgrade/back.ts';
import { otherMajor, tryConversion } from '#server/upgrade/convert.ts';
import { discard, preparedIn } from '#server/upgrade/kept-data.ts';
import { takeRehearsalFolder } from '#server/upgrade/place.ts';
import { rehearse } from '#server/upgrade/rehearse.ts';
import { openRelease, rehearsalIn, UpgradeError } from '#server/upgrade/release.ts';
import { install, requireSwitch } from '#server/upgrade/switch.ts';
import { commandLine, isRelease, VERSION } from '#server/version.mjs';
import { usageOf } from '../tasks.mjs';
import { command, root, stopBy } from './command.ts';
import { siteDatabase } from './site-database.ts';

let giveBack = async () => {};
let isHandingOver = false;
let isLeaving = false;
let endStep = () => {};
/** Ends the line of each step with the time that it took; a long one gives a sign of life each minute. */
const progress = (step: string) => {
  endStep();
  process.stderr.write(`${step} … `);
  const startedAt = performance.now();
  let minutes = 0;
  const alive = setInterval(() => process.stderr.write(`${++minutes} min … `), 60_000).unref();
  endStep = () => {
    clearInterval(alive);
    process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
    endStep = () => {};
  };
};
const list = (sentences: string[]) => sentences.map((sentence) => `\n- ${sentence}`).join('');
/** The database of data that are kept, where PostgreSQL's account could not enter their folder. */
const clusterOutside = (kept: string) => {
  const cluster = realpathSync(join(kept, 'postgres'));
  return cluster.startsWith(kept) ? '' : ` and ${placeOf(cluster)}`;
};

await command(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      rehearse: { type: 'boolean' },
      back: { type: 'boolean' },
      'losing-changes': { type: 'boolean', default: false },
      gap: { type: 'string', default: '60' },
    },
  });
  const [archive] = positionals;
  const maxGapSeconds = Number(values.gap);
  if (!archive === !values.back || !(maxGapSeconds > 0)) throw new UpgradeError(usageOf('upgrade'));
  if (!values.rehearse) requireSwitch(isRelease);
  const config = readConfig(root);
  const { dataDir } = config;
  const site = { home: process.cwd(), dataDir, address: config.localUrl };
  const running = { folder: root, version: VERSION };
  if (config.supabase)
    throw new UpgradeError(
      'Beside a Supabase project there is no data here; try the new version with a project of its own.',
    );
  const gone = (gap: number | undefined) =>
    gap === undefined
      ? 'No site runs; the next start is of that version.'
      : `For ${gap.toFixed(1)} s nothing could be written; pages were answered.`;
  if (!archive) {
    await using database = await siteDatabase(config);
    const { version, gap, kept } = await goBack(
      site,
      running,
      {
        config,
        surroundings: process.env,
        databaseUrl: database.url,
        losesChanges: values['losing-changes'],
      },
      progress,
    );
    endStep();
    console.log(`Version ${version} ${gap === undefined ? 'is in its place' : 'runs'} again. ${gone(gap)}`);
    if (kept)
      console.log(
        `What was written with version ${running.version} is kept in ${kept}${gap === undefined ? ' after that start' : clusterOutside(kept)} until the next upgrade, or until you remove it.`,
      );
    return;
  }
  const folder = rehearsalIn(dataDir);
  giveBack = await takeRehearsalFolder(folder, leave);
  stopBy(() => leave('Stopped; the site is as it was.'));
  setPriority(10);
  let verdict = '';
  try {
    progress(`Unpacking ${basename(archive)}`);
    const release = await openRelease(resolve(archive), join(folder, 'release'), VERSION);
    await using database = await siteDatabase(config);
    const live = {
      config,
      release: running,
      databaseUrl: database.url,
      address: runningInstance(dataDir) && config.localUrl,
      environment: process.env,
    };
    const found = await rehearse(live, release, folder, maxGapSeconds, progress);
    if (otherMajor(dataDir, release.folder) && found.objections.length === 0) {
      progress('Copying the database into the other PostgreSQL');
      found.gapSeconds += await tryConversion(release, database.url, dataDir, folder, process.env);
      if (found.gapSeconds > maxGapSeconds)
        found.objections.push(
          `With the copying of the database into another PostgreSQL the gap is ${found.gapSeconds} seconds, and no longer one than ${maxGapSeconds} was asked for; find a quiet hour, and allow it by --gap.`,
        );
    }
    const looked = `${found.tables} tables, ${found.pages} pages and ${found.searches} searches`;
    if (found.provesArchive && config.backup.directory)
      await recordRestore(config.backup.directory).catch(() => undefined);
    if (found.objections.length > 0) {
      verdict = `No-go: version ${release.version} was tried on a copy, and the site is as it was.\n${list(found.objections)}`;
      process.exitCode = 1;
      return;
    }
    verdict = `Go: version ${release.version} starts with this site’s data and shows the same (${looked}). Expect a gap of ${found.gapSeconds} s.${list(found.remarks)}`;
    if (values.rehearse) return;
    progress('Handing over');
    isHandingOver = true;
    const archived = lastArchived(dataDir);
    const isArchived = config.backup.continuous && archived?.until && !archived.problem;
    const gap = await install(site, release, running, isArchived ? undefined : found.backup);
    verdict += `\nVersion ${release.version} is installed. ${gone(gap)}`;
  } finally {
    progress('Removing the copy');
    await discard(preparedIn(dataDir));
    await giveBack();
    endStep();
    if (verdict) console.log(verdict);
  }
});

/** Ends in the middle of a rehearsal, of which nothing is left. The site hands over by itself. */
async function leave(sentence: string): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  endStep();
  console.error(
    isHandingOver ? `The site hands over; "${commandLine('status')}" says which version runs.` : sentence,
  );
  await giveBack();
  process.exit(1);
}
