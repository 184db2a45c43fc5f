import type { ZodMiniType } from 'zod/mini';

/** What an error says to its reader, or `fallback` when it has nothing to say. */
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

/** What the database refuses for now it says in words of its own, which its reader should see. */
export const isLimit = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'PT429';

/** The data of an answer; its error is thrown. */
export function unwrap<Data>(answer: { data: Data; error: { message: string } | null }): NonNullable<Data> {
  if (answer.error) throw answer.error;
  if (answer.data === null || answer.data === undefined) throw new Error('The server answered without data');
  return answer.data;
}

/** What schemas are built of. */
export type Schemas = typeof import('./answers.ts').z;

/**
 * The data of an answer to `rpc`, whose type the client does not know, if it has the form that the page expects.
 *
 * @param schema what checks it; made here, since the library is loaded only once there is an answer to check
 */
export async function readAnswer<Data>(
  call: PromiseLike<{ data: unknown; error: { message: string } | null }>,
  schema: (z: Schemas) => ZodMiniType<Data>,
): Promise<Data> {
  const [answer, { z }] = await Promise.all([call, import('./answers.ts')]);
  if (answer.error) throw answer.error;
  const checked = z.safeParse(schema(z), answer.data);
  if (!checked.success)
    throw new Error('This page is older than the site. Please reload it.', { cause: checked.error });
  return checked.data;
}

/** What a server function says went wrong: it is in the answer's body, which the client leaves unread. */
export async function functionMessage(error: unknown, fallback: string): Promise<string> {
  if (error && typeof error === 'object' && 'context' in error && error.context instanceof Response) {
    const body: unknown = await error.context.json().catch(() => null);
    return messageOf(body, fallback);
  }
  return messageOf(error, fallback);
}
