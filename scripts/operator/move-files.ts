import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '#backend/config.ts';
import { ConfigError } from '#backend/config-project.ts';
import { moveFiles } from '#backend/files/move-files.ts';
import { runningInstance } from '#server/running-instance.mjs';
import { usageOf } from '../tasks.mjs';
import { command, root } from './command.ts';

const WHERE = { s3: 'in the bucket', disk: 'on the disk' };

await command(async () => {
  const [to] = process.argv.slice(2);
  if (to !== 's3' && to !== 'disk') throw new ConfigError(usageOf('move-files'));
  const config = readConfig(root);
  const running = runningInstance(config.dataDir);
  if (running) throw new ConfigError(`The site runs at ${running.apiUrl}; stop it first.`);
  if (!existsSync(join(config.dataDir, 'secrets.json')))
    throw new ConfigError(`There is no site in ${config.dataDir}.`);
  const { files, bytes, left } = await moveFiles(config, to, (step) => console.error(`${step} …`));
  const next =
    to === 'disk' ? 'Start the site without the S3 settings.' : 'Start the site with the same settings.';
  console.log(`${files} files, ${bytes} bytes, are ${WHERE[to]} and compared with the originals. ${next}`);
  if (left > 0) {
    console.error(
      `${left} files could not be removed from where they were; run the command again to remove them.`,
    );
    process.exitCode = 1;
  }
});
