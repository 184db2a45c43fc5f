import { openDatabase } from './database.ts';
import { compare } from './rounds.ts';
import { startContestant } from './start.ts';

// How long one client waits for small answers while another asks for expensive ones, beside a quiet server.
const SECONDS = Number(process.env.SECONDS ?? 5);
const FLOOD = 24;

const database = await openDatabase(Number(process.env.N ?? 20_000));
try {
  const { child, hello } = await startContestant('backend', database);
  const ask = async (client: string, path: string, signal?: AbortSignal) => {
    const answer = await fetch(`http://127.0.0.1:${hello.port}/rest/v1${path}`, {
      headers: { apikey: String(hello.anonKey), 'x-forwarded-for': client },
      signal: signal ?? null,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const expensive = [
    '/solutions?select=*,media:solution_media(*),author:profiles!solutions_user_id_fkey(*,solutions!solutions_user_id_fkey(*,media:solution_media(*)))&limit=1000',
    `/solutions?select=id&description=imatch.${encodeURIComponent('((((a|b|c)*d*)*e*)*f*)*(g|h|i)*z{1,99}$')}`,
    '/solutions?select=id&or=(description.ilike.*a*b*c*d*e*,title.ilike.*x*y*z*)&order=description',
  ];
  const { client } = database;
  const { rows } = await client.query('select id from public.solutions limit 1');
  const small = `/solutions?select=id,title&id=eq.${rows[0].id}`;

  /** Of a client who asks for one thing after the other, in milliseconds; the slowest of each twenty. */
  async function patienceOfTheOther(): Promise<number> {
    const times: number[] = [];
    const end = performance.now() + SECONDS * 1000;
    while (performance.now() < end) {
      const began = performance.now();
      const status = await ask('203.0.113.1', small);
      if (status !== 200) throw new Error(`The other client was answered ${status}.`);
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    return times[Math.floor(times.length * 0.95)] ?? Number.NaN;
  }

  async function flooded(): Promise<number> {
    const over = new AbortController();
    const flood = Array.from({ length: FLOOD }, async (_, number) => {
      while (!over.signal.aborted)
        await ask('203.0.113.2', expensive[number % expensive.length] ?? '', over.signal).catch(
          () => undefined,
        );
    });
    const p95 = await patienceOfTheOther();
    over.abort();
    await Promise.all(flood);
    return p95;
  }

  await compare('The 95th of 100 answers to one client', 'ms', [
    { name: 'a quiet server', run: patienceOfTheOther },
    { name: `another client with ${FLOOD} expensive questions at once`, run: flooded },
  ]);
  child.kill();
} finally {
  await database.stop();
}
