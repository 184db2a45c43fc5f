import { expect, it } from 'vitest';
import { setScene } from './access-scene.ts';
import { type Actor, openWorld } from './world.ts';

const world = openWorld();
const { attempt, owner } = world;

const actors = {
  visitor: 'visitor',
  author: 'author',
  colleague: 'colleague',
  moderator: 'moderator',
  admin: 'admin',
  // Their session is from the time before; the role was taken a moment ago.
  moderator2: 'former moderator',
} as const satisfies Partial<Record<Actor, string>>;
const names = Object.keys(actors) as (keyof typeof actors)[];

type Trials = Awaited<ReturnType<typeof setScene>>;
interface Relation {
  name: string;
  columns: string[];
}

const preface = `# Who can do what to which row

Tried by \`access-matrix.test.ts\` on a real database: every verb on every relation of the API as every actor. The author
owns the rows unless their name says otherwise; the former moderator's role was taken a moment ago, their session
is from before. A change to a policy, grant or trigger that changes an answer changes this file: run
\`npx vitest run --project policies tests/policies/access-matrix.test.ts --update\`, and read the difference as a reviewer
would. A new relation needs its rows in \`access-scene.ts\`.

`;

const isForbidden = (outcome: unknown) =>
  outcome instanceof Error && outcome.message.startsWith('permission denied for');

/** Which of these columns visitors and members have the right to use in the statement. */
async function columnsLine(verb: string, columns: string[], statement: (column: string) => string) {
  if (columns.length === 0) return `- ${verb}`;
  const granted: Record<string, string> = {};
  for (const [actor, who] of [
    ['visitor', 'visitors'],
    ['colleague', 'members'],
  ] as const) {
    const usable: string[] = [];
    for (const column of columns)
      if (!isForbidden(await attempt(actor, statement(column)))) usable.push(column);
    granted[who] = usable.length === columns.length ? 'all' : usable.join(', ') || 'none';
  }
  return granted.visitors === granted.members
    ? `- ${verb}, columns: ${granted.members}`
    : `- ${verb}, columns: visitors ${granted.visitors}; members ${granted.members}`;
}

/** Who reaches what: actors with the same answer share a line. */
async function linesOf(verb: string, things: Record<string, string>): Promise<string[]> {
  const answers = new Map<string, string[]>();
  for (const actor of names) {
    const reached: string[] = [];
    for (const [thing, statement] of Object.entries(things)) {
      const outcome = await attempt(actor, statement);
      if (typeof outcome === 'number' ? outcome > 0 : outcome.code === '23505') reached.push(thing);
    }
    const answer = reached.length === Object.keys(things).length ? 'all' : reached.join('; ') || 'none';
    answers.set(answer, [...(answers.get(answer) ?? []), actors[actor]]);
  }
  return [...answers].map(([answer, who]) => `  - ${verb} by ${who.join(', ')}: ${answer}`);
}

async function accessTo({ name, columns }: Relation, trial: Trials[string]): Promise<string> {
  const onRows = (statement: (condition: string) => string) =>
    Object.fromEntries(Object.entries(trial.rows).map(([row, condition]) => [row, statement(condition)]));
  const writable: string[] = [];
  for (const column of columns)
    if (!isForbidden(await attempt('colleague', `update ${name} set ${column} = default where false`)))
      writable.push(column);
  const changes = trial.changes ?? { '': writable.map((column) => `${column} = ${column}`).join(', ') };

  const lines = [
    `## ${name}`,
    '',
    `Rows tried: ${Object.keys(trial.rows).join('; ')}.`,
    '',
    await columnsLine('select', columns, (column) => `select ${column} from ${name} limit 0`),
    ...(await linesOf(
      'select',
      onRows((condition) => `select from ${name} where ${condition}`),
    )),
    await columnsLine('insert', columns, (column) => `insert into ${name} (${column}) values (default)`),
    ...(await linesOf('insert', trial.inserts ?? {})),
    await columnsLine('update', columns, (column) => `update ${name} set ${column} = default where false`),
  ];
  for (const [change, assignments] of Object.entries(changes))
    lines.push(
      ...(await linesOf(
        change ? `update ${change},` : 'update',
        onRows(
          (condition) =>
            `update ${name} set ${assignments || `${columns[0]} = ${columns[0]}`} where ${condition}`,
        ),
      )),
    );
  lines.push(
    '- delete',
    ...(await linesOf(
      'delete',
      onRows((condition) => `delete from ${name} where ${condition}`),
    )),
  );
  return lines.join('\n');
}

it('every relation, tried with every verb as every actor, answers as the matrix says', async () => {
  const relations = await owner<Relation & { name: string }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p', 'm', 'f')
     group by 1 order by 1`,
  );
  await owner(
    "delete from user_roles where user_id = (select id from profiles where username = 'moderator2.one')",
  );
  // Storage's own table, whose columns are not ours to grant.
  relations.push({ name: 'storage.objects', columns: [] });
  relations.sort((one, other) => (one.name < other.name ? -1 : 1));
  const trials = await setScene(world);
  expect(Object.keys(trials).sort(), 'the relations of tests/policies/access-scene.ts').toEqual(
    relations.map((relation) => relation.name),
  );
  const sections: string[] = [];
  for (const relation of relations) {
    const trial = trials[relation.name];
    if (!trial) continue;
    for (const [row, condition] of Object.entries(trial.rows)) {
      const there = await owner(`select from ${relation.name} where ${condition}`);
      expect(there, `${relation.name}: ${row}`).not.toEqual([]);
    }
    sections.push(await accessTo(relation, trial));
  }
  await expect(`${preface}${sections.join('\n\n')}\n`).toMatchFileSnapshot('access-matrix.md');
});
