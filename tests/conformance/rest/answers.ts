import { expect, it } from 'vitest';
import type { SampleDatabase } from './sample-schema.ts';

/** One request to the table API and all that its answer must say, as PostgREST answers it. */
export interface Answer {
  /** Completes the title of the test. */
  name: string;
  /** Method and path below `/rest/v1`; `GET` when it begins with a slash. */
  request: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a text as it is. */
  body?: unknown;
  status: number;
  /** Null says that the header must be absent. */
  answerHeaders?: Record<string, string | null>;
  /** The body as JSON; left out, it is not compared. */
  answer?: unknown;
  /** The body as it is. */
  text?: string;
}

/** The body of a refusal; what is left out is null. */
export const refusal = (
  code: string,
  message: string,
  details: unknown = null,
  hint: string | null = null,
) => ({
  code,
  message,
  details,
  hint,
});

/** A request that is answered with 200. */
export const gives = (
  name: string,
  request: string,
  answer: unknown,
  more: Partial<Answer> = {},
): Answer => ({
  name,
  request,
  status: 200,
  answer,
  ...more,
});

/** A request that is refused, with the parts of its refusal. */
export const refuses = (
  name: string,
  asked: string | Pick<Answer, 'request' | 'headers' | 'body'>,
  status: number,
  ...parts: Parameters<typeof refusal>
): Answer => ({
  name,
  ...(typeof asked === 'string' ? { request: asked } : asked),
  status,
  answer: refusal(...parts),
});

/** Sends one request as a visitor, unless its headers say otherwise. */
export function send(library: SampleDatabase, { request, headers, body }: Answer): Promise<Response> {
  const [method, path] = request.startsWith('/') ? ['GET', request] : request.split(' ', 2);
  const isText = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  return fetch(`${library.backend.url}/rest/v1${path}`, {
    method,
    headers: {
      apikey: library.backend.anonKey,
      ...(body !== undefined && !isText && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? (body as string) : JSON.stringify(body) }),
  });
}

/** One test for each answer. */
export function compareAnswers(library: SampleDatabase, answers: Answer[]): void {
  it.each(answers)('$name', async (expected) => {
    const response = await send(library, expected);
    const text = await response.text();
    expect([response.status, text]).toEqual([expected.status, expect.anything()]);
    for (const [name, value] of Object.entries(expected.answerHeaders ?? {}))
      expect([name, response.headers.get(name)]).toEqual([name, value]);
    if (expected.text !== undefined) expect(text).toBe(expected.text);
    if (expected.answer !== undefined) expect(JSON.parse(text)).toEqual(expected.answer);
  });
}
