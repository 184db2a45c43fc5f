import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { generateTypescript, sortGeneratorMetadata } from '@supabase/postgrest-typegen/generation';
import { introspect } from '@supabase/postgrest-typegen/introspection';
import pg from 'pg';
import { dark, light } from '#app/ui/tokens.ts';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { migrate } from '#backend/database/migrate.ts';
import { startPostgres } from '#backend/database/postgres.ts';
import { authEmails } from '../../supabase/emails/auth-emails.ts';
import { schemaSql } from './schema-sql.ts';

// Makes every generated file. With --check it writes nothing and names those that are stale.

const root = resolve(import.meta.dirname, '../..');

/** TypeScript types of everything the API serves, as `supabase gen types` makes them. */
const databaseTypes = async (pool: pg.Pool): Promise<string> =>
  generateTypescript(sortGeneratorMetadata(await introspect(pool, { includedSchemas: ['public'] })), {
    postgrestVersion: '14',
  });

/** The files generated from the migrations, read from a new database that has only them. */
async function migratedFiles(): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'limb-commons-'));
  // PostgreSQL may run under another account than the one that makes the folder.
  chmodSync(directory, 0o711);
  mkdirSync(join(directory, 'files'));
  const { databasePassword } = await readSecrets(directory, undefined);
  const postgres = await startPostgres(directory, databasePassword, { fsync: 'off' });
  try {
    await migrate(postgres.url, databasePassword, root);
    const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
    // A server that stops next may cut a connection that is still closing.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    try {
      return {
        'app/database.types.ts': await databaseTypes(pool),
        'supabase/schema.sql': await schemaSql(pool),
      };
    } finally {
      await pool.end();
    }
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const GENERATED = '/* Made by "npm run generate" from app/ui/tokens.ts. */\n';

function stylesheets(): Record<string, string> {
  const variables = (tokens: Record<string, string>) =>
    Object.entries(tokens)
      .map(([name, value]) => `  --${name}: ${value};\n`)
      .join('');
  const lightRule = `:root {\n  color-scheme: light;\n${variables(light)}}\n`;
  return {
    'app/ui/tokens.css': `${GENERATED}${lightRule}\n.dark {\n  color-scheme: dark;\n${variables(dark)}}\n`,
    'public/theme.css': `${GENERATED}${lightRule}\n@media (prefers-color-scheme: dark) {\n:root {\n  color-scheme: dark;\n${variables(dark)}}\n}\n`,
  };
}

const templates = Object.entries(authEmails).map(([name, text]) => [`supabase/templates/${name}.html`, text]);
const files: Record<string, string> = {
  ...(await migratedFiles()),
  ...stylesheets(),
  ...Object.fromEntries(templates),
};
const stale = Object.entries(files).filter(([path, text]) => {
  const file = join(root, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is not what its sources give; run "npm run generate".`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  for (const [path, text] of stale) writeFileSync(join(root, path), text);
  console.log(stale.length > 0 ? `Written: ${stale.map(([path]) => path).join(', ')}` : 'All is up to date.');
}
