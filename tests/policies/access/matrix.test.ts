import { expect, inject, it } from 'vitest';
import { onFailureKeep } from '../../runner/evidence.ts';
import { TEST_TIMEOUT_MS } from '../../timeouts.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';
import { type Attempt, attemptsOn } from './attempts.ts';
import { createScene } from './scene.ts';

const world = openDatabase();
const { as, attempt, owner } = world;

const actors = {
  visitor: 'visitor',
  author: 'author',
  colleague: 'colleague',
  moderator: 'moderator',
  admin: 'admin',
  // Their session is from the time before; the role was taken a moment ago.
  moderator2: 'former moderator',
  service: 'service key',
} as const satisfies Partial<Record<Actor, string>>;
const typedKeys = <Key extends string>(object: Record<Key, unknown>) => Object.keys(object) as Key[];
const names = typedKeys(actors);

interface Relation {
  name: string;
  columns: string[];
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Rules to take away, each with its relation, for scripts/mutants.ts. */
    mutations?: { sql: string; about: string }[];
  }
  interface TaskMeta {
    missed?: string[];
  }
}

const preface = `# Who can do what to which row

Tried by \`matrix.test.ts\` on a real database: every verb on every relation of the API as every actor. The author
owns the rows unless their name says otherwise; the former moderator's role was taken a moment ago, their session
is from before. A change to a policy, grant or trigger that changes an answer changes this file: run
\`npm test -- policies/access --update\`, and read the difference as a reviewer
would. A new relation needs rows in \`scene.ts\` and what is tried on them in \`attempts.ts\`.

A member's deletion of a message reaches no row, since the other side keeps it: \`messages.test.ts\` shows what it does.

`;

/** Refused whatever the row: no right to it, or a view that takes no writes. */
const isForbidden = (outcome: unknown) =>
  outcome instanceof Error &&
  /^(permission denied for (table|view|schema)|cannot (insert into|update|delete from) view)/.test(
    outcome.message,
  );

const groups = { visitor: 'visitors', colleague: 'members', service: 'service key' } as const;

/** Those of these columns that each group has the right to use in the statement. */
async function grantedColumns(columns: string[], statement: (column: string) => string) {
  const granted: Record<keyof typeof groups, string[]> = { visitor: [], colleague: [], service: [] };
  const privileges: string[] = [];
  for (const group of typedKeys(groups)) {
    for (const column of columns)
      if (!isForbidden(await attempt(group, statement(column)))) granted[group].push(column);
    const some = granted[group];
    privileges.push(`${groups[group]} ${some.length === columns.length ? 'all' : some.join(', ') || 'none'}`);
  }
  return {
    members: granted.colleague,
    line: columns.length === 0 ? 'columns not ours to grant' : `columns: ${privileges.join('; ')}`,
  };
}

/** What each actor gets: actors with the same answer share a line. */
async function sharedLines(verb: string, ask: (actor: Actor) => Promise<string>): Promise<string[]> {
  const answers = new Map<string, string[]>();
  for (const actor of names) {
    const answer = await ask(actor);
    answers.set(answer, [...(answers.get(answer) ?? []), actors[actor]]);
  }
  return [...answers].map(([answer, who]) => `  - ${verb} by ${who.join(', ')}: ${answer}`);
}

/** The rows that each actor reaches. */
const linesOf = (verb: string, things: Record<string, string>) =>
  sharedLines(verb, async (actor) => {
    const reached: string[] = [];
    for (const [thing, statement] of Object.entries(things)) {
      const outcome = await attempt(actor, statement);
      if (typeof outcome === 'number' ? outcome > 0 : outcome.code === '23505') reached.push(thing);
    }
    const all = reached.length > 0 && reached.length === Object.keys(things).length;
    return all ? 'all' : reached.join('; ') || 'none';
  });

/** The number of rows that a statement without a condition reaches, whose rows the rules for reading do not narrow down. */
const unfilteredLines = (verb: string, statement: string) =>
  sharedLines(`${verb} without a condition`, async (actor) => {
    const outcome = await attempt(actor, statement);
    return typeof outcome === 'number' ? `${outcome}` : 'none';
  });

async function accessTo({ name, columns }: Relation, trial: Attempt): Promise<string> {
  const onRows = (statement: (condition: string) => string) =>
    Object.fromEntries(Object.entries(trial.rows).map(([row, condition]) => [row, statement(condition)]));
  const readable = await grantedColumns(columns, (column) => `select ${column} from ${name} limit 0`);
  const givable = await grantedColumns(
    columns,
    (column) => `insert into ${name} (${column}) values (default)`,
  );
  const writable = await grantedColumns(
    columns,
    (column) => `update ${name} set ${column} = default where false`,
  );
  const clearers: string[] = [];
  for (const group of typedKeys(groups))
    if (!isForbidden(await attempt(group, `delete from ${name} where false`))) clearers.push(groups[group]);
  const itself = (writable.members.length > 0 ? writable.members : columns.slice(0, 1)).map(
    (c) => `${c} = ${c}`,
  );
  const changes = trial.changes ?? { '': itself.join(', ') };

  const lines = [
    `## ${name}`,
    '',
    `Rows tried: ${Object.keys(trial.rows).join('; ')}.`,
    '',
    `- select, ${readable.line}`,
    ...(await linesOf(
      'select',
      onRows((condition) => `select from ${name} where ${condition}`),
    )),
    `- insert, ${givable.line}`,
    ...(await linesOf('insert', trial.inserts ?? {})),
    `- update, ${writable.line}`,
  ];
  for (const [change, assignments] of Object.entries(changes))
    lines.push(
      ...(await linesOf(
        change ? `update ${change},` : 'update',
        onRows((condition) => `update ${name} set ${assignments} where ${condition}`),
      )),
    );
  lines.push(
    `- delete, granted to ${clearers.join(' and ') || 'nobody'}`,
    ...(await linesOf(
      'delete',
      onRows((condition) => `delete from ${name} where ${condition}`),
    )),
  );
  if (clearers.some((who) => who !== groups.service))
    lines.push(...(await unfilteredLines('delete', `delete from ${name}`)));
  if (writable.members.length > 0 && trial.everywhere)
    lines.push(...(await unfilteredLines('update', `update ${name} set ${trial.everywhere}`)));
  return lines.join('\n');
}

/** Sets the scene and returns the attempts on each relation. */
async function openTrials(): Promise<{ relation: Relation; trial: Attempt }[]> {
  const relations = await owner<Relation & { name: string }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p', 'm', 'f')
     group by 1`,
  );
  // Storage's own table, whose columns are not the product's to grant.
  relations.push({ name: 'storage.objects', columns: [] });
  relations.sort((one, other) => (one.name < other.name ? -1 : 1));
  await owner('delete from user_roles where user_id = $1', [people.moderator2]);
  const trials = attemptsOn(await createScene(world));
  expect(Object.keys(trials).sort(), 'the relations of tests/policies/access/attempts.ts').toEqual(
    relations.map((relation) => relation.name),
  );
  // A view may hide its rows from the database's owner, who has no role on the site.
  const sees = async (sql: string) =>
    (await owner(sql)).length > 0 || (await as('admin', sql)).rows.length > 0;
  for (const [relation, trial] of Object.entries(trials))
    for (const [row, condition] of Object.entries(trial.rows))
      expect(await sees(`select from ${relation} where ${condition}`), `${relation} has ${row}`).toBe(true);
  await owner('savepoint attempt');
  return relations.flatMap((relation) => {
    const trial = trials[relation.name];
    return trial ? [{ relation, trial }] : [];
  });
}

it('every relation, tried with every verb as every actor, answers as the matrix says', async () => {
  const sections: string[] = [];
  for (const { relation, trial } of await openTrials()) sections.push(await accessTo(relation, trial));
  const matrix = `${preface}${sections.join('\n\n')}\n`;
  onFailureKeep(async () => ({ 'access-matrix.md': matrix }));
  await expect(matrix).toMatchFileSnapshot('access-matrix.md');
});

const mutations = inject('mutations');
if (mutations)
  it('the matrix notices the loss of a rule', { timeout: 7 * TEST_TIMEOUT_MS }, async ({ task }) => {
    const missed: string[] = [];
    for (const { relation, trial } of await openTrials()) {
      const before = await accessTo(relation, trial);
      for (const { sql, about } of mutations) {
        if (about !== relation.name) continue;
        await owner('rollback to savepoint attempt');
        await owner(`${sql}; savepoint attempt`);
        if ((await accessTo(relation, trial)) === before) missed.push(sql);
        await owner(
          'rollback to savepoint attempt; release savepoint attempt; rollback to savepoint attempt',
        );
      }
    }
    task.meta.missed = missed;
  });
