import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '#backend/config.ts';
import { openFiles } from '#backend/files/open-files.ts';
import { makeBackup } from '#server/backup/backup.ts';
import { lastArchived } from '#server/backup/continuous/archiving.ts';
import { runningInstance } from '#server/running-instance.mjs';
import { goBack } from '#server/upgrade/back.ts';
import { otherMajor, tryConversion } from '#server/upgrade/convert.ts';
import { discard, preparedIn } from '#server/upgrade/kept-data.ts';
import { rehearse, takeRehearsalFolder } from '#server/upgrade/rehearse.ts';
import { openRelease, rehearsalIn, UpgradeError } from '#server/upgrade/release.ts';
import { install, requireSwitch } from '#server/upgrade/switch.ts';
import { commandLine, isRelease, VERSION } from '#server/version.mjs';
import { command, root } from './command.ts';
import { siteDatabase } from './site-database.ts';

const progress = (step: string) => console.error(`${step} …`);
/** The database of data that are kept, where PostgreSQL's account could not enter their folder. */
const clusterOutside = (kept: string) => {
  const cluster = realpathSync(join(kept, 'postgres'));
  return cluster.startsWith(kept) ? '' : ` and ${dirname(cluster)}`;
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
  if (!archive === !values.back || !(maxGapSeconds > 0))
    throw new UpgradeError(
      `Usage: ${commandLine('upgrade', 'ARCHIVE [--rehearse] [--gap SECONDS] | --back [--losing-changes]')}`,
    );
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
    console.log(`Version ${version} ${gap === undefined ? 'is in its place' : 'runs'} again. ${gone(gap)}`);
    if (kept)
      console.log(
        `What was written with version ${running.version} is kept in ${kept}${gap === undefined ? ' after that start' : clusterOutside(kept)} until the next upgrade, or until you remove it.`,
      );
    return;
  }
  const folder = rehearsalIn(dataDir);
  const giveBack = await takeRehearsalFolder(folder);
  try {
    progress('Unpacking');
    const release = await openRelease(resolve(archive), join(folder, 'release'), VERSION);
    progress('Copying the site as it is');
    await using database = await siteDatabase(config);
    const backup = await makeBackup(
      database.url,
      { dataDir, driver: await openFiles(config) },
      join(folder, 'site.tar'),
      undefined,
    );
    const liveUrl = runningInstance(dataDir)?.apiUrl;
    const { objections, gapSeconds, compared } = await rehearse(
      release,
      backup,
      folder,
      { liveUrl, maxGapSeconds, surroundings: process.env },
      progress,
    );
    const conversionSeconds = otherMajor(dataDir, release.folder)
      ? await tryConversion(release, database.url, dataDir, folder, process.env)
      : 0;
    const gapAll = gapSeconds + conversionSeconds;
    if (conversionSeconds > 0 && gapAll > maxGapSeconds && gapSeconds <= maxGapSeconds)
      objections.push(
        `With the copying of the database into another PostgreSQL the gap is ${gapAll} seconds, and no longer one than ${maxGapSeconds} was asked for; find a quiet hour, and allow it by --gap.`,
      );
    const looked = `${compared.tables} tables, ${compared.pages} pages and ${compared.searches} searches`;
    if (objections.length === 0) {
      console.log(
        `Go: version ${release.version} starts with this site’s data and shows the same (${looked}). Expect a gap of ${gapAll} s.`,
      );
      if (values.rehearse) return;
      progress('Handing over');
      const archived = lastArchived(dataDir);
      const isArchived = config.backup.continuous && archived?.until && !archived.problem;
      const { file, madeAt } = backup.record;
      const gap = await install(site, release, running, isArchived ? undefined : { file, madeAt });
      console.log(`Version ${release.version} is installed. ${gone(gap)}`);
    } else {
      console.log(`No-go: ${release.version} was tried on a copy, and the site is as it was.\n`);
      for (const objection of objections) console.log(`- ${objection}`);
      process.exitCode = 1;
    }
  } finally {
    await discard(preparedIn(dataDir));
    await giveBack();
  }
});
