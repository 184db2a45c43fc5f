import autocannon from 'autocannon';
import { SignJWT } from 'jose';
import pg from 'pg';
import { Database } from '#backend/database/database.ts';
import { openDatabase } from './parts/database.ts';
import { compare, type Subject } from './parts/runner.ts';
import { processorSeconds, startSubject } from './parts/start.ts';

// What a comment costs in the database: with its rights, limits, count, points, badges and notices beside a bare
// insert into a table with the same indexes. Both are durable. And what the table API adds to it.
const SECONDS = Number(process.env.SECONDS ?? 3);

const database = await openDatabase(1000);
const url = new URL(database.url);
url.username = 'authenticator';
url.password = database.secrets.databasePassword;
const api = await startSubject('backend', database);
const member = await Database.connect(url.href, { max: 16, onIdleError: () => undefined });
const driver = new pg.Pool({ connectionString: database.url, max: 16 });
// A connection may still be closing when the database is stopped.
driver.on('connect', (client) => client.on('error', () => undefined));

try {
  await database.client.query('create table public.bare_comments (like public.comments including all)');
  await database.client.query("update public.profiles set created_at = now() - interval '1 year'");
  const { rows: people } = await database.client.query<{ id: string }>('select id from public.profiles');
  const { rows: solutions } = await database.client.query<{ id: string }>('select id from public.solutions');
  const any = (rows: { id: string }[]) => rows[Math.floor(Math.random() * rows.length)]?.id ?? '';
  const content = 'The liner was a locking one.';

  const begin = async () => {
    // A member may add only so many comments a day, far fewer than are added here.
    await database.client.query("update public.comments set created_at = created_at - interval '2 days'");
    await database.client.query('vacuum analyze public.comments');
  };
  const perSecond = async (connections: number, insert: () => Promise<unknown>): Promise<number> => {
    await begin();
    let done = 0;
    const end = performance.now() + SECONDS * 1000;
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() < end) {
          await insert();
          done++;
        }
      }),
    );
    return done / SECONDS;
  };
  const comment = () =>
    member.as(
      { role: 'authenticated', claims: { role: 'authenticated', sub: any(people), aal: 'aal1' } },
      'insert into public.comments (solution_id, content) values ($1, $2)',
      [any(solutions), content],
    );
  const tokens = await Promise.all(
    people.map(async ({ id }) => ({
      id: await new SignJWT({ role: 'authenticated', sub: id, aal: 'aal1' })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setExpirationTime('10h')
        .sign(new TextEncoder().encode(database.secrets.jwtSecret)),
    })),
  );
  const throughApi = async (): Promise<number> => {
    await begin();
    let clients = 0;
    const { requests, non2xx, errors } = await autocannon({
      url: `http://127.0.0.1:${api.hello.port}/rest/v1/comments`,
      connections: 8,
      duration: SECONDS,
      // The services share their turns out among the addresses that the proxy reports.
      setupClient(client) {
        const address = `203.0.113.${++clients}`;
        const setupRequest = (request: autocannon.Request) => ({
          ...request,
          headers: {
            apikey: api.hello.anonKey,
            authorization: `Bearer ${any(tokens)}`,
            'content-type': 'application/json',
            prefer: 'return=minimal',
            'x-forwarded-for': address,
          },
          body: JSON.stringify({ solution_id: any(solutions), content }),
        });
        client.setRequests([{ method: 'POST', setupRequest }]);
      },
    });
    if (non2xx + errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors`);
    return requests.total / SECONDS;
  };
  for (const connections of [1, 8]) {
    const subjects: Subject[] = [
      {
        name: 'bare insert, same indexes',
        run: () =>
          perSecond(connections, () =>
            driver.query({
              name: 'bare',
              text: 'insert into public.bare_comments (solution_id, user_id, content) values ($1, $2, $3)',
              values: [any(solutions), any(people), content],
            }),
          ),
      },
      {
        name: 'comment of a member',
        run: () => perSecond(connections, comment),
      },
    ];
    await compare(`A comment, by ${connections} connections`, 'inserts/s', subjects);
  }
  const byDriver = () => perSecond(8, comment);
  await compare('A comment of a member, by 8 connections', 'inserts/s', [
    { name: 'by the driver', run: byDriver },
    { name: 'through the table API', run: throughApi },
  ]);
  const perProcessorSecond = async (run: () => Promise<number>, used: () => number) => {
    const before = used();
    return ((await run()) * SECONDS) / (used() - before);
  };
  const own = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
  await compare('The same', 'inserts/s of processor time, without the database', [
    { name: 'by the driver', run: () => perProcessorSecond(byDriver, own) },
    {
      name: 'through the table API',
      run: () => perProcessorSecond(throughApi, () => processorSeconds(api.child)),
    },
  ]);
} finally {
  api.child.kill();
  await member.close();
  await driver.end();
  await database.stop();
}
