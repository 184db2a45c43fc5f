import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startTestBackend } from '../../backend.ts';
import { TIMEOUT_MS } from '../../timeouts.ts';
import { member, operator, visitor } from '../auth/fixtures.ts';
import { ownBackend } from '../own-backend.ts';
import { createSampleTables, joinChannel, subscribeTo, until } from './sample-schema.ts';

const SECRET = 'a secret of the test that is long enough for HS256';
const { backend } = await ownBackend({ JWT_SECRET: SECRET, TRUST_PROXY: 'true' });
const database = await createSampleTables(backend);
afterAll(() => database.end());
const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  // Whatever a client did, nothing is held for it once it has gone.
  await until(() => Object.values(backend.held.counts()).every((count) => count === 0));
});

function tracked(client: SupabaseClient): SupabaseClient {
  opened.push({ close: () => client.realtime.disconnect() });
  return client;
}

const tokenOf = (claims: Record<string, unknown>, expires: string | number = '1h', secret = SECRET) =>
  new SignJWT({ role: 'authenticated', ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret));

const seconds = (count: number) => Math.floor(Date.now() / 1000) + count;

interface Line {
  socket: WebSocket;
  frames: unknown[][];
  closed: Promise<number>;
  send(...frame: unknown[]): void;
}

/** A client written for this test, which need not keep to the rules. */
async function dial(
  query: Record<string, string> = {},
  options: ConstructorParameters<typeof WebSocket>[2] = {},
): Promise<Line> {
  const url = new URL('/realtime/v1/websocket', backend.url.replace('http', 'ws'));
  url.search = new URLSearchParams({ apikey: backend.anonKey, vsn: '2.0.0', ...query }).toString();
  const socket = new WebSocket(url, options);
  opened.push({ close: () => socket.terminate() });
  const frames: unknown[][] = [];
  socket.on('message', (data) => frames.push(JSON.parse(data.toString())));
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))));
  });
  return { socket, frames, closed, send: (...frame) => socket.send(JSON.stringify(frame)) };
}

describe('opening a socket', () => {
  it.each([
    ['without a key', { apikey: '' }, {}, '403'],
    ['with a key that is none', { apikey: 'sb_publishable_nothing' }, {}, '403'],
    ['in a version nobody knows', { vsn: '3.0.0' }, {}, '400'],
    ['from a page of another site', {}, { origin: 'https://elsewhere.example' }, '403'],
  ])('%s is refused', async (_, query, options, status) => {
    await expect(dial(query, options)).rejects.toThrow(status);
  });

  it('from a page of the site itself is not', async () => {
    const line = await dial({}, { origin: backend.url });
    line.send(null, '1', 'phoenix', 'heartbeat', {});
    await until(() => line.frames.length === 1);
    expect(line.frames[0]).toEqual([null, '1', 'phoenix', 'phx_reply', { status: 'ok', response: {} }]);
  });

  it('is refused to a network that has five hundred, however many it asks for at once, and to no other', async () => {
    const from = (address: string) => dial({}, { headers: { 'x-forwarded-for': address } });
    const dialled = await Promise.allSettled(
      Array.from({ length: 520 }, (_, number) => from(`2001:db8:0:1::${number.toString(16)}`)),
    );
    const refused = dialled.filter((one) => one.status === 'rejected').map(({ reason }) => reason.message);
    expect(refused).toEqual(Array(20).fill('429'));
    await from('2001:db8:1::1');
    for (const one of dialled) if (one.status === 'fulfilled') one.value.socket.close();
    await vi.waitUntil(() => from('2001:db8:0:1::1').catch(() => undefined), { timeout: TIMEOUT_MS });
  });

  it('is nothing for a plain request', async () => {
    const response = await fetch(`${backend.url}/realtime/v1/websocket?apikey=${backend.anonKey}`);
    expect(response.status).toBe(426);
    const other = await fetch(`${backend.url}/realtime/v1/api/broadcast`, { method: 'POST' });
    expect(other.status).toBe(404);
  });
});

describe('the protocol', () => {
  it('speaks version 1 to who asks for it', async () => {
    const client = createClient(backend.url, backend.anonKey, {
      auth: { persistSession: false },
      realtime: { vsn: '1.0.0' },
    });
    const subscriber = await subscribeTo(tracked(client), { table: 'places' });
    await database.query("insert into public.places values ('old', 1, 'client')");
    await until(() => subscriber.changes.length === 1);
    expect(subscriber.changes[0]?.new).toEqual({ area: 'old', number: 1, colour: 'client' });
  });

  it('answers a join whose parts are of the wrong type, and goes on', async () => {
    const line = await dial();
    const neither = { toString: null, valueOf: null };
    const bindings = [{ event: neither, schema: 'public', table: 'places' }];
    const options = { wait: true, timeout: neither };
    line.send('1', '1', 'realtime:a', 'phx_join', {
      config: { postgres_changes: bindings, postgres_changes_options: options, private: neither },
      access_token: neither,
    });
    await until(() => line.frames.length > 0);
    expect(line.frames[0]).toEqual([
      '1',
      '1',
      'realtime:a',
      'phx_reply',
      { status: 'ok', response: { postgres_changes: [{ ...bindings[0], id: expect.any(Number) }] } },
    ]);
    line.send(null, '2', 'phoenix', 'heartbeat', neither);
    await until(() => line.frames.some(([, ref]) => ref === '2'));
  });

  it('answers a join with the bindings in their order, then says when changes will be heard', async () => {
    const line = await dial();
    const bindings = [
      { event: 'INSERT', schema: 'public', table: 'places' },
      { event: '*', schema: 'public', table: 'readings', filter: 'id=gt.3' },
    ];
    line.send('5', '6', 'realtime:desk', 'phx_join', {
      config: {
        broadcast: { ack: false, self: false },
        presence: { key: '', enabled: false },
        postgres_changes: bindings,
        private: false,
      },
    });
    await until(() => line.frames.length === 2);
    expect(line.frames[0]).toEqual([
      '5',
      '6',
      'realtime:desk',
      'phx_reply',
      {
        status: 'ok',
        response: { postgres_changes: bindings.map((one) => ({ ...one, id: expect.any(Number) })) },
      },
    ]);
    expect(line.frames[1]).toEqual([
      '5',
      null,
      'realtime:desk',
      'system',
      { channel: 'desk', extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL' },
    ]);
  });

  it('brings a change to each channel under its own topic and reference, in the order of the commits', async () => {
    const config = { postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'places' }] };
    const lines = await Promise.all([dial(), dial(), dial(), dial({ vsn: '1.0.0' })]);
    const channels = [
      ['1', 'realtime:one'],
      ['7', 'realtime:one'],
      ['7', 'realtime:two'],
    ] as const;
    const objects: Record<string, unknown>[] = [];
    lines[3]?.socket.on('message', (data) => objects.push(JSON.parse(data.toString())));
    for (const [index, [ref, topic]] of channels.entries())
      lines[index]?.send(ref, ref, topic, 'phx_join', { config });
    lines[3]?.socket.send(
      JSON.stringify({
        topic: 'realtime:one',
        event: 'phx_join',
        ref: '7',
        join_ref: '7',
        payload: { config },
      }),
    );
    await until(
      () =>
        lines.slice(0, 3).every(({ frames }) => frames.some(([, , , event]) => event === 'system')) &&
        objects.some(({ event }) => event === 'system'),
    );
    const colours = ['first', 'é'.repeat(50_000), 'third'];
    await database.query(
      "insert into public.places select 'shared', number, colour from unnest($1::text[]) with ordinality as c (colour, number)",
      [colours],
    );
    const isChange = (event: unknown) => event === 'postgres_changes';
    const coloursOf = (payload: unknown) =>
      (payload as { data: { record: { colour: string } } }).data.record.colour;
    const changesOf = ({ frames }: Line) => frames.filter(([, , , event]) => isChange(event));
    await until(
      () =>
        lines.slice(0, 3).every((line) => changesOf(line).length === 3) &&
        objects.filter(({ event }) => isChange(event)).length === 3,
    );
    for (const [index, channel] of channels.entries()) {
      const heard = changesOf(lines[index] as Line);
      expect(heard.map(([ref, , topic]) => [ref, topic])).toEqual([channel, channel, channel]);
      expect(heard.map(([, , , , payload]) => coloursOf(payload))).toEqual(colours);
    }
    const heard = objects.filter(({ event }) => isChange(event));
    expect(heard.map(({ topic, join_ref }) => [topic, join_ref])).toEqual(
      Array(3).fill(['realtime:one', '7']),
    );
    expect(heard.map(({ payload }) => coloursOf(payload))).toEqual(colours);
  });

  it('waits with the reply until changes are heard, when asked to', async () => {
    const client = tracked(visitor(backend));
    const good = joinChannel(client, [{ table: 'readings' }], 'patient', {
      postgres_changes_options: { wait: true },
    });
    await until(() => good.states.length === 1);
    await database.query("insert into public.readings (label) values ('at once')");
    await until(() => good.changes.length === 1);
    const bad = joinChannel(client, [{ table: 'nothing' }], 'in vain', {
      postgres_changes_options: { wait: true },
    });
    await until(() => bad.states.length === 1);
    expect(bad.states[0]).toMatch(/^CHANNEL_ERROR: RealtimeDisabledForConfiguration: Unable to subscribe/);
  });

  it('closes the first channel when its topic is joined again, and a channel that is left', async () => {
    const line = await dial();
    line.send('1', '1', 'realtime:twice', 'phx_join', { config: {} });
    line.send('2', '2', 'realtime:twice', 'phx_join', { config: {} });
    line.send('2', '3', 'realtime:twice', 'phx_leave', {});
    line.send('2', '4', 'realtime:twice', 'access_token', { access_token: 'x' });
    await until(() => line.frames.length === 6);
    expect(
      line.frames.map(([joinRef, ref, , event, payload]) => [
        joinRef,
        ref,
        event,
        (payload as { status?: string }).status,
      ]),
    ).toEqual([
      ['1', '1', 'phx_reply', 'ok'],
      ['1', null, 'phx_close', undefined],
      ['2', '2', 'phx_reply', 'ok'],
      ['2', '3', 'phx_reply', 'ok'],
      ['2', null, 'phx_close', undefined],
      ['2', '4', 'phx_reply', 'error'],
    ]);
  });

  it('unsubscribes: what is written later is not heard', async () => {
    const client = tracked(visitor(backend));
    const [removed, stays] = [
      await subscribeTo(client, { table: 'readings' }),
      await subscribeTo(client, { table: 'readings' }),
    ];
    expect(await client.removeChannel(removed.channel)).toBe('ok');
    await database.query("insert into public.readings (label) values ('later')");
    await until(() => stays.changes.length === 1);
    expect(removed.changes).toEqual([]);
  });

  it('refuses broadcast, presence and private channels aloud, and passes nothing on', async () => {
    const [talker, receiver] = [tracked(visitor(backend)), tracked(visitor(backend))];
    const broadcasts: unknown[] = [];
    const subscriber = joinChannel(receiver, [{ table: 'notes' }], 'notes');
    subscriber.channel.on('broadcast', { event: '*' }, (payload) => broadcasts.push(payload));
    await until(() => subscriber.system.length === 1);
    const channel = talker.channel('notes', { config: { broadcast: { ack: true } } });
    await new Promise<void>((resolve) => channel.subscribe((state) => state === 'SUBSCRIBED' && resolve()));
    expect(await channel.send({ type: 'broadcast', event: 'postgres_changes', payload: { ids: [1] } })).toBe(
      'error',
    );
    expect(await channel.track({ here: true })).toBe('error');
    const secret = joinChannel(talker, [], 'secret', { private: true });
    await until(() => secret.states.length === 1);
    expect(secret.states[0]).toBe(
      'CHANNEL_ERROR: Unauthorized: You do not have permissions to read from this Channel topic: secret',
    );
    await database.query(
      "insert into public.notes (owner, body, public) values (gen_random_uuid(), 'real', true)",
    );
    await until(() => subscriber.changes.length === 1);
    expect(broadcasts).toEqual([]);
  });
});

describe('a token', () => {
  it.each([
    ['that is none', async () => 'nonsense', 'MalformedJWT: The token provided is not a valid JWT'],
    [
      'signed by somebody else',
      () => tokenOf({}, '1h', `not ${SECRET}`),
      'JwtSignatureError: Failed to validate JWT signature',
    ],
    ['that has run out', () => tokenOf({}, seconds(-5)), /^InvalidJWTToken: Token has expired/],
    [
      'without a role',
      () => tokenOf({ role: undefined }),
      'InvalidJWTToken: Fields `role` and `exp` are required in JWT',
    ],
  ])('%s does not open a channel', async (_, make, reason) => {
    const line = await dial();
    line.send('1', '1', 'realtime:x', 'phx_join', { config: {}, access_token: await make() });
    await until(() => line.frames.length === 1);
    expect(line.frames[0]?.[4]).toEqual({
      status: 'error',
      response: { reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) },
    });
  });

  it('of a session that has ended does not open a channel', async () => {
    const person = await member(backend);
    const { data } = await person.client.auth.getSession();
    await person.client.auth.signOut();
    // The end of the session is announced through the database, so the first subscription may still come
    // before it.
    await expect
      .poll(async () => {
        const line = await dial();
        line.send('1', '1', 'realtime:x', 'phx_join', {
          config: {},
          access_token: data.session?.access_token,
        });
        await until(() => line.frames.length > 0);
        line.socket.terminate();
        return line.frames[0]?.[4];
      })
      .toEqual({ status: 'error', response: { reason: 'Unauthorized: The session has ended' } });
  });

  it('of a role that does not exist hears nothing', async () => {
    const client = tracked(visitor(backend));
    await client.realtime.setAuth(await tokenOf({ role: 'nobody_at_all' }));
    const subscriber = joinChannel(client, [{ table: 'readings' }]);
    const twin = await subscribeTo(tracked(visitor(backend)), { table: 'readings' });
    await until(() => subscriber.system.length > 0);
    await database.query("insert into public.readings (label) values ('for roles')");
    await until(() => twin.changes.length === 1);
    expect(subscriber.changes).toEqual([]);
  });

  it('that runs out ends the channel, unless it was renewed', async () => {
    const sub = crypto.randomUUID();
    const lasting = await tokenOf({ sub });
    const [short, renewed] = [tracked(visitor(backend)), tracked(visitor(backend))];
    const began = performance.now();
    for (const client of [short, renewed]) await client.realtime.setAuth(lasting);
    const [ends, goesOn] = [
      await subscribeTo(short, { table: 'readings' }),
      await subscribeTo(renewed, { table: 'readings' }),
    ];
    // The token has to last until it is renewed, which takes less time than the two subscriptions took.
    const took = Math.ceil((performance.now() - began) / 1000);
    const brief = await tokenOf({ sub }, seconds(2 + took));
    for (const client of [short, renewed]) await client.realtime.setAuth(brief);
    await renewed.realtime.setAuth(lasting);
    await until(() => goesOn.system.length === 3);
    await until(() => ends.states.at(-1) === 'CLOSED');
    expect(ends.system.at(-1)).toMatchObject({
      status: 'error',
      extension: 'system',
      message: expect.stringMatching(/^Token has expired/),
    });
    await database.query("insert into public.readings (label) values ('after the end')");
    await until(() => goesOn.changes.length === 1);
    expect(ends.changes).toEqual([]);
  });

  it('that is renewed with one that is no good ends the channel', async () => {
    const client = tracked(visitor(backend));
    const subscriber = await subscribeTo(client, { table: 'readings' });
    await client.realtime.setAuth(await tokenOf({}, '1h', `not ${SECRET}`));
    await until(() => subscriber.states.at(-1) === 'CLOSED');
    expect(subscriber.system.at(-1)?.message).toBe('Failed to validate JWT signature');
  });

  it('changes who hears: the next change is checked for the new person', async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const client = tracked(visitor(backend));
    await client.realtime.setAuth(await tokenOf({ sub: first }));
    const subscriber = await subscribeTo(client, { table: 'notes' });
    await client.realtime.setAuth(await tokenOf({ sub: second }));
    await until(() => subscriber.system.length === 2);
    await database.query('insert into public.notes (owner, body) values ($1, $2), ($3, $4)', [
      first,
      'of the first',
      second,
      'of the second',
    ]);
    await until(() => subscriber.changes.length === 1);
    expect(subscriber.changes[0]?.new).toMatchObject({ body: 'of the second' });
  });

  it.each([
    ['signing out', (client: SupabaseClient) => client.auth.signOut({ scope: 'local' })],
    ['being removed', async (_: SupabaseClient, id: string) => operator(backend).auth.admin.deleteUser(id)],
  ])('dies with its session: %s ends every channel of it, in every process', async (_, end) => {
    const other = await startTestBackend({ JWT_SECRET: SECRET }, undefined, backend);
    try {
      const person = await member(backend);
      const { data } = await person.client.auth.getSession();
      const token = data.session?.access_token ?? '';
      const [here, there] = [tracked(visitor(backend)), tracked(visitor(other))];
      for (const client of [here, there]) await client.realtime.setAuth(token);
      const subscribers = [
        await subscribeTo(here, { table: 'notes' }),
        await subscribeTo(there, { table: 'notes' }),
      ];
      await end(person.client, person.id);
      await until(() => subscribers.every((subscriber) => subscriber.states.at(-1) === 'CLOSED'));
      expect(subscribers.map((subscriber) => subscriber.system.at(-1)?.message)).toEqual([
        'The session has ended',
        'The session has ended',
      ]);
    } finally {
      await other.stop();
    }
  });
});

describe('a client that misbehaves', () => {
  it('is cut off for a frame that is too large', async () => {
    const line = await dial();
    line.socket.send('x'.repeat(10 * 1024 * 1024));
    expect(await line.closed).toBe(1009);
  });

  it('is cut off for a message in ever more parts', async () => {
    const line = await dial();
    for (let part = 0; part < 20; part++) line.socket.send('x', { fin: false });
    expect(await line.closed).toBe(1008);
  });

  it('is cut off for a thousand messages a second', async () => {
    const line = await dial();
    for (let index = 0; index < 1000; index++) line.send(null, String(index), 'phoenix', 'heartbeat', {});
    expect(await line.closed).toBe(1008);
  });

  it.each([
    ['no JSON', '{'],
    ['an object in version 2', '{}'],
    ['null', 'null'],
    ['a topic that is a number', '[null,"1",7,"phx_join",{}]'],
    ['a reference that is an object', '[{},"1","realtime:x","phx_join",{}]'],
    ['bytes', Buffer.from([9, 9, 9])],
    ['bytes shorter than they say', Buffer.from([3, 200, 200, 200, 0, 0, 1, 65])],
  ])('is cut off for a frame that is none: %s', async (_, frame) => {
    const line = await dial();
    line.socket.send(frame);
    expect(await line.closed).toBe(1007);
  });

  it('gets an answer to a join that makes no sense', async () => {
    const line = await dial();
    const payloads = [
      null,
      7,
      'x',
      [],
      { config: 7 },
      { config: { postgres_changes: 'x' } },
      { config: { postgres_changes: [7, null, {}] } },
    ];
    for (const [index, payload] of payloads.entries())
      line.send('1', String(index), `realtime:${index}`, 'phx_join', payload);
    line.send('1', 'a', 'realtime:', 'phx_join', {});
    line.send('1', 'b', 'elsewhere', 'phx_join', {});
    line.send('1', 'c', 'realtime:never', 'phx_leave', {});
    await until(() => line.frames.filter((frame) => frame[3] === 'phx_reply').length === 10);
    const replies = new Map(
      line.frames.filter((frame) => frame[3] === 'phx_reply').map((frame) => [frame[1], frame[4]]),
    );
    expect(replies.get('0')).toEqual({ status: 'ok', response: { postgres_changes: [] } });
    expect(replies.get('a')).toEqual({
      status: 'error',
      response: { reason: 'TopicNameRequired: You must provide a topic name' },
    });
    expect(replies.get('b')).toEqual({ status: 'error', response: { reason: 'unmatched topic' } });
    expect(replies.get('c')).toEqual({ status: 'ok', response: {} });
  });

  it('gets no more than a hundred channels', async () => {
    const line = await dial();
    for (let index = 0; index < 60; index++)
      line.send('1', String(index), `realtime:${index}`, 'phx_join', { config: {} });
    await until(() => line.frames.length === 60);
    // Messages are limited by the second, too.
    const sent = performance.now();
    await until(() => performance.now() > sent + 1_000);
    for (let index = 60; index < 101; index++)
      line.send('1', String(index), `realtime:${index}`, 'phx_join', { config: {} });
    await until(() => line.frames.length === 101);
    expect(line.frames.at(-1)?.[4]).toEqual({
      status: 'error',
      response: { reason: 'ChannelRateLimitReached: Too many channels' },
    });
  });

  it('leaves nothing behind where its joins are refused, and can have its hundred channels afterwards', async () => {
    const line = await dial();
    const refused = [
      { config: { private: true } },
      { config: { postgres_changes: Array(101).fill({ event: '*', schema: 'public', table: 'readings' }) } },
      {
        config: {
          postgres_changes: [{ event: '*', schema: 'public', table: 'nothing' }],
          postgres_changes_options: { wait: true },
        },
      },
      { config: {}, access_token: await tokenOf({}, seconds(-60)) },
    ];
    for (let index = 0; index < 80; index++)
      line.send('1', String(index), `realtime:${index}`, 'phx_join', refused[index % refused.length]);
    const replies = () => line.frames.filter((frame) => frame[3] === 'phx_reply');
    await until(() => replies().length === 80);
    expect(replies().map((frame) => frame[4])).toEqual(
      Array(80).fill(expect.objectContaining({ status: 'error' })),
    );
    expect(backend.held.counts()).toMatchObject({ 'channels of a socket': 0, 'channels of a network': 0 });
    line.send('1', 'last', 'realtime:last', 'phx_join', { config: {} });
    await until(() => replies().length === 81);
    expect(backend.held.counts()).toMatchObject({ 'channels of a socket': 1, 'channels of a network': 1 });
  });

  it('gets no channel that is more than its network may have kept', async () => {
    const lines = [await dial(), await dial()];
    const replies = () => lines.flatMap(({ frames }) => frames.filter((frame) => frame[3] === 'phx_reply'));
    for (let index = 0; index < 70; index++)
      for (const line of lines)
        line.send('1', String(index), `realtime:${index}`, 'phx_join', {
          config: {},
          more: 'x'.repeat(250_000),
        });
    await until(() => replies().length === 140);
    expect(replies().filter((frame) => JSON.stringify(frame[4]).includes('Too many channels')).length).toBe(
      6,
    );
  });

  it('is read no further while its messages wait, and each is answered in the end', async () => {
    const line = await dial();
    const waiting = () => backend.held.counts()['waiting bytes of a network'];
    await database.query('begin; lock table pg_catalog.pg_publication_rel in access exclusive mode');
    try {
      line.send('1', 'join', 'realtime:waits', 'phx_join', {
        config: {
          postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'readings' }],
          postgres_changes_options: { wait: true },
        },
      });
      for (let index = 0; index < 90; index++)
        line.send('1', String(index), 'realtime:none', 'access_token', { x: 'x'.repeat(50_000) });
      await until(() => waiting() > 512 * 1024);
      // Another client is answered in the meantime, and no more of this one has been read.
      const other = await dial();
      other.send(null, '1', 'phoenix', 'heartbeat', {});
      await until(() => other.frames.length === 1);
      expect(waiting()).toBeLessThan(1024 * 1024);
    } finally {
      await database.query('rollback');
    }
    await until(() => line.frames.filter((frame) => frame[3] === 'phx_reply').length === 91);
  });

  it('with many subscriptions has one made in a turn, so that another client has its own before they are all there', async () => {
    await subscribeTo(tracked(visitor(backend)), { table: 'readings' });
    const from = (address: string) => dial({}, { headers: { 'x-forwarded-for': address } });
    const join = (line: Line, count: number) =>
      line.send('1', '1', 'realtime:many', 'phx_join', {
        config: { postgres_changes: Array(count).fill({ event: '*', schema: 'public', table: 'readings' }) },
      });
    const isSubscribed = ({ frames }: Line) => frames.some(([, , , event]) => event === 'system');
    const greedy = [await from('192.0.2.1'), await from('198.51.100.1')];
    const modest = await from('203.0.113.1');
    const turns = () => backend.held.counts().turns;
    await database.query('begin; lock table pg_catalog.pg_publication_rel in access exclusive mode');
    try {
      for (const line of greedy) join(line, 100);
      await until(() => turns() === 2);
      join(modest, 1);
      await until(() => turns() === 3);
    } finally {
      await database.query('rollback');
    }
    await until(() => isSubscribed(modest));
    expect(greedy.map(isSubscribed)).toEqual([false, false]);
    await until(() => greedy.every(isSubscribed));
  });

  it('that reads nothing is cut off instead of being kept for', async () => {
    const line = await dial();
    line.send('1', '1', 'realtime:slow', 'phx_join', {
      config: { postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'readings' }] },
    });
    await until(() => line.frames.length === 2);
    line.socket.pause();
    const twin = await subscribeTo(tracked(visitor(backend)), { table: 'readings', filter: 'label=eq.last' });
    await database.query(
      "insert into public.readings (label, long) select 'flood', repeat(md5(n::text), 16000) from generate_series(1, 60) n",
    );
    await database.query("insert into public.readings (label) values ('last')");
    await until(() => twin.changes.length === 1);
    line.socket.resume();
    expect(await line.closed).toBe(1006);
    expect(line.frames.length).toBeLessThan(62);
    await database.query('delete from public.readings');
  });
});

describe('when the server stops', () => {
  it('every client is told to come back, and the server does not wait for it', async () => {
    const second = await startTestBackend({ JWT_SECRET: SECRET }, undefined, backend);
    const url = new URL('/realtime/v1/websocket', second.url.replace('http', 'ws'));
    url.search = new URLSearchParams({ apikey: second.anonKey, vsn: '2.0.0' }).toString();
    const socket = new WebSocket(url);
    await new Promise((resolve) => socket.on('open', resolve));
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await second.stop();
    expect(await closed).toBe(1012);
  });
});
