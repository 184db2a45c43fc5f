import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAnswer, type Schemas } from '#app/errors.ts';

const counts = (z: Schemas) => z.object({ members: z.number() });
const answer = (data: unknown, error: { message: string } | null = null) => Promise.resolve({ data, error });

describe('an answer of a function, in the browser', () => {
  beforeEach(() => vi.stubEnv('SSR', false));
  afterEach(() => vi.unstubAllEnvs());

  it('is its data, without what no one asked for', async () => {
    expect(await readAnswer(answer({ members: 3, more: true }), counts)).toEqual({ members: 3 });
  });

  it.each([[{}], [null], [{ members: '3' }], ['3']])('in another form is refused: %j', async (data) => {
    await expect(readAnswer(answer(data), counts)).rejects.toThrow('This page is older than the site');
  });

  it('that is an error is thrown as it is', async () => {
    const error = { message: 'permission denied' };
    await expect(readAnswer(answer(null, error), counts)).rejects.toBe(error);
  });
});
