import { SignJWT } from 'jose';
import { openDatabase } from './parts/database.ts';
import { compare } from './parts/runner.ts';
import { startSubject } from './parts/start.ts';

// The time one client waits for small answers while another sends expensive requests, beside a quiet server.
const SECONDS = Number(process.env.SECONDS ?? 5);
const FLOOD = 24;
const FILES = 20_000;

/** A request to the server: its path, and its body if there is one. */
interface Question {
  path: string;
  body?: unknown;
  key: string;
}

const database = await openDatabase(Number(process.env.N ?? 20_000));
try {
  const { child, hello } = await startSubject('backend', database);
  const [visitor, service] = [String(hello.anonKey), String(hello.serviceRoleKey)];
  const request = async (client: string, { path, body, key }: Question, signal?: AbortSignal) => {
    const response = await fetch(`http://127.0.0.1:${hello.port}${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        apikey: key,
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-forwarded-for': client,
      },
      signal: signal ?? null,
    });
    await response.arrayBuffer();
    return response.status;
  };

  const { client } = database;
  const { rows } = await client.query('select id, user_id as member from public.solutions limit 1');
  const [{ id, member }] = rows;
  const memberKey = await new SignJWT({ role: 'authenticated', sub: member })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(database.secrets.jwtSecret));
  await client.query(
    `insert into storage.objects (bucket_id, name, version, metadata)
     select 'avatars', format('%s/%s/%s.webp', $1::text, n % 100, n), gen_random_uuid()::text, '{"size": 1}' from generate_series(1, $2::int) n`,
    [member, FILES],
  );
  await client.query('vacuum analyze storage.objects');
  /** The requests of the one client, and those with which the other floods the server. */
  const services: Record<string, { small: Question; expensive: Question[] }> = {
    'the table API': {
      small: { path: `/rest/v1/solutions?select=id,title&id=eq.${id}`, key: visitor },
      expensive: [
        '/solutions?select=*,media:solution_media(*),author:profiles!solutions_user_id_fkey(*,solutions!solutions_user_id_fkey(*,media:solution_media(*)))&limit=1000',
        `/solutions?select=id&description=imatch.${encodeURIComponent('((((a|b|c)*d*)*e*)*f*)*(g|h|i)*z{1,99}$')}`,
        '/solutions?select=id&or=(description.ilike.*a*b*c*d*e*,title.ilike.*x*y*z*)&order=description',
      ].map((path) => ({ path: `/rest/v1${path}`, key: visitor })),
    },
    storage: {
      small: {
        path: `/storage/v1/object/sign/avatars/${member}/1/1.webp`,
        body: { expiresIn: 60 },
        key: service,
      },
      expensive: [
        {
          path: '/storage/v1/object/list/avatars',
          body: { prefix: member, limit: 1000, sortBy: { column: 'updated_at', order: 'desc' } },
          key: service,
        },
        {
          path: '/storage/v1/object/list-v2/avatars',
          body: {
            prefix: '',
            limit: 1000,
            with_delimiter: true,
            sortBy: { column: 'updated_at', order: 'desc' },
          },
          key: service,
        },
      ],
    },
    functions: {
      small: { path: '/functions/v1/process-media-jobs', body: {}, key: service },
      expensive: [{ path: '/functions/v1/export-data', body: {}, key: memberKey }],
    },
  };

  for (const [name, { small, expensive }] of Object.entries(services)) {
    /**
     * The waiting times of a client that sends one request after the other, in milliseconds; the slowest of
     * each twenty.
     */
    const patienceOfTheOther = async () => {
      const times: number[] = [];
      const end = performance.now() + SECONDS * 1000;
      while (performance.now() < end) {
        const startedAt = performance.now();
        const status = await request('203.0.113.1', small);
        if (status !== 200) throw new Error(`The other client was answered ${status}.`);
        times.push(performance.now() - startedAt);
      }
      times.sort((a, b) => a - b);
      return times[Math.floor(times.length * 0.95)] ?? Number.NaN;
    };
    const flooded = async () => {
      const controller = new AbortController();
      const flood = Array.from({ length: FLOOD }, async (_, number) => {
        while (!controller.signal.aborted)
          await request(
            '203.0.113.2',
            expensive[number % expensive.length] ?? small,
            controller.signal,
          ).catch(() => undefined);
      });
      const p95 = await patienceOfTheOther();
      controller.abort();
      await Promise.all(flood);
      return p95;
    };
    await compare(`The 95th of 100 answers of ${name} to one client`, 'ms', [
      { name: 'a quiet server', run: patienceOfTheOther },
      { name: `another client with ${FLOOD} expensive questions at once`, run: flooded },
    ]);
  }
  child.kill();
} finally {
  await database.stop();
}
