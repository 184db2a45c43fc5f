import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { compare as bcryptCompare, hash } from '@node-rs/bcrypt';
import { runningInstance } from '../server/running-instance.mjs';
import { openDatabase } from './parts/database.ts';
import { compare } from './parts/runner.ts';
import { processorSeconds, startSite } from './parts/start.ts';

// Sign-ins with a password beside the same number of bcrypt's comparisons in a program that does nothing else,
// each alone and while visitors look at pages of the site at a steady rate. The readers keep to their rate, so
// that all four share the machine with the same load.
const SECONDS = Number(process.env.SECONDS ?? 5);
const AT_ONCE = 8;
/** The pages asked for in a second: those that are kept, and those that are made for their request. */
const KEPT = Number(process.env.KEPT ?? 50);
const MADE = Number(process.env.MADE ?? 5);
const PASSWORD = 'a password of the benchmark';

/** Does the work this many at once for the time of a round; how often a second it was done. */
async function rate(work: (number: number) => Promise<void>): Promise<number> {
  let done = 0;
  const startedAt = performance.now();
  const end = startedAt + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < end) await work(done++);
    }),
  );
  return (done * 1000) / (performance.now() - startedAt);
}

async function comparing(): Promise<void> {
  const stored = await hash(PASSWORD, { cost: 10 });
  process.on('message', async () => {
    process.send?.(
      await rate(async () => {
        await bcryptCompare(PASSWORD, stored);
      }),
    );
  });
  process.send?.('ready');
}

async function measure(): Promise<void> {
  const database = await openDatabase(1000);
  // Each reader and each member has an address of their own.
  const site = await startSite(database.dataDir, { DATABASE_URL: database.url, TRUST_PROXY: 'true' });
  const bare = fork(import.meta.filename, ['comparing']);
  await once(bare, 'message');
  const anonKey = runningInstance(database.dataDir)?.anonKey ?? '';
  await database.client.query(
    'update auth.users set encrypted_password = $1, email_confirmed_at = now() where email like $2',
    [await hash(PASSWORD, { cost: 10 }), 'bench%'],
  );
  let visits = 0;
  const browsed: number[] = [];
  const visit = async (path: string) => {
    const startedAt = performance.now();
    const response = await fetch(site.url + path, {
      headers: { 'x-forwarded-for': `198.51.100.${visits % 250}` },
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    browsed.push(performance.now() - startedAt);
  };
  const whileBrowsed = async (work: () => Promise<number>) => {
    const failures: unknown[] = [];
    const each = (perSecond: number, path: () => string) =>
      setInterval(() => visit(path()).catch((error) => failures.push(error)), 1000 / perSecond);
    const readers = [
      each(KEPT, () => (visits++ % 2 === 0 ? '/' : '/browse')),
      each(MADE, () => `/browse?visit=${visits++}`),
    ];
    const figure = await work();
    for (const reader of readers) clearInterval(reader);
    if (failures.length > 0) throw failures[0];
    return figure;
  };
  const compared = async () => {
    bare.send('go');
    const [figure] = (await once(bare, 'message')) as [number];
    return figure;
  };
  /** Milliseconds of a process's processor time for each time that it did its work. */
  const cost = async (worker: ChildProcess, work: () => Promise<number>) => {
    const [before, startedAt] = [processorSeconds(worker), performance.now()];
    const times = ((await work()) * (performance.now() - startedAt)) / 1000;
    return ((processorSeconds(worker) - before) * 1000) / times;
  };
  let people = 0;
  const signedIn = () =>
    rate(async () => {
      const person = people++;
      const response = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: {
          apikey: anonKey,
          'content-type': 'application/json',
          'x-forwarded-for': `203.0.113.${person % 50}`,
        },
        body: JSON.stringify({ email: `bench${(person % 50) + 1}@example.org`, password: PASSWORD }),
      });
      const answer = await response.text();
      if (!response.ok) throw new Error(answer);
    });
  try {
    await compare(`Sign-ins, ${AT_ONCE} at once; ${KEPT} kept and ${MADE} made pages a second`, 'a second', [
      { name: 'bcrypt alone', run: compared },
      { name: 'bcrypt alone, while the site is browsed', run: () => whileBrowsed(compared) },
      { name: 'sign-ins', run: signedIn },
      { name: 'sign-ins while the site is browsed', run: () => whileBrowsed(signedIn) },
    ]);
    const [comparison, signIn] = [await cost(bare, compared), await cost(site.child, signedIn)];
    console.log(
      `\nProcessor time: a comparison ${comparison.toFixed(1)} ms, a sign-in ${signIn.toFixed(1)} ms without the database's (${(comparison / signIn).toFixed(2)}x)`,
    );
  } finally {
    bare.kill();
    await site.stop();
    await database.stop();
  }
}

if (process.argv[2] === 'comparing') await comparing();
else await measure();
