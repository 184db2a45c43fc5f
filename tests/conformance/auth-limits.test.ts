import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../backend.ts';
import { freshAddress, mailsTo, operator, PASSWORD, visitor } from './auth-people.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend({}, (config) => ({ ...config, passwordCost: 4 }));
});
afterAll(() => backend.stop());

async function password(
  email: string,
  secret: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${backend.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01', ...headers },
    body: JSON.stringify({ email, password: secret }),
  });
}

describe('as configured', () => {
  test('the second mail within a minute is refused, for known and unknown alike', async () => {
    const known = freshAddress();
    await operator(backend).auth.admin.createUser({ email: known, password: PASSWORD, email_confirm: true });
    for (const email of [known, freshAddress()]) {
      expect((await visitor(backend).auth.resetPasswordForEmail(email)).error).toBeNull();
      const { error } = await visitor(backend).auth.resetPasswordForEmail(email);
      expect(error).toMatchObject({
        status: 429,
        code: 'over_email_send_rate_limit',
        message: expect.stringMatching(
          /^For security purposes, you can only request this after \d+ seconds\.$/,
        ),
      });
    }
    expect(await mailsTo(backend, known)).toHaveLength(1);
  });

  test('the 31st try in five minutes is refused, whatever address the client claims', async () => {
    const email = freshAddress();
    await operator(backend).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) {
      statuses.push((await password(email, `wrong ${i}`, { 'x-forwarded-for': `203.0.113.${i}` })).status);
    }
    expect(statuses).toEqual([...Array(30).fill(400), 429]);
    const refused = await password(freshAddress(), PASSWORD);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toEqual({
      code: 'over_request_rate_limit',
      message: 'Request rate limit reached',
    });
  });
});

test('behind a declared proxy, clients are told apart and one account is still protected', async () => {
  const proxied = await startTestBackend({ TRUST_PROXY: 'true' }, (config) => ({
    ...config,
    passwordCost: 4,
    auth: { ...config.auth, rate_limit: { ...config.auth.rate_limit, sign_in_sign_ups: 5 } },
  }));
  try {
    const email = freshAddress();
    await operator(proxied).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const attempt = (address: string, from: string, secret = 'wrong') =>
      fetch(`${proxied.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { 'x-forwarded-for': `10.9.9.9, ${from}` },
        body: JSON.stringify({ email: address, password: secret }),
      }).then((response) => response.status);
    const fromMany: number[] = [];
    for (let i = 0; i < 6; i++) fromMany.push(await attempt(email, `203.0.113.${i}`));
    expect(fromMany).toEqual([400, 400, 400, 400, 400, 429]);
    const other = freshAddress();
    await operator(proxied).auth.admin.createUser({ email: other, password: PASSWORD, email_confirm: true });
    expect(await attempt(other, '203.0.113.200', PASSWORD)).toBe(200);
    // One network of IPv6 addresses is one client, with or without a port.
    const one = [];
    for (let i = 0; i < 6; i++)
      one.push(await attempt(freshAddress(), `[2001:db8:1:2::${i + 1}]:${4000 + i}`));
    expect(one).toEqual([400, 400, 400, 400, 400, 429]);
    // A network beside it is another, but all of a household's together are not one each: 256 times five would be 1280.
    expect(await attempt(freshAddress(), '2001:db8:1:3::1')).toBe(400);
    let household = 6;
    while (
      household < 100 &&
      (await attempt(freshAddress(), `2001:db8:1:${household.toString(16)}::1`)) === 400
    )
      household++;
    expect(household - 6 + 1 + 5).toBe(20);
    // Whoever uses one of them up has the other.
    expect(await attempt(freshAddress(), '2001:db8:1:100::1')).toBe(400);
  } finally {
    await proxied.stop();
  }
});
