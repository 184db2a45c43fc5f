import { once } from 'node:events';
import autocannon from 'autocannon';
import { SignJWT } from 'jose';
import { openDatabase } from './parts/database.ts';
import { compare, type Subject } from './parts/runner.ts';
import { processorSeconds, type SubjectProcess, startSubject } from './parts/start.ts';

// The table API against the same statements without it: over a minimal server, and by the driver alone.
const SECONDS = Number(process.env.SECONDS ?? 3);
const CONNECTIONS = 16;
const UNIT = 'requests/s of processor time';

const database = await openDatabase(1000);
const subjects: SubjectProcess[] = [];
const start = async (kind: string) => {
  const subject = await startSubject(kind, database);
  subjects.push(subject);
  return subject;
};

/** Requests a second of the server's processor time, by as many clients as connections. */
async function load(
  { child }: SubjectProcess,
  url: string,
  options: Partial<autocannon.Options> = {},
): Promise<number> {
  let clients = 0;
  const before = processorSeconds(child);
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    ...options,
    // The services share their turns out among the addresses that the proxy reports.
    setupClient: (client) =>
      client.setHeaders({ ...options.headers, 'x-forwarded-for': `203.0.113.${++clients}` }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.total / (processorSeconds(child) - before);
}

try {
  const [backend, bare, driver] = [await start('backend'), await start('bare'), await start('driver')];
  const api = `http://127.0.0.1:${backend.hello.port}/rest/v1`;
  const [someone] = (
    await database.client.query("select id::text from public.profiles where username like 'bench.%' limit 1")
  ).rows;
  const [solution] = (await database.client.query('select id::text from public.solutions limit 1')).rows;
  const claims = { role: 'authenticated', sub: someone.id, exp: Math.floor(Date.now() / 1000) + 36_000 };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(database.secrets.jwtSecret));
  const anon = { role: 'anon', claims: { role: 'anon' } };

  let routes = 0;
  const bareSubject = async (
    caller: { role: string; claims: Record<string, unknown> },
    sql: string,
    values: unknown[] = [],
    options: Partial<autocannon.Options> = {},
  ): Promise<Subject> => {
    const path = `/${routes++}`;
    bare.child.send({ path, caller, sql, values });
    await once(bare.child, 'message');
    return {
      name: 'bare server, same statement and role',
      run: () => load(bare, `http://127.0.0.1:${bare.hello.port}${path}`, options),
    };
  };
  const driverSubject = (sql: string, values: unknown[] = []): Subject => ({
    name: 'driver alone, same statement, no role',
    async run() {
      const before = processorSeconds(driver.child);
      driver.child.send({ sql, values, seconds: SECONDS });
      const [{ done }] = await once(driver.child, 'message');
      return done / (processorSeconds(driver.child) - before);
    },
  });
  const apiSubject = (path: string, options: Partial<autocannon.Options> = {}): Subject => ({
    name: 'table API',
    run: () => load(backend, api + path, { headers: { apikey: String(backend.hello.anonKey) }, ...options }),
  });
  const race = async (title: string, sql: string, values: unknown[], path: string) =>
    compare(title, UNIT, [
      await bareSubject(anon, sql, values),
      apiSubject(path),
      driverSubject(sql, values),
    ]);

  const columns = 'id, title, description, occupation, amputation_level, materials, likes_count, created_at';
  const query = columns.replaceAll(' ', '');
  await race(
    'A list of 20, newest first, as a visitor',
    `select coalesce(json_agg(r), '[]')::text as body from (select ${columns} from public.solutions order by created_at desc, id desc limit 20) as r`,
    [],
    `/solutions?select=${query}&order=created_at.desc,id.desc&limit=20`,
  );
  await race(
    'One row by its id, as a visitor',
    `select coalesce(json_agg(r), '[]')::text as body from (select ${columns} from public.solutions where id = $1) as r`,
    [solution.id],
    `/solutions?select=${query}&id=eq.${solution.id}`,
  );
  await race(
    'A list of 20 with author and comments, as a visitor',
    `select coalesce(json_agg(r), '[]')::text as body from (
       select s.id, s.title, row_to_json(a) as author, coalesce(c.comments, '[]') as comments
       from (select id, title, user_id, created_at from public.solutions order by created_at desc, id desc limit 20) as s
       left join lateral (select full_name, profession from public.profiles where id = s.user_id) as a on true
       left join lateral (select json_agg(x) as comments from (select id, content from public.comments where solution_id = s.id) as x) as c on true
       order by s.created_at desc, s.id desc) as r`,
    [],
    '/solutions?select=id,title,author:profiles!user_id(full_name,profession),comments(id,content)&order=created_at.desc,id.desc&limit=20',
  );
  await race(
    'A function call, as a visitor',
    'select public.site_counts()::text as body',
    [],
    '/rpc/site_counts',
  );

  // A member may add only so many comments a day, far fewer than are sent here.
  await database.client.query('alter table public.comments disable trigger comments_limit');
  const insert = 'insert into public.comments (solution_id, content) values ($1, $2)';
  const comment = { solution_id: solution.id, content: 'The liner was a locking one.' };
  await compare('An insert with its policies and triggers, as a member', UNIT, [
    await bareSubject({ role: 'authenticated', claims }, insert, [comment.solution_id, comment.content], {
      method: 'POST',
      body: '{}',
    }),
    apiSubject('/comments', {
      method: 'POST',
      headers: {
        apikey: String(backend.hello.anonKey),
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=minimal',
      },
      body: JSON.stringify(comment),
    }),
  ]);

  await compare('What row-level security costs: the list of 20', UNIT, [
    {
      name: 'with the service key, which passes it',
      run: () =>
        load(backend, `${api}/solutions?select=${query}&order=created_at.desc,id.desc&limit=20`, {
          headers: { apikey: String(backend.hello.serviceRoleKey) },
        }),
    },
    {
      ...apiSubject(`/solutions?select=${query}&order=created_at.desc,id.desc&limit=20`),
      name: 'as a visitor',
    },
  ]);
} finally {
  for (const { child } of subjects) child.kill();
  await database.stop();
}
