import type pg from 'pg';
import { type BenchDatabase, openDatabase, reindexSolutions } from './parts/database.ts';
import { median } from './parts/runner.ts';

// The time of one call of browse among very many solutions, as a ratio to the same call among a handful.
const MANY = Number(process.env.N ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 40);
const FEW = 1000;
const BATCH = 10_000;

/** Words as frequent as in prose: the n-th word of 8,000 is met about 1/n as often as the first. */
const VOCABULARY = 8000;
const SYLLABLES =
  'so ket li ner kne an kle fo wri el bo har ca ble ho gri pin suc vac car bon lam che re lim ski pre gai'.split(
    ' ',
  );
const COMMON = [
  'socket',
  'liner',
  'knee',
  'alignment',
  'transtibial',
  'suction',
  'adapter',
  'breakdown',
  'spring',
  'hinge',
];

/** The n-th word: some of the trade spread over the ranks, syllables put together for the rest. */
function word(rank: number): string {
  const common = COMMON[Math.log2(rank / 3 + 1)];
  if (common) return common;
  let text = '';
  for (let rest = rank + 60; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    text += SYLLABLES[rest % SYLLABLES.length];
  return text;
}

async function fill({ client, url }: BenchDatabase, solutions: number): Promise<void> {
  await client.query('set session_replication_role = replica; select setseed(0.5)');
  const words = Array.from({ length: VOCABULARY }, (_, rank) => word(rank));
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const text = () =>
    Array.from({ length: 60 }, () => words[Math.floor(VOCABULARY ** random()) - 1]).join(' ');
  for (let from = 0; from < solutions; from += BATCH)
    await client.query(
      `insert into public.solutions (user_id, title, description, status, occupation, amputation_level, age_group, prosthesis_type, cost_range, materials, custom_tags, likes_count, created_at)
       select m.people[1 + n % 50], left(said, 50), said, 'approved', v.o[1 + floor(random() * 14)::int], v.a[1 + floor(random() * 6)::int],
         (array['Adults', 'Children', 'Children, Adults'])[1 + floor(random() * 3)::int], v.p[1 + floor(random() * 5)::int],
         v.c[1 + floor(random() * 3)::int],
         array(select distinct v.m[1 + floor(random() * 8)::int + n - n] from generate_series(1, 1 + n % 3)),
         array[split_part(said, ' ', 7)], floor(random() * 200), now() - (n + $2) * interval '1 minute'
       from unnest($1::text[]) with ordinality as w (said, at), lateral (select at::int) as x (n),
         (select array_agg(id order by id) as people from public.profiles) as m,
         (select private.occupations() as o, private.amputation_levels() as a, private.prosthesis_types() as p,
           private.cost_ranges() as c, private.materials() as m) as v`,
      [Array.from({ length: Math.min(BATCH, solutions - from) }, text), from],
    );
  await client.query('set session_replication_role = default');
  const ms = await timed(() => reindexSolutions(url));
  console.log(
    `Sets of ${solutions.toLocaleString('en-GB')} solutions made again in ${(ms / 1000).toFixed(1)} s`,
  );
  await client.query('vacuum analyze');
}

interface Answer {
  total: number;
  next_cursor: string | null;
}
type Call = { search?: string; filters?: string[]; match?: string; sort?: string; cursor?: string | null };

async function browse(client: pg.Client, call: Call): Promise<Answer> {
  const names = Object.keys(call);
  const { rows } = await client.query({
    name: `browse ${names.join()}`,
    text: `select public.browse_solutions(${names.map((name, at) => `${name} => $${at + 1}`).join()}) as page`,
    values: Object.values(call),
  });
  return rows[0].page;
}

const one = { filters: ['Transtibial (Below Knee)'] };
const two = { filters: [...one.filters, 'Carbon Fiber'] };
const three = { filters: [...two.filters, 'Walking'] };
const searches = [
  'socket',
  'liner',
  'knee alignment',
  'transtibial suction',
  'adapter breakdown',
  'hinge spring socket',
];
const rare = word(7400);

const calls: [string, Call][] = [
  ['newest', {}],
  ['popular', { sort: 'popular' }],
  ['tried most', { sort: 'tried' }],
  ['one filter', one],
  ['one filter, popular', { ...one, sort: 'popular' }],
  ['two filters', two],
  ['three filters', three],
  ['three filters, popular', { ...three, sort: 'popular' }],
  [
    'any of four filters in two groups',
    { filters: [...two.filters, 'Partial Foot', 'Silicone'], match: 'any' },
  ],
  ...searches.map((search): [string, Call] => [`search: ${search}`, { search }]),
  ['search: one letter (s)', { search: 's' }],
  ['search: two letters (ne)', { search: 'ne' }],
  ['search: three letters (ket)', { search: 'ket' }],
  ['search: four letters (sock)', { search: 'sock' }],
  [`search: rare word (${rare})`, { search: rare }],
  [`search: two rare words`, { search: `${rare} ${word(7000)}` }],
  ['search: eight short parts', { search: 'so ne an ho ca re le te' }],
  ['search: eight parts of four letters', { search: 'sock line knea alig tran suct adap brea' }],
  ['search: nothing matches', { search: 'zzqqxx' }],
  ['search: misspelt (transtibal)', { search: 'transtibal' }],
  ['search: synonym (bk)', { search: 'bk' }],
  ['search and two filters', { search: 'liner', ...two }],
];

/** The cursor of a page some way into the list, made as the function makes it. */
async function deepCursor(client: pg.Client, solutions: number): Promise<string> {
  const { rows } = await client.query(
    "select concat_ws('~', created_at, id, likes_count, 0) as cursor from public.solutions order by created_at desc, id desc offset $1 limit 1",
    [Math.floor(solutions / 2)],
  );
  return rows[0].cursor;
}

const suggest = (client: pg.Client, typed: string) =>
  client.query({ name: 'suggest', text: 'select public.suggest_searches($1)', values: [typed] });

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const sizes = [FEW, MANY];
const databases: BenchDatabase[] = [];
try {
  for (const solutions of sizes) {
    const database = await openDatabase(0);
    databases.push(database);
    await fill(database, solutions);
  }
  const clients = databases.map(({ client }) => client);
  const cursors = await Promise.all(clients.map((client, at) => deepCursor(client, sizes[at] ?? 0)));
  for (const client of clients) await client.query('set role anon');

  const subjects: [string, (client: pg.Client, at: number) => Promise<unknown>][] = [
    ...calls.map(([name, call]): (typeof subjects)[number] => [name, (client) => browse(client, call)]),
    ['deep page', (client, at) => browse(client, { cursor: cursors[at] })],
    ...['s', 'soc', 'carbon li', 'transtibal'].map((typed): (typeof subjects)[number] => [
      `suggestions for "${typed}"`,
      (client) => suggest(client, typed),
    ]),
  ];
  console.log(`\n${' '.repeat(48)}      1k p50   ${MANY / 1000}k p50      p95   ratio`);
  for (const [name, run] of subjects) {
    const times: number[][] = clients.map(() => []);
    for (let round = -3; round < ROUNDS; round++)
      for (const [at, client] of clients.entries()) {
        const ms = await timed(() => run(client, at));
        if (round >= 0) times[at]?.push(ms);
      }
    const [few = [], many = []] = times;
    const ratio = median(many.map((ms, round) => ms / (few[round] ?? Number.NaN)));
    const p95 =
      [...many].sort((a, b) => a - b)[Math.min(Math.floor(ROUNDS * 0.95), ROUNDS - 1)] ?? Number.NaN;
    const column = (value: number, width: number) => value.toFixed(1).padStart(width);
    console.log(
      `${name.padEnd(48)}${column(median(few), 9)} ms${column(median(many), 9)} ms${column(p95, 6)} ms${ratio.toFixed(2).padStart(8)}x`,
    );
  }
} finally {
  for (const database of databases) await database.stop();
}
