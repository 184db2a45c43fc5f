import { join } from 'node:path';
import { FunctionsHttpError, FunctionsRelayError } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../backend.ts';
import { visitor } from '../auth/fixtures.ts';

const withFunctions = (functionSeconds?: number) =>
  startTestBackend({}, (config) => ({
    ...config,
    functionsDir: join(import.meta.dirname, 'samples'),
    functions: { open: { enabled: true, verify_jwt: false }, shut: { enabled: false, verify_jwt: false } },
    functionSeconds: functionSeconds ?? config.functionSeconds,
  }));
let backend: TestBackend;
beforeAll(async () => {
  backend = await withFunctions();
});
afterAll(() => backend.stop());

const invoke = (...call: Parameters<ReturnType<typeof visitor>['functions']['invoke']>) =>
  visitor(backend).functions.invoke(...call);

describe('a call', () => {
  test.each([
    ['text', 'hello', 'text/plain;charset=UTF-8'],
    ['an object', { a: 1 }, 'application/json'],
    ['bytes', new TextEncoder().encode('raw').buffer, 'application/octet-stream'],
  ])('carries %s', async (_what, body, type) => {
    const { data, error } = await invoke('echo', { body });
    expect(error).toBeNull();
    expect(data).toMatchObject({ method: 'POST', url: '/echo', role: 'anon' });
    expect(data.type.toLowerCase()).toContain(type.split(';')[0]);
    expect(data.body).toBe(typeof body === 'string' ? body : body instanceof ArrayBuffer ? 'raw' : '{"a":1}');
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)(
    'by %s, with a path below and a query',
    async (method) => {
      const { data } = await invoke('echo/some/where?x=1', { method });
      expect(data).toMatchObject({ method, url: '/echo/some/where?x=1' });
    },
  );

  test('streams both ways', async () => {
    const body = Buffer.from(new Uint8Array(3_000_000).map((_, index) => index % 251));
    const { data } = await invoke('stream', { body: new Blob([body]) });
    // Compared at once: for as long as this thread is busy, a connection that the server ends would be used again.
    expect(body.equals(new Uint8Array(await data.arrayBuffer()))).toBe(true);
  });
});

test('an answer that has begun within the time limit may end after it', async () => {
  const impatient = await withFunctions(1);
  try {
    const { data } = await visitor(impatient).functions.invoke('lasting?ms=1500', { method: 'GET' });
    expect(data).toBe('begun, ended');
  } finally {
    await impatient.stop();
  }
});

describe('a refusal', () => {
  test('by the function reaches the caller untouched', async () => {
    const { error } = await invoke('broken/refuses');
    expect(error).toBeInstanceOf(FunctionsHttpError);
    expect(error.context.status).toBe(418);
    expect(await error.context.json()).toEqual({ error: 'No', message: 'not today' });
  });

  test('of a function that fails tells nothing of why', async () => {
    const { error } = await invoke('broken');
    expect(error).toBeInstanceOf(FunctionsHttpError);
    expect(error.context.status).toBe(500);
    expect(await error.context.text()).not.toContain('secret');
  });

  test('of a function that takes too long', async () => {
    const impatient = await withFunctions(1);
    try {
      const { error } = await visitor(impatient).functions.invoke('slow');
      expect(error.context.status).toBe(504);
      expect(await error.context.json()).toMatchObject({ code: 'IDLE_TIMEOUT' });
      // What it was admitted to is given back, also where its late answer has no body.
      await expect.poll(() => impatient.held.counts()['archives of a network']).toBe(0);
    } finally {
      await impatient.stop();
    }
  });

  test('of a function that is not there', async () => {
    for (const name of ['nothing', 'shut', 'constructor', '..%2f..%2fserver', 'echo.ts']) {
      const { error } = await invoke(name);
      expect(error).toBeInstanceOf(FunctionsRelayError);
      expect(error.context.status).toBe(404);
      expect(await error.context.json()).toEqual({
        code: 'NOT_FOUND',
        message: 'Requested function was not found',
      });
    }
  });

  test.each([
    ['without a token', {}, 'Missing authorization header'],
    ['with a forged one', { authorization: 'Bearer a.b.c' }, 'Invalid JWT'],
    [
      'with an unsigned one',
      { authorization: `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"role":"service_role"}')}.` },
      'Invalid JWT',
    ],
  ])('%s', async (_what, headers: Record<string, string>, message) => {
    const response = await fetch(`${backend.url}/functions/v1/echo`, { method: 'POST', headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('x-relay-error')).toBe('true');
    expect(await response.json()).toEqual({ code: 401, message });
  });

  test('not where the configuration says everyone', async () => {
    const response = await fetch(`${backend.url}/functions/v1/open`);
    expect([response.status, await response.text()]).toEqual([200, 'nobody']);
  });
});
