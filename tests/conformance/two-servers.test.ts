import { afterAll, describe, expect, it } from 'vitest';
import { startTestBackend } from '../backend.ts';
import { nothingLeaks } from '../fuzz/harness.ts';
import { member, operator, PASSWORD, visitor } from './auth/fixtures.ts';
import { ownBackend } from './own-backend.ts';

const { backend: first, database } = await ownBackend();
const second = await startTestBackend({}, undefined, first);
afterAll(() => second.stop());

describe('a session', () => {
  it('begun at one server is good at the other, and is renewed there', async () => {
    const { client, id } = await member(first);
    const { data } = await client.auth.getSession();
    const there = visitor(second);
    const moved = await there.auth.setSession({
      access_token: data.session?.access_token ?? '',
      refresh_token: data.session?.refresh_token ?? '',
    });
    expect(moved.data.user?.id).toBe(id);
    const renewed = await there.auth.refreshSession();
    expect(renewed.error).toBeNull();
    const back = visitor(first);
    await back.auth.setSession({
      access_token: renewed.data.session?.access_token ?? '',
      refresh_token: renewed.data.session?.refresh_token ?? '',
    });
    expect((await back.from('profiles').select('id').eq('id', id)).data).toEqual([{ id }]);
  });

  it('ended at one server opens nothing at the other', async () => {
    const { client, email } = await member(first);
    const there = visitor(second);
    const { data } = await there.auth.signInWithPassword({ email, password: PASSWORD });
    const authorization = `Bearer ${data.session?.access_token}`;
    const read = () =>
      fetch(`${second.url}/rest/v1/profiles?select=id&limit=1`, { headers: { authorization } });
    expect((await read()).status).toBe(200);
    await client.auth.signOut({ scope: 'global' });
    await expect.poll(async () => (await read()).status).toBe(401);
    expect((await there.auth.refreshSession()).error).not.toBeNull();
  });
});

it('a table made through one server is known to both', async () => {
  await database.query(
    "set role postgres; create table public.shared_things (id int primary key); grant select on public.shared_things to service_role; reset role; notify pgrst, 'reload schema'",
  );
  for (const server of [first, second])
    await expect.poll(async () => (await operator(server).from('shared_things').select()).data).toEqual([]);
});

describe('when every connection to the database is cut, again and again', () => {
  it('requests fail with a clear status or succeed, none hangs, and then all is as before', async () => {
    const client = operator(first);
    let ended = false;
    const statuses = new Set<number>();
    const readers = Array.from({ length: 8 }, async () => {
      while (!ended) {
        const { status } = await client.from('profiles').select('id').limit(1).retry(false);
        statuses.add(status);
      }
    });
    let cut: number[] = [];
    try {
      for (let time = 0; time < 20; time++) {
        const { rows } = await database.query<{ pid: number }>(
          'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        cut = rows.map(({ pid }) => pid);
        await expect
          .poll(async () => (await client.from('profiles').select('id').limit(1).retry(false)).status)
          .toBe(200);
      }
    } finally {
      ended = true;
    }
    await Promise.all(readers);
    // Those at the second server may still be closing for a moment.
    await expect
      .poll(
        async () =>
          (await database.query('select from pg_stat_activity where pid = any ($1)', [cut])).rowCount,
      )
      .toBe(0);
    expect([...statuses].filter((status) => ![200, 500, 503].includes(status))).toEqual([]);
    for (const server of [first, second]) {
      const { client: someone } = await member(server);
      expect((await someone.auth.getUser()).error).toBeNull();
    }
    await nothingLeaks(database, 80);
  });
});
