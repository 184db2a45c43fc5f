import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { readConfig } from '#backend/config.ts';
import { openConnection } from '#backend/database/open-connection.ts';
import { runningInstance } from '#server/running-instance.mjs';
import { commandLine } from '#server/version.mjs';
import { accountOf } from './account.ts';
import { command, Refusal, root } from './command.ts';
import { runningDatabase } from './site-database.ts';

const asText = (value: string) => value;
const asFlag = (value: string) => {
  if (['on', 'off'].includes(value)) return value === 'on';
  throw new Refusal(`Write on or off, not "${value}".`);
};
const asNumber = (value: string) => {
  if (/^\d{1,4}$/.test(value)) return Number(value);
  throw new Refusal(`Write a number, not "${value}".`);
};
const asList = (value: string) => value.split(/[\s,;]+/).filter(Boolean);

/** What the site answers to a logo that it is sent. */
const answerSchema = z.union([z.object({ logoUrl: z.string() }), z.object({ message: z.string() })]);

/** Has the running site check a file and make a logo of it, as for an admin; none for no file. @returns its address there */
async function asLogo(path: string): Promise<string> {
  if (!path) return '';
  const { dataDir, localUrl } = readConfig(root);
  const key = runningInstance(dataDir)?.serviceRoleKey;
  if (!key) throw new Refusal('The site must be running on this machine to make a logo of a file.');
  const body = new FormData();
  body.set('userId', 'operator');
  try {
    body.set('file', await openAsBlob(path), basename(path));
  } catch (error) {
    throw new Refusal(`The file ${path} cannot be read.`, { cause: error });
  }
  const headers = { apikey: key, authorization: `Bearer ${key}` };
  const answer = await fetch(`${localUrl}/functions/v1/process-logo-upload`, {
    method: 'POST',
    headers,
    body,
  });
  const said = answerSchema.parse(await answer.json());
  if ('message' in said) throw new Refusal(said.message);
  return said.logoUrl;
}

/** The settings by their names here: the column, the value of a text, what is meant. */
const settings: Record<string, [column: string, read: (value: string) => unknown, meaning: string]> = {
  'site-name': ['site_name', asText, 'the name of the site'],
  'welcome-text': ['welcome_text', asText, 'a text on the home page, up to 300 characters'],
  'accent-colour': ['accent_colour', asText, 'such as #7b2d8b, whose hue the pages take'],
  logo: ['logo_url', asLogo, 'an image file, JPEG, PNG or WebP; "" removes it'],
  'sign-up': ['sign_up', asText, 'who can sign up: open, invite or closed'],
  'email-domains': [
    'email_domains',
    asList,
    'domains of the addresses that can sign up, separated by commas',
  ],
  'staff-second-step': [
    'staff_second_step',
    asFlag,
    'moderators and admins need two-step sign-in: on or off',
  ],
  'reviewed-first-posts': [
    'reviewed_first_posts',
    asNumber,
    'first posts of a new member that wait for a moderator: 0 to 10',
  ],
  'names-moderators': [
    'names_moderators',
    asFlag,
    'authors see which moderator decided: on or off; off takes the names out of earlier decisions',
  ],
  'show-points': ['show_points', asFlag, 'points and badges are shown: on or off'],
};

/** What else an operator does: the arguments, the statement, and what is said afterwards of the first argument. */
const acts: Record<string, [takes: string, sql: string, done: string]> = {
  disable: ['person@example.org', 'select private.disable_account($1, true)', 'can no longer sign in.'],
  enable: ['person@example.org', 'select private.disable_account($1, false)', 'can sign in again.'],
  'remove-second-step': [
    'person@example.org',
    'select private.forget_second_step($1)',
    'signs in without a second step now.',
  ],
  invite: ['person@example.org', 'select private.invite($1)', 'is sent an invitation.'],
  'withdraw-invitation': [
    'person@example.org',
    'select private.take_back_invitation($1)',
    'can no longer sign up by an invitation.',
  ],
  'add-register': [
    'SHORT_NAME NAME COUNTRY PROFESSIONS ADDRESS',
    'insert into public.registers (code, name, country, professions, search_url) values ($1, $2, $3, $4, $5)',
    'is offered to members now.',
  ],
  'retire-register': [
    'SHORT_NAME',
    'update public.registers set is_retired = true where code = $1 returning code',
    'is no longer offered to members.',
  ],
  'offer-register': [
    'SHORT_NAME',
    'update public.registers set is_retired = false where code = $1 returning code',
    'is offered to members again.',
  ],
  'set-authority': [
    'COUNTRY_CODE COUNTRY NAME ADDRESS',
    `insert into public.incident_authorities (code, country, name, url) values ($1, $2, $3, $4)
     on conflict (code) do update set country = excluded.country, name = excluded.name, url = excluded.url`,
    'has this authority for incidents now.',
  ],
  'remove-authority': [
    'COUNTRY_CODE',
    'delete from public.incident_authorities where code = $1 returning code',
    'has no authority for incidents now.',
  ],
};

const shown = (value: unknown) =>
  typeof value === 'boolean'
    ? value
      ? 'on'
      : 'off'
    : Array.isArray(value)
      ? value.join(', ')
      : String(value);

async function list(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Record<string, unknown>>('select * from public.site_settings');
  for (const [name, [column, , meaning]] of Object.entries(settings))
    console.log(`${name.padEnd(22)} ${shown(rows[0]?.[column]).padEnd(24)} ${meaning}`);
}

async function change(client: pg.Client, name: string, value: string): Promise<void> {
  const [column, read] = settings[name] ?? [];
  if (!column || !read)
    throw new Refusal(`There is no setting "${name}". There are ${Object.keys(settings).join(', ')}.`);
  const { rows } = await client.query<Record<string, unknown>>(
    `update public.site_settings set ${column} = $1 returning ${column}`,
    [await read(value)],
  );
  console.log(`${name} is ${shown(rows[0]?.[column]) || 'empty'} now.`);
}

async function act(client: pg.Client, name: string, values: string[]): Promise<void> {
  const [, sql = '', done = ''] = acts[name] ?? [];
  const [first = ''] = values;
  // Statements about an account name it by its id.
  const isAccount = sql.includes('_account(') || sql.includes('_second_step(');
  const { rowCount } = await client.query(sql, isAccount ? [(await accountOf(client, first)).id] : values);
  if (rowCount === 0) throw new Refusal(`There is no ${name.replace(/^.*-/, '')} ${first}.`);
  console.log(`${first} ${done}`);
}

/** The sentence of a refusal: the name of the rule that a value breaks is one. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof pg.DatabaseError && error.code === '23505')
    return error.table === 'registers'
      ? 'There is such a register already.'
      : 'Another country has the same name.';
  const rule = error instanceof pg.DatabaseError ? error.constraint : undefined;
  return `${rule ?? error.message}`.replace(/\.?$/, '.');
}

await command(async () => {
  const [name, ...values] = process.argv.slice(2);
  const takes = name === undefined ? '' : (acts[name]?.[0] ?? 'VALUE');
  if (values.length !== takes.split(' ').filter(Boolean).length)
    throw new Refusal(`Usage: ${commandLine('settings', `${name} ${takes}`)}`);
  const url = runningDatabase(readConfig(root));
  if (!url)
    throw new Refusal(
      'The site must be running (or DATABASE_URL set) for its settings to be read or changed.',
    );
  const client = new pg.Client({ connectionString: url });
  await openConnection(client);
  try {
    if (name === undefined) await list(client);
    else if (Object.hasOwn(acts, name)) await act(client, name, values);
    else await change(client, name, values[0] ?? '');
  } catch (error) {
    throw new Refusal(sentenceOf(error), { cause: error });
  } finally {
    await client.end();
  }
});
