import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '#backend/config.ts';
import { ConfigError, OWN_SETTINGS } from '#backend/config-project.ts';
import { findAtAddress } from '#server/doctor/address.ts';
import { findInBackups, findInClock, findInDatabase, findInStore, findOnDisk } from '#server/doctor/data.ts';
import { type Finding, problem, reasonOf } from '#server/doctor/finding.ts';
import { findInMail } from '#server/doctor/mail.ts';
import { findInSettings } from '#server/doctor/settings.ts';
import { runningInstance } from '#server/running-instance.mjs';
import { commandLine, VERSION } from '#server/version.mjs';
import { command, root } from './command.ts';
import { runningDatabase } from './site-database.ts';

// What an operator should know and mend, on one page. The exit status is 2 with a problem, 1 with a warning and else 0, as
// monitoring expects it of a check.

await command(async () => {
  const { values } = parseArgs({ options: { mail: { type: 'string' } } });
  const findings: Finding[] = [];
  try {
    const config = readConfig(root);
    const project = readdirSync(join(config.root, 'supabase'))
      .filter((name) => name.endsWith('.toml'))
      .map((name) => join(config.root, 'supabase', name))
      .concat(existsSync(OWN_SETTINGS) ? OWN_SETTINGS : [])
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const instance = runningInstance(config.dataDir);
    const databaseUrl = runningDatabase(config);
    findings.push(
      ...findInSettings(config, resolve('.env'), project),
      ...findOnDisk(config),
      ...findInClock(),
    );
    if (!instance)
      findings.push(
        problem(
          `No site runs on ${config.dataDir}, so that its address and database were not looked at.`,
          `Start it (${commandLine('start')}) and ask again.`,
        ),
      );
    const others = await Promise.all([
      findInMail(config, values.mail),
      findInStore(config),
      findInBackups(config),
      instance ? findAtAddress(config, instance) : [],
      databaseUrl
        ? findInDatabase(databaseUrl).catch((error: unknown) => [
            problem(
              `The database cannot be read: ${reasonOf(error)}.`,
              'Look into postgres.log in the data folder.',
            ),
          ])
        : [],
    ]);
    findings.push(...others.flat());
    console.log(`Version ${VERSION}, ${config.siteUrl}\n`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    findings.push(
      ...error.message
        .split('\n')
        .map((line) => problem(`${line}.`, 'Correct it in the settings; the site does not start before.')),
    );
  }
  const problems = findings.filter(({ level }) => level === 'problem');
  const warnings = findings.filter(({ level }) => level === 'warning');
  const notes = findings.filter(({ level }) => level === 'note');
  for (const { level, says, advice } of [...problems, ...warnings, ...notes])
    console.log(`${level.toUpperCase()}  ${says}\n         ${advice}\n`);
  const count = (list: Finding[], name: string) => `${list.length} ${name}${list.length === 1 ? '' : 's'}`;
  console.log(
    problems.length + warnings.length === 0
      ? 'All is well.'
      : `${count(problems, 'problem')}, ${count(warnings, 'warning')}.`,
  );
  process.exitCode = problems.length > 0 ? 2 : warnings.length > 0 ? 1 : 0;
});
