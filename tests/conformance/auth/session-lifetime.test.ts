import { describe, expect, test, vi } from 'vitest';
import { withAuth } from '../../backend.ts';
import { TIMEOUT_MS } from '../../timeouts.ts';
import { ownBackend } from '../own-backend.ts';
import { member, visitor } from './fixtures.ts';

const DAY = 24 * 3600;
const lasting = withAuth({ sessions: { timebox: 30 * DAY, inactivity_timeout: 7 * DAY } });
const { backend, database } = await ownBackend({}, (config) => ({
  ...lasting(config),
  housekeepingSeconds: 0.2,
}));

describe('a session', () => {
  /** Sets its beginning and its last use back by this many days. */
  async function sessionOf(begun: number, used: number) {
    const { client, id } = await member(backend);
    await database.query(
      `update auth.sessions set created_at = now() - make_interval(secs => $2), refreshed_at = (now() - make_interval(secs => $3)) at time zone 'utc'
       where user_id = $1`,
      [id, begun * DAY, used * DAY],
    );
    const { data } = await client.auth.getSession();
    return { client, id, token: data.session?.refresh_token ?? '' };
  }
  const refresh = (token: string) => visitor(backend).auth.refreshSession({ refresh_token: token });

  test('that is in use lasts for its time', async () => {
    const { token } = await sessionOf(29, 6);
    const renewed = await refresh(token);
    expect(renewed.error).toBeNull();
    expect((await refresh(renewed.data.session?.refresh_token ?? '')).error).toBeNull();
  });

  test('has an end, in use or not', async () => {
    const { token } = await sessionOf(30.5, 1);
    expect((await refresh(token)).error).toMatchObject({
      status: 400,
      code: 'session_expired',
      message: 'Invalid Refresh Token: Session Expired',
    });
  });

  test('that no one has used for long has ended', async () => {
    const { token } = await sessionOf(10, 7.5);
    expect((await refresh(token)).error).toMatchObject({
      status: 400,
      code: 'session_expired',
      message: 'Invalid Refresh Token: Session Expired (Inactivity)',
    });
  });

  test('that has ended is forgotten a day later', async () => {
    const expired = await sessionOf(10, 9);
    const active = await sessionOf(10, 6);
    const count = async (id: string) =>
      (await database.query('select from auth.sessions where user_id = $1', [id])).rowCount;
    await expect.poll(() => count(expired.id)).toBe(0);
    // The session of the confirmation and that of the password.
    expect(await count(active.id)).toBe(2);
    expect((await refresh(expired.token)).error?.code).toBe('refresh_token_not_found');
  });
});

test('what has ended is deleted in batches, and nothing else', async () => {
  const { client, id } = await member(backend);
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'In hand' });
  const factor = data?.id ?? '';
  await client.auth.mfa.challenge({ factorId: factor });
  await client.auth.signInWithOtp({ email: (await client.auth.getUser()).data.user?.email ?? '' });
  await database.query(
    `insert into auth.flow_state (id, user_id, provider_type, authentication_method, created_at)
     select gen_random_uuid(), $1, 'email', 'otp', now() - interval '2 days' * (n % 2) from generate_series(1, 2400) n`,
    [id],
  );
  await database.query(
    `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address)
     select gen_random_uuid(), $1, now() - interval '2 days', '127.0.0.1' from generate_series(1, 30)`,
    [factor],
  );
  await database.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
     values (gen_random_uuid(), $1, 'Given up', 'totp', 'unverified', now() - interval '2 days', now()),
       (gen_random_uuid(), $1, 'Old and good', 'totp', 'verified', now() - interval '900 days', now())`,
    [id],
  );
  await database.query(
    `insert into auth.refresh_tokens (token, user_id, revoked, session_id, updated_at)
     select 'spent-' || n, s.user_id, true, s.id, now() - make_interval(days => n) from auth.sessions s, generate_series(20, 40) n
     where s.id = (select id from auth.sessions where user_id = $1 limit 1)`,
    [id],
  );
  await database.query(
    `insert into auth.rate_limits (key, points, expire)
     values ('over', 1, extract(epoch from now()) * 1000 - 1), ('counting', 1, extract(epoch from now()) * 1000 + 600000)`,
  );
  await database.query(
    `update auth.one_time_tokens set expires_at = now() - interval '2 hours' where user_id <> $1`,
    [id],
  );
  const countOf = async (sql: string) => (await database.query<{ n: number }>(sql)).rows[0]?.n;
  await vi.waitFor(async () => {
    expect(await countOf('select count(*)::int as n from auth.flow_state')).toBe(1200);
    expect(await countOf('select count(*)::int as n from auth.mfa_challenges')).toBe(1);
    expect(
      await countOf(`select count(*)::int as n from auth.refresh_tokens where token like 'spent-%'`),
    ).toBe(10);
    expect(
      await countOf(`select count(*)::int as n from auth.rate_limits where key in ('over', 'counting')`),
    ).toBe(1);
    expect(await countOf('select count(*)::int as n from auth.one_time_tokens')).toBe(1);
  }, TIMEOUT_MS);
  const factors = await client.auth.mfa.listFactors();
  expect(factors.data?.all.map((each) => each.friendly_name).sort()).toEqual(['In hand', 'Old and good']);
  expect((await client.auth.refreshSession()).error).toBeNull();
});
