import pg from 'pg';
import { Database } from '#backend/database/database.ts';
import { openDatabase } from './parts/database.ts';
import { compare, type Subject } from './parts/runner.ts';

// What a comment costs in the database: with its rights, limits, count, points, badges and notices beside a bare
// insert into a table with the same indexes. Both are durable.
const SECONDS = Number(process.env.SECONDS ?? 3);

const database = await openDatabase(1000);
const url = new URL(database.url);
url.username = 'authenticator';
url.password = database.secrets.databasePassword;
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

  const perSecond = async (connections: number, insert: () => Promise<unknown>): Promise<number> => {
    // A member may add only so many comments a day, far fewer than are added here.
    await database.client.query("update public.comments set created_at = created_at - interval '2 days'");
    await database.client.query('vacuum analyze public.comments');
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
        run: () =>
          perSecond(connections, () =>
            member.as(
              { role: 'authenticated', claims: { role: 'authenticated', sub: any(people), aal: 'aal1' } },
              'insert into public.comments (solution_id, content) values ($1, $2)',
              [any(solutions), content],
            ),
          ),
      },
    ];
    await compare(`A comment, by ${connections} connections`, 'inserts/s', subjects);
  }
} finally {
  await member.close();
  await driver.end();
  await database.stop();
}
