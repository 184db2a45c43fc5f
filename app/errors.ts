import type { ZodMiniType } from 'zod/mini';

/** An error's message for its reader, or `fallback` when it has none. */
export function messageOf(error: unknown, fallback: string): string {
  if (
    error &&
    typeof error === 'object' &&
    'message' in error &&
    typeof error.message === 'string' &&
    error.message
  ) {
    return error.message;
  }
  return fallback;
}

/** The database explains a temporary refusal in a message written for the reader. */
export const isLimit = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'PT429';

/** The data of a response; its error is thrown. */
export function unwrap<Data>(response: { data: Data; error: { message: string } | null }): NonNullable<Data> {
  if (response.error) throw response.error;
  if (response.data === null || response.data === undefined)
    throw new Error('The server answered without data');
  return response.data;
}

/** The schema builders. */
export type Schemas = typeof import('./answers.ts').z;

/**
 * The data of a response to `rpc`, whose type the client does not know, if it has the form that the page
 * expects.
 *
 * @param schema builds the schema; a function, since the library is loaded only with the first response to
 * check
 */
export async function readAnswer<Data>(
  call: PromiseLike<{ data: unknown; error: { message: string } | null }>,
  schema: (z: Schemas) => ZodMiniType<Data>,
): Promise<Data> {
  const [response, { z }] = await Promise.all([call, import('./answers.ts')]);
  if (response.error) throw response.error;
  const checked = z.safeParse(schema(z), response.data);
  if (!checked.success)
    throw new Error('This page is older than the site. Please reload it.', { cause: checked.error });
  return checked.data;
}

/** The error message of a server function: it is in the response's body, which the client leaves unread. */
export async function functionMessage(error: unknown, fallback: string): Promise<string> {
  if (error && typeof error === 'object' && 'context' in error && error.context instanceof Response) {
    const body: unknown = await error.context.json().catch(() => null);
    return messageOf(body, fallback);
  }
  return messageOf(error, fallback);
}
