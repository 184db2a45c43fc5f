import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../backend.ts';
import { ownBackend } from '../own-backend.ts';
import { freshAddress, mailsTo, operator, PASSWORD, visitor } from './fixtures.ts';

const { backend, database } = await ownBackend({}, (config) => ({ ...config, passwordCost: 4 }));

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
    const registered = freshAddress();
    await operator(backend).auth.admin.createUser({
      email: registered,
      password: PASSWORD,
      email_confirm: true,
    });
    for (const email of [registered, freshAddress()]) {
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
    expect(await mailsTo(backend, registered)).toHaveLength(1);
  });

  test('a client whose mails are used up leaves no trace of ever new addresses', async () => {
    const refusal = async () => (await visitor(backend).auth.resetPasswordForEmail(freshAddress())).error;
    while (!(await refusal()));
    const counters = async () => (await database.query('select key from auth.rate_limits')).rowCount;
    const before = await counters();
    for (let i = 0; i < 3; i++)
      expect(await refusal()).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
    expect(await counters()).toBe(before);
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

describe('behind a declared proxy', () => {
  const RATE = 3;
  let proxied: TestBackend;
  beforeAll(async () => {
    proxied = await startTestBackend({ TRUST_PROXY: 'true' }, (config) => ({
      ...config,
      passwordCost: 4,
      auth: {
        ...config.auth,
        rate_limit: { ...config.auth.rate_limit, sign_in_sign_ups: RATE, token_refresh: 1000 },
      },
    }));
  });
  afterAll(() => proxied.stop());

  const attempt = (address: string, from: string, secret = 'wrong') =>
    fetch(`${proxied.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'x-forwarded-for': `10.9.9.9, ${from}` },
      body: JSON.stringify({ email: address, password: secret }),
    });
  const status = async (...args: Parameters<typeof attempt>) => (await attempt(...args)).status;
  const person = async () => {
    const email = freshAddress();
    await operator(proxied).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    return email;
  };
  /**
   * Tries wrong passwords for an account, from as many networks as it takes until unknown clients are
   * refused.
   */
  async function untilStrangersAreRefused(email: string): Promise<number> {
    for (let i = 0; i < 200; i++)
      if ((await status(email, `198.18.${i % 50}.${Math.trunc(i / 50)}`)) === 429) return i;
    throw new Error('strangers are never refused');
  }

  test('clients are told apart', async () => {
    const tries = async (from: (i: number) => string) => {
      const answers: number[] = [];
      for (let i = 0; i <= RATE; i++) answers.push(await status(freshAddress(), from(i)));
      return answers;
    };
    const asMany = [...Array(RATE).fill(400), 429];
    expect(await tries(() => '203.0.113.1')).toEqual(asMany);
    expect(await status(await person(), '203.0.113.2', PASSWORD)).toBe(200);
    // One network of IPv6 addresses is one client, with or without a port.
    expect(await tries((i) => `[2001:db8:1:2::${i + 1}]:${4000 + i}`)).toEqual(asMany);
    // A network beside it is another, but a household's 256 together have four times as much.
    let household = 0;
    while (household < 100 && (await status(freshAddress(), `2001:db8:1:${household + 10}::1`)) === 400)
      household++;
    expect(household).toBe(4 * RATE - RATE);
    expect(await status(freshAddress(), '2001:db8:1:100::1')).toBe(400);
  });

  test('one client begins so many sign-ins with providers', async () => {
    const begin = async () =>
      (
        await fetch(`${proxied.url}/auth/v1/authorize?provider=none`, {
          headers: { 'x-forwarded-for': '203.0.113.40' },
          redirect: 'manual',
        })
      ).status;
    const answers: number[] = [];
    for (let i = 0; i <= RATE; i++) answers.push(await begin());
    expect(answers).toEqual([...Array(RATE).fill(400), 429]);
  });

  test('whoever tries passwords from one network keeps the owner out nowhere else', async () => {
    const email = await person();
    for (let i = 0; i < 3 * RATE; i++) await status(email, '192.0.2.1');
    expect(await status(email, '192.0.2.1', PASSWORD)).toBe(429);
    expect(await status(email, '192.0.2.2', PASSWORD)).toBe(200);
    // Nor does a whole /48 keep the owner out of another.
    const other = await person();
    for (let i = 0; i < 6 * RATE; i++) await status(other, `2001:db8:5:${i.toString(16)}00::1`);
    expect(await status(other, '2001:db8:6::1', PASSWORD)).toBe(200);
  });

  test('one account is still protected from many networks, and open where its owner signed in lately', async () => {
    const email = await person();
    const signedIn = await (await attempt(email, '192.0.2.77', PASSWORD)).json();
    const guesses = await untilStrangersAreRefused(email);
    expect(guesses).toBe(10 * RATE);
    expect(await status(email, '192.0.2.99', PASSWORD)).toBe(429);
    expect(await status(email, '192.0.2.77', PASSWORD)).toBe(200);
    // A client that has brought the session with it is known at the new network.
    await fetch(`${proxied.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '192.0.2.78' },
      body: JSON.stringify({ refresh_token: signedIn.refresh_token }),
    });
    expect(await status(email, '192.0.2.78', PASSWORD)).toBe(200);
    // There too the limit is that of any client.
    for (let i = 0; i < RATE; i++) await status(email, '192.0.2.78');
    expect(await status(email, '192.0.2.78', PASSWORD)).toBe(429);
    expect(await untilStrangersAreRefused(freshAddress())).toBe(guesses);
  });
});
