import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { SOLUTION, shareSolution } from '../../solution.ts';
import { person as newPerson, operator, type Person, visitor } from '../auth/fixtures.ts';
import { ownBackend } from '../own-backend.ts';

// The product's own tables and functions as an attacker meets them, by the numbers of docs/threats.md.
const { backend, database } = await ownBackend();
const service = operator(backend);
const nobody = visitor(backend);
let author: Person & { email: string };
let other: Person;
let solution: { approved: string; rejected: string; pending: string };

const person = () => newPerson(backend, database);

const share = (status: string) =>
  shareSolution(service, {
    user_id: author.id,
    title: `Socket for a ${status} bow`,
    status,
    rejection_reason: status === 'rejected' ? 'The label shows a name.' : null,
  });

beforeAll(async () => {
  [author, other] = [await person(), await person()];
  solution = {
    approved: await share('approved'),
    rejected: await share('rejected'),
    pending: await share('pending'),
  };
  await service
    .from('messages')
    .insert({ sender_id: other.id, recipient_id: author.id, content: 'Only for you' });
});

describe('an author who deletes a solution', () => {
  async function waits() {
    const watcher = new pg.Client({ connectionString: backend.databaseUrl });
    await watcher.connect();
    await expect
      .poll(async () => {
        const { rowCount } = await watcher.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rowCount;
      })
      .toBe(1);
    await watcher.end();
  }

  it('waits for a like that is being taken back, and does not fail because the two wait for each other', async () => {
    // The database aborts the transaction that first detects their deadlock: here it is to be the deletion.
    for (;;) {
      const id = await share('approved');
      await other.client.from('likes').insert({ solution_id: id, user_id: other.id }).throwOnError();
      await database.query('begin');
      await database.query('select from public.likes where solution_id = $1 for update', [id]);
      const deleting = author.client
        .from('solutions')
        .delete({ count: 'exact' })
        .eq('id', id)
        .then((answer) => answer);
      await waits();
      const ended = await database
        .query('update public.solutions set likes_count = likes_count where id = $1', [id])
        .catch((error) => error);
      await database.query('commit');
      expect(await deleting).toMatchObject({ error: null, count: 1 });
      if (!(ended instanceof Error)) break;
      expect(ended).toMatchObject({ code: '40P01' });
    }
  });
});

describe('images of a post', () => {
  it('say to readers what is shown and neither what was declared nor what is hidden, by any question', async () => {
    const topic = await service
      .from('forum_topics')
      .insert({
        title: 'Liners',
        user_id: author.id,
        images: [{ media_url: '/shown.webp', description: 'The liner' }],
        image_consent: 'patient_written',
      })
      .select('id')
      .single()
      .throwOnError();
    const { id } = topic.data;
    await service
      .from('forum_posts')
      .insert({
        topic_id: id,
        user_id: author.id,
        content: 'Here',
        images: [{ media_url: '/hidden.webp', description: 'The face' }],
        image_consent: 'patient_written',
        images_hidden_at: '2026-11-01',
      })
      .throwOnError();
    for (const { from } of [nobody, other.client].map((client) => ({ from: client.from.bind(client) })))
      for (const kept of ['image_consent', 'images', 'images_checked_at'])
        for (const answer of [
          await from('forum_posts').select(kept),
          await from('forum_posts').select(),
          await from('forum_topics').select(`id,forum_posts(${kept})`),
          await from('profiles').select(`id,forum_topics!forum_topics_user_id_fkey(${kept})`),
          await from('forum_topics').select('id').or(`${kept}.not.is.null,id.is.null`),
          await from('forum_topics').select('id,forum_posts!inner()').not(`forum_posts.${kept}`, 'is', null),
          await from('forum_topics').select('id').order(kept),
        ])
          expect(answer, kept).toMatchObject({ data: null, error: { code: '42501' } });
    const read = await nobody
      .from('forum_topics')
      .select('shown_images,forum_posts(shown_images)')
      .eq('id', id);
    expect(read.data).toEqual([
      {
        shown_images: [{ media_url: '/shown.webp', description: 'The liner' }],
        forum_posts: [{ shown_images: [] }],
      },
    ]);
  });
});

describe('profiles', () => {
  it('show a visitor the public columns, no more than a thousand rows, and no one’s address in any table (P1, P8)', async () => {
    expect((await nobody.from('profiles').select('*')).error?.code).toBe('42501');
    expect((await nobody.from('profiles').select('id,allow_messages')).error?.code).toBe('42501');
    const open = await nobody
      .from('profiles')
      .select(
        'id,username,full_name,profession,workplace,avatar_url,registration_level,registration_register,registration_checked_on,orcid',
      )
      .eq('id', author.id);
    expect(open.data).toHaveLength(1);
    await database.query(
      "insert into auth.users (id, email) select gen_random_uuid(), 'many' || n || '@clinic.example' from generate_series(1, 1100) n",
    );
    expect((await nobody.from('public_profiles').select('id').limit(1_000_000)).data).toHaveLength(1000);
    expect((await nobody.from('public_profiles').select('id').range(0, 999_999)).data).toHaveLength(1000);
    const { rows } = await database.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
         and has_table_privilege('authenticated', c.oid, 'select')`,
    );
    for (const { name } of rows) {
      for (const client of [nobody, other.client]) {
        const { data } = await client.from(name).select('*');
        expect(JSON.stringify(data ?? ''), name).not.toContain(author.email);
      }
    }
    expect(rows.length).toBeGreaterThan(20);
  });

  it('are no side door to what lies behind them (P7, M1)', async () => {
    expect((await nobody.from('public_profiles').select('*').eq('allow_messages', true)).status).toBe(400);
    const behind = 'id,messages!messages_recipient_id_fkey(content)';
    expect((await nobody.from('profiles').select(behind).eq('id', author.id)).status).toBe(401);
    const profileOf = (client: SupabaseClient) =>
      client.from('profiles').select(behind).eq('id', author.id).single();
    expect((await profileOf(author.client)).data).toMatchObject({ messages: [{ content: 'Only for you' }] });
    const stranger = await person();
    expect((await profileOf(stranger.client)).data).toMatchObject({ messages: [] });
    expect((await stranger.client.from('messages').select('*', { count: 'exact', head: true })).count).toBe(
      0,
    );
  });
});

it('no one makes themselves a moderator, one by one, in bulk or by upsert (UR1)', async () => {
  const mine = { user_id: other.id, role: 'moderator' };
  const roles = other.client.from('user_roles');
  for (const { error } of [
    await roles.insert(mine),
    await roles.insert([mine, { ...mine, role: 'admin' }]),
    await roles.upsert(mine),
    await roles.upsert([mine], { onConflict: 'user_id,role', ignoreDuplicates: true }),
  ])
    expect(error?.code).toBe('42501');
  expect((await service.from('user_roles').select().eq('user_id', other.id)).data).toEqual([]);
});

it('what waits for review is neither counted nor found by a filter (S2, S12)', async () => {
  const count = async (client: SupabaseClient, status: string) =>
    (await client.from('solutions').select('id', { count: 'exact', head: true }).eq('status', status)).count;
  for (const status of ['pending', 'rejected']) {
    expect(await count(nobody, status)).toBe(0);
    expect(await count(other.client, status)).toBe(0);
    expect(await count(author.client, status)).toBe(1);
  }
  const matching = (client: SupabaseClient) =>
    client.from('solutions').select('id').like('rejection_reason', '%name%');
  expect((await matching(nobody)).data).toEqual([]);
  expect((await matching(author.client)).data).toEqual([{ id: solution.rejected }]);
});

it('a delete or change without a filter is refused, and one that matches all reaches one’s own rows (S8, G5)', async () => {
  const refused = await other.client.from('solutions').delete();
  expect(refused.error?.code).toBe('21000');
  await other.client.from('solutions').delete().neq('id', randomUUID());
  await other.client.from('profiles').update({ bio: 'Mine' }).neq('id', randomUUID());
  expect((await service.from('solutions').select('id')).data).toHaveLength(3);
  expect((await service.from('profiles').select('id').eq('bio', 'Mine')).data).toEqual([{ id: other.id }]);
});

it('no function is called but those on the list, and no schema read but the public one (G2, G3)', async () => {
  const { rows } = await database.query<{
    name: string;
    schema: string;
    visitors: boolean;
    members: boolean;
  }>(
    `select p.proname as name, n.nspname as schema,
       n.nspname = 'public' and has_function_privilege('anon', p.oid, 'execute') as visitors,
       n.nspname = 'public' and has_function_privilege('authenticated', p.oid, 'execute') as members
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'private')`,
  );
  const answers = async (client: SupabaseClient, name: string) => (await client.rpc(name)).status;
  for (const { name, visitors, members } of rows) {
    if (!visitors) expect([401, 403, 404], name).toContain(await answers(nobody, name));
    if (!members) expect([403, 404], name).toContain(await answers(other.client, name));
  }
  expect(rows.filter(({ members }) => !members).length).toBeGreaterThan(50);
  expect((await nobody.rpc('site_counts')).status).toBe(200);
  for (const schema of ['auth', 'storage', 'private', 'pg_catalog', 'information_schema']) {
    const { status } = await other.client.schema(schema).from('users').select('*');
    expect(status, schema).toBe(406);
  }
  expect((await other.client.from('users').select('*')).status).toBe(404);
});

it('what is done too often is answered with 429 and the time to wait (PV3, M7)', async () => {
  const send = (table: string, rows: unknown, token = '') =>
    fetch(`${backend.url}/rest/v1/${table}`, {
      method: 'POST',
      headers: {
        apikey: backend.anonKey,
        authorization: `Bearer ${token || backend.anonKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(rows),
    });
  const hundred = Array.from({ length: 100 }, () => ({ page_path: '/browse' }));
  const statuses: number[] = [];
  for (let call = 0; call < 14; call++) statuses.push((await send('page_views', hundred)).status);
  // A minute can begin in between, once.
  expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(12);
  const last = await send('page_views', hundred);
  expect(statuses).toContain(429);
  if (last.status === 429) expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);

  const { data } = await other.client.auth.getSession();
  const token = data.session?.access_token;
  const topics = [];
  for (let topic = 0; topic < 6; topic++) topics.push(await send('forum_topics', { title: 'Liners' }, token));
  expect(topics.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429]);
  expect(await topics[5]?.json()).toMatchObject({
    code: 'PT429',
    message: 'On your first day you can add 5 topics. Please wait until tomorrow to add more.',
  });
  expect(Number(topics[5]?.headers.get('retry-after'))).toBeGreaterThan(80_000);
});

it('what is asked of something that is not there, or takes no writes, is refused as such', async () => {
  const nothing = '00000000-0000-4000-8000-000000000000';
  const missing = await other.client.rpc('resubmit_solution', {
    id: nothing,
    solution: SOLUTION,
    media: [],
    consent: 'none',
    consent_version: '1',
  });
  expect([missing.status, missing.error]).toMatchObject([
    404,
    { code: 'PT404', message: 'Solution not found' },
  ]);
  const pictures = await visitor(backend).rpc('request_removal', {
    tracking: randomUUID(),
    solution: nothing,
    asker: 'shown',
  });
  expect([pictures.status, pictures.error?.code]).toEqual([404, 'PT404']);
  const view = await other.client.from('review_queue').insert({ id: nothing });
  expect([view.status, view.error?.code]).toEqual([405, '55000']);
  const nested = await visitor(backend).rpc('browse_solutions', { filters: [[[[[[[['x']]]]]]]] });
  expect([nested.status, nested.error?.code]).toEqual([413, '54000']);
});

it.each(['exact', 'planned', 'estimated'] as const)(
  'a count that is %s tells of no row that its reader may not see',
  async (count) => {
    await database.query(
      "insert into public.page_views (page_path) select '/about' from generate_series(1, 3000); analyze public.page_views",
    );
    const hidden = await other.client.from('page_views').select('id', { count, head: true });
    expect([hidden.error, hidden.count]).toEqual([null, 0]);
    const seen = await other.client.from('solutions').select('id', { count, head: true });
    expect(seen.count).toBe(1);
    expect((await author.client.from('solutions').select('id', { count, head: true })).count).toBe(3);
  },
);

it('what a member reads is kept by no cache, and what anyone may read is not held back', async () => {
  const token = (await author.client.auth.getSession()).data.session?.access_token;
  const kept = async (path: string, bearer: string | undefined, method = 'GET') => {
    const headers = { apikey: backend.anonKey, ...(bearer && { authorization: `Bearer ${bearer}` }) };
    return (await fetch(backend.url + path, { method, headers })).headers.get('cache-control');
  };
  const personal = [
    ['/rest/v1/messages?select=content', 'GET'],
    ['/rest/v1/solutions?id=eq.x', 'GET'],
    ['/rest/v1/rpc/export_account', 'POST'],
    ['/functions/v1/export-data', 'POST'],
    ['/auth/v1/user', 'GET'],
    ['/storage/v1/bucket', 'GET'],
  ] as const;
  for (const [path, method] of personal)
    expect([path, await kept(path, token, method)]).toEqual([path, 'no-store']);
  expect(await kept('/rest/v1/messages', backend.serviceRoleKey)).toBe('no-store');
  for (const bearer of [undefined, backend.anonKey])
    expect(await kept('/rest/v1/solutions?select=id', bearer)).toBeNull();
  expect(await kept('/auth/v1/.well-known/jwks.json', token)).toBe('public, max-age=600');
});
