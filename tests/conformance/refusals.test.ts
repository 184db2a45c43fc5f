import { describe, expect, it } from 'vitest';
import { operator, visitor } from './auth/fixtures.ts';
import { ownBackend } from './own-backend.ts';

const { backend } = await ownBackend();

const ID = '11111111-1111-4111-8111-111111111111';

describe('what the client can ask for and this backend does not serve', () => {
  it.each([
    ['the clients of an OAuth server', () => operator(backend).auth.admin.oauth.listClients(), 'not_found'],
    ['one client of it', () => operator(backend).auth.admin.oauth.getClient(ID), 'not_found'],
    [
      'providers made at run time',
      () => operator(backend).auth.admin.customProviders.listProviders(),
      'not_found',
    ],
    [
      'what people let an OAuth client do',
      () => visitor(backend).auth.oauth.getAuthorizationDetails(ID),
      'no_session',
    ],
  ])('is refused with its code: %s', async (_, ask, code) => {
    const { data, error } = await ask();
    expect(error).not.toBeNull();
    if (code !== 'no_session') expect(error).toMatchObject({ status: 404, code });
    expect(JSON.stringify(data)).not.toContain('client_id');
  });

  it('is said not to have happened: a write that should be rolled back is kept, and the answer does not claim otherwise', async () => {
    const response = await fetch(`${backend.url}/rest/v1/user_roles`, {
      method: 'POST',
      headers: {
        apikey: backend.serviceRoleKey,
        'content-type': 'application/json',
        prefer: 'tx=rollback,handling=strict',
      },
      body: '[]',
    });
    expect([response.status, response.headers.get('preference-applied') ?? '']).toEqual([
      201,
      expect.not.stringContaining('tx='),
    ]);
  });
});

it('a client that leaves takes all its channels with it', async () => {
  const client = visitor(backend);
  const states = ['a', 'b'].map(
    (topic) => new Promise<string>((resolve) => client.channel(topic).subscribe((state) => resolve(state))),
  );
  expect(await Promise.all(states)).toEqual(['SUBSCRIBED', 'SUBSCRIBED']);
  expect(client.getChannels()).toHaveLength(2);
  expect(await client.removeAllChannels()).toEqual(['ok', 'ok']);
  expect(client.getChannels()).toEqual([]);
  await client.realtime.disconnect();
});
