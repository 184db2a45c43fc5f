import type pg from 'pg';
import { openDatabase, reindexSolutions } from './database.ts';

// The time of one call of browse, with a handful of solutions and with very many.
const MANY = Number(process.env.N ?? 1_000_000);
const RUNS = Number(process.env.ROUNDS ?? 40);
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

async function fill(client: pg.Client, solutions: number): Promise<void> {
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
  console.log(`  written after ${(performance.now() / 1000).toFixed(0)} s`);
  await client.query('set session_replication_role = default');
  await reindexSolutions(client);
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

const two = { filters: ['Transtibial (Below Knee)', 'Carbon Fiber'] };
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
  ['two filters, with total and all counts', two],
  ['two filters, popular', { ...two, sort: 'popular' }],
  [
    'match any, four filters in two groups',
    { filters: [...two.filters, 'Partial Foot', 'Silicone'], match: 'any' },
  ],
  ...searches.map((search): [string, Call] => [`search: ${search}`, { search }]),
  ['search: common part of words (ne)', { search: 'ne' }],
  ['search: common part of words (ket)', { search: 'ket' }],
  [`search: rare word (${rare})`, { search: rare }],
  [`search: two rare words`, { search: `${rare} ${word(7000)}` }],
  ['search: eight short parts', { search: 'so ne an ho ca re le te' }],
  ['search: nothing matches', { search: 'zzqqxx' }],
  ['search: misspelt (transtibal)', { search: 'transtibal' }],
  ['search: synonym (bk)', { search: 'bk' }],
  ['search and two filters', { search: 'liner', ...two }],
];

async function clock(run: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  for (let round = -3; round < RUNS; round++) {
    const start = performance.now();
    await run();
    if (round >= 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) =>
    times[Math.min(Math.floor(times.length * part), times.length - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

/** The cursor of a page some way into the list, made as the function makes it. */
async function deepCursor(client: pg.Client, solutions: number): Promise<string> {
  const { rows } = await client.query(
    "select concat_ws('~', created_at, id, likes_count, 0) as cursor from public.solutions order by created_at desc, id desc offset $1 limit 1",
    [Math.floor(solutions / 2)],
  );
  return rows[0].cursor;
}

async function measure(solutions: number) {
  const database = await openDatabase(0);
  try {
    const startedAt = performance.now();
    await fill(database.client, solutions);
    console.log(
      `${solutions.toLocaleString('en-GB')} solutions in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
    );
    const cursor = await deepCursor(database.client, solutions);
    await database.client.query('set role anon');
    const results = new Map<string, { p50: number; p95: number; total?: number }>();
    for (const [name, call] of [...calls, ['deep page', { cursor }] as [string, Call]]) {
      const { total } = await browse(database.client, call);
      results.set(name, { ...(await clock(() => browse(database.client, call))), total });
    }
    for (const typed of ['s', 'soc', 'carbon li', 'transtibal'])
      results.set(
        `suggestions for "${typed}"`,
        await clock(() =>
          database.client.query({
            name: 'suggest',
            text: 'select public.suggest_searches($1)',
            values: [typed],
          }),
        ),
      );
    await database.client.query('reset role');
    results.set(
      'naive: GROUP BY of one level, for comparison',
      await clock(() =>
        database.client.query(
          "select v, count(*) from public.solutions, unnest(facets) v where status = 'approved' and facets @> '{Transtibial (Below Knee)}' group by v",
        ),
      ),
    );
    const { rows } = await database.client.query(
      "select pg_size_pretty(pg_total_relation_size('private.word_sets') + pg_total_relation_size('private.facet_sets') + pg_total_relation_size('private.search_words')) as sets, pg_size_pretty(pg_table_size('public.solutions')) as solutions",
    );
    console.log(`  sets and words ${rows[0].sets}, beside ${rows[0].solutions} of solutions`);
    return results;
  } finally {
    await database.stop();
  }
}

const few = await measure(FEW);
const many = await measure(MANY);
console.log(`\nms${' '.repeat(48)}1k p50    p95 |  ${MANY / 1000}k p50     p95   ratio   found`);
const column = (value: number, width: number) => value.toFixed(1).padStart(width);
for (const [name, big] of many) {
  const small = few.get(name);
  if (!small) continue;
  console.log(
    `${name.padEnd(48)}${column(small.p50, 8)}${column(small.p95, 7)} |${column(big.p50, 9)}${column(big.p95, 8)}${column(big.p50 / small.p50, 7)}x  ${big.total?.toLocaleString('en-GB') ?? ''}`,
  );
}
