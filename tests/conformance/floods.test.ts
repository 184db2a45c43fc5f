import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { withAuth } from '../backend.ts';
import { operator, PASSWORD } from './auth/fixtures.ts';
import { ownBackend } from './own-backend.ts';

/*
 * One client sends many requests at once, all of which wait in the database until the test lets them; others
 * send requests in the meantime.
 */

const FLOOD = 210;
const { backend, database } = await ownBackend({ TRUST_PROXY: 'true' }, (config) => ({
  ...withAuth()(config),
  maxHeld: { ...config.maxHeld, 'downloads of a network': 4, 'waiting downloads of a network': 4 },
  functionsDir: join(import.meta.dirname, 'functions/samples'),
}));

/** A response to a client at this address. */
const send = (address: string, path: string, body?: unknown, key = backend.anonKey) =>
  fetch(backend.url + path, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      apikey: key,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-forwarded-for': address,
    },
  });

beforeAll(async () => {
  const { auth } = operator(backend);
  for (const name of ['flooded', 'other']) {
    const email = `${name}@clinic.example`;
    const { error } = await auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    expect(error).toBeNull();
  }
  await database.query(`
    create function public.waits() returns boolean language sql set search_path = ''
      as $$ select pg_advisory_xact_lock_shared(7) is not null $$;
    create function public.answers() returns boolean language sql set search_path = '' as $$ select true $$;
    grant execute on function public.waits(), public.answers() to public;
    create function public.waits_first() returns trigger language plpgsql security definer set search_path = ''
      as $$ begin perform public.waits(); return new; end $$;
    insert into storage.buckets (id, name, public) values ('flooded', 'flooded', true), ('other', 'other', true);
    insert into storage.objects (bucket_id, name) values ('flooded', 'a.txt'), ('other', 'a.txt');
    create policy "Reading takes long" on storage.objects for select to anon
      using (case bucket_id when 'flooded' then public.waits() else bucket_id = 'other' end);
    create trigger waits before insert on public.page_views for each row when (new.page_path = '/flooded')
      execute function public.waits_first();
    create trigger waits before insert on auth.sessions for each row
      when (new.user_id = '${await idOf('flooded')}') execute function public.waits_first();
    notify pgrst`);
});

const unfinished = () => {
  const folder = join(backend.dataDir, 'files/unfinished');
  return existsSync(folder) ? readdirSync(folder) : [];
};

async function idOf(name: string): Promise<string> {
  const { rows } = await database.query('select id from auth.users where email = $1', [
    `${name}@clinic.example`,
  ]);
  return rows[0].id;
}

const requests: Record<string, (address: string, what: 'flooded' | 'other') => Promise<Response>> = {
  'page views': (address, what) => send(address, '/rest/v1/page_views', { page_path: `/${what}` }),
  'lists of files': (address, what) => send(address, `/storage/v1/object/list/${what}`, { prefix: '' }),
  'signed addresses': (address, what) =>
    send(address, `/storage/v1/object/sign/${what}/a.txt`, { expiresIn: 60 }),
  functions: (address, what) =>
    send(address, `/functions/v1/asks/${what === 'flooded' ? 'waits' : 'answers'}`, {}),
  'signing in': (address, what) =>
    send(address, '/auth/v1/token?grant_type=password', {
      email: `${what}@clinic.example`,
      password: PASSWORD,
    }),
};

it.each(Object.entries(requests))(
  'a flood of %s waits for its own turns and is then refused; others are served in the meantime',
  async (_name, request) => {
    await expect.poll(async () => (await request('203.0.113.1', 'other')).ok).toBe(true);
    await database.query('select pg_advisory_lock(7)');
    const answers: Response[] = [];
    const flood = Array.from({ length: FLOOD }, async () => {
      answers.push(await request('203.0.113.2', 'flooded'));
    });
    const refused = () => answers.find(({ status }) => status === 429);
    try {
      await expect.poll(() => refused()?.headers.get('retry-after')).toBe('1');
      for (const service of Object.values(requests))
        expect((await service('203.0.113.1', 'other')).ok).toBe(true);
      expect(answers.length).toBeLessThan(FLOOD);
    } finally {
      await database.query('select pg_advisory_unlock(7)');
    }
    await Promise.all(flood);
    expect(answers.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    // Afterwards no request waits any more.
    expect((await request('203.0.113.2', 'flooded')).ok).toBe(true);
  },
);

it('a body is parsed in its client’s turn, and not at all where there is none to be had', async () => {
  const broken = (address: string) =>
    fetch(`${backend.url}/rest/v1/page_views`, {
      method: 'POST',
      body: '\n'.repeat(1_000_000),
      headers: { apikey: backend.anonKey, 'content-type': 'text/csv', 'x-forwarded-for': address },
    });
  await database.query('select pg_advisory_lock(7)');
  const answers: Response[] = [];
  const flood = Array.from({ length: FLOOD }, async () => {
    answers.push(await send('203.0.113.2', '/rest/v1/rpc/waits', {}));
  });
  try {
    await expect.poll(() => answers.some(({ status }) => status === 429)).toBe(true);
    expect((await broken('203.0.113.2')).status).toBe(429);
    expect((await broken('203.0.113.1')).status).toBe(413);
  } finally {
    await database.query('select pg_advisory_unlock(7)');
  }
  await Promise.all(flood);
  expect((await broken('203.0.113.2')).status).toBe(413);
});

it('a file that is still coming holds no turn', async () => {
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const uploads = Array.from({ length: 8 }, (_, number) =>
    fetch(`${backend.url}/storage/v1/object/other/slow-${number}.txt`, {
      method: 'POST',
      body: new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new Uint8Array(1024));
          controllers.push(controller);
        },
      }),
      duplex: 'half',
      headers: {
        authorization: `Bearer ${backend.serviceRoleKey}`,
        'content-type': 'text/plain',
        'x-forwarded-for': '203.0.113.3',
      },
    } as RequestInit),
  );
  // Each has been admitted and waits for the rest of its file.
  await expect.poll(async () => unfinished().length).toBe(8);
  for (const request of Object.values(requests))
    expect((await request('203.0.113.3', 'other')).ok).toBe(true);
  for (const controller of controllers) controller.close();
  for (const upload of uploads) expect((await upload).status).toBe(200);
});

it('downloads that are read slowly are so many of one network, and all of them are forgotten with their readers', async () => {
  // More than the sockets of both sides hold.
  const large = Buffer.alloc(24_000_000);
  const path = '/storage/v1/object/public/other/large.bin';
  const stored = await fetch(`${backend.url}${path.replace('/public', '')}`, {
    method: 'POST',
    body: large,
    headers: { authorization: `Bearer ${backend.serviceRoleKey}` },
  });
  expect(stored.status).toBe(200);
  const held = () => backend.held.counts();
  const leaving = new AbortController();
  const readers = Array.from({ length: 9 }, () =>
    fetch(backend.url + path, {
      headers: { 'x-forwarded-for': '203.0.113.2' },
      signal: leaving.signal,
    }).catch(() => undefined),
  );
  await expect.poll(() => held()['waiting downloads of a network']).toBe(4);
  expect(held()['downloads of a network']).toBe(4);
  const refused = await Promise.race(
    readers.map(async (reader) => {
      const answer = await reader;
      return answer?.status === 429 ? answer : new Promise<never>(() => undefined);
    }),
  );
  expect(refused.headers.get('retry-after')).toBe('1');
  const whole = await fetch(backend.url + path, { headers: { 'x-forwarded-for': '203.0.113.1' } });
  expect((await whole.arrayBuffer()).byteLength).toBe(large.length);
  leaving.abort();
  await Promise.all(readers);
  // Nor is one that leaves before it has an answer, or asks for the head alone.
  for (const waitMs of [0, 1, 2, 4, 8, 16]) {
    const hurried = Array.from({ length: 6 }, () =>
      fetch(backend.url + path, { signal: AbortSignal.timeout(waitMs) }).catch(() => undefined),
    );
    await Promise.all(hurried);
  }
  expect((await fetch(backend.url + path, { method: 'HEAD' })).ok).toBe(true);
  await expect.poll(() => Object.entries(held()).filter(([, count]) => count > 0)).toEqual([]);
  expect((await fetch(backend.url + path, { headers: { 'x-forwarded-for': '203.0.113.2' } })).status).toBe(
    200,
  );
});
