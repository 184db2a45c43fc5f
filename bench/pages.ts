import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import autocannon from 'autocannon';
import type { Database } from '#app/database.types.ts';
import { runningInstance } from '../server/running-instance.mjs';
import { openDatabase } from './parts/database.ts';
import { compare } from './parts/runner.ts';
import { processorSeconds, startSite } from './parts/start.ts';

// Pages as a browser gets them (gzip), beside the same bytes sent by a server with no other work, and pages
// made for each request beside 24 cards of bare React. Each server is a separate process.
const SECONDS = Number(process.env.SECONDS ?? 3);
const WRITES_PER_SECOND = 20;

const database = await openDatabase(1000);
// The writers have other addresses than the readers.
const site = await startSite(database.dataDir, { DATABASE_URL: database.url, TRUST_PROXY: 'true' });
const floor = fork(join(import.meta.dirname, 'parts/floor.ts'), {
  env: { ...process.env, NODE_ENV: 'production' },
});

/** Likes, comments and views at a steady rate, each by another member, while the work runs. */
async function whileWriting<T>(work: () => Promise<T>): Promise<T> {
  const client = createClient<Database>(site.url, runningInstance(database.dataDir)?.serviceRoleKey ?? '', {
    auth: { persistSession: false },
    global: { headers: { 'x-forwarded-for': '203.0.113.9' } },
  });
  const people = (await database.client.query('select id from public.profiles')).rows.map(({ id }) => id);
  const solutions = (
    await database.client.query('select id from public.solutions order by created_at desc limit 24')
  ).rows.map(({ id }) => id);
  let number = 0;
  const write = async () => {
    const solution_id = solutions[number % solutions.length];
    const user_id = people[number % people.length];
    const kind = number++ % 4;
    const { error } =
      kind === 0
        ? await client
            .from('comments')
            .insert({ solution_id, user_id, content: `Number ${number} of the load` })
        : kind === 1
          ? await client.from('page_views').insert({ page_path: '/browse' })
          : kind === 2
            ? await client
                .from('likes')
                .upsert({ solution_id, user_id }, { onConflict: 'solution_id,user_id' })
            : await client.from('likes').delete().match({ solution_id, user_id });
    if (error) throw new Error(error.message);
  };
  const failures: unknown[] = [];
  const timer = setInterval(() => write().catch((error) => failures.push(error)), 1000 / WRITES_PER_SECOND);
  const result = await work().finally(() => clearInterval(timer));
  if (failures.length > 0) throw failures[0];
  return result;
}

/** Answers a second of the server's processor time: the load keeps the other core busy, and would be its limit. */
const load = async (
  server: ChildProcess,
  url: string,
  headers: Record<string, string> = { 'accept-encoding': 'gzip' },
) => {
  const before = processorSeconds(server);
  const result = await autocannon({ url, connections: 16, duration: SECONDS, headers });
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} refusals`);
  return result.requests.total / (processorSeconds(server) - before);
};

let visits = 0;
/** Each request for an address that no other has, by another value of a parameter that the page looks for. */
async function loadUncached(path: string, parameter: string): Promise<number> {
  const before = processorSeconds(site.child);
  const result = await autocannon({
    url: site.url + path,
    connections: 16,
    duration: SECONDS,
    requests: [{ setupRequest: (request) => ({ ...request, path: `${path}?${parameter}=${visits++}` }) }],
  });
  return result.requests.total / (processorSeconds(site.child) - before);
}

try {
  const [hello] = await once(floor, 'message');
  const bare = `http://127.0.0.1:${hello.port}`;
  const [solution] = (await database.client.query('select id from public.solutions limit 1')).rows;
  for (const [title, path] of [
    ['Home', '/'],
    ['Browse', '/browse'],
    ['A solution', `/solutions/${solution.id}`],
  ] as const) {
    const text = await (await fetch(site.url + path)).text();
    floor.send({ path, text });
    await once(floor, 'message');
    await compare(`${title}, ${Math.round(text.length / 1024)} KB`, 'pages/s of processor time', [
      { name: 'the bytes, ready', run: () => load(floor, bare + path) },
      { name: 'as served', run: () => load(site.child, site.url + path) },
      {
        name: `as served, while ${WRITES_PER_SECOND} writes a second come`,
        run: () => whileWriting(() => load(site.child, site.url + path)),
      },
    ]);
  }
  for (const [title, path, parameter] of [
    ['Browse', '/browse', 'sort'],
    ['The forum', '/forum', 'after'],
    ['Evidence', '/evidence', 'level'],
  ] as const)
    await compare(`${title}, made for each request`, 'pages/s of processor time', [
      { name: '24 cards of bare React', run: () => load(floor, `${bare}/react`, {}) },
      { name: 'as made', run: () => loadUncached(path, parameter) },
    ]);
} finally {
  floor.kill();
  await site.stop();
  await database.stop();
}
