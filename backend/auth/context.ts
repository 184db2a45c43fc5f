import type { Context } from 'hono';
import { z } from 'zod';
import type { AfterResponse } from '../after-response.ts';
import type { Dependencies, Env } from '../context.ts';
import { parseJson } from '../http/json.ts';
import type { SmsSender } from '../mail/sms.ts';
import type { AuthEmails } from './emails.ts';
import { AuthError } from './errors.ts';
import type { Providers } from './external/providers.ts';
import type { RateLimits } from './rate-limits.ts';

/** The dependencies that every operation of this service receives. */
export interface AuthContext extends Dependencies {
  afterResponse: AfterResponse;
  rateLimits: RateLimits;
  emails: AuthEmails;
  sms: SmsSender;
  providers: Providers;
}

export type AuthHandler = (context: Context<Env>, auth: AuthContext) => Promise<Response>;

/** Empty text counts as absent, as in the official service. */
const text = z
  .string()
  .max(4096)
  .nullish()
  .transform((value) => value || undefined);

/** An object people may fill freely; it travels in every access token, so it must stay small. */
const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? undefined)
  .refine((value) => JSON.stringify(value ?? {}).length <= 4096, 'must not be larger than 4096 characters');

/** The schemas that request bodies are composed of. */
/** The pattern of the schema library, and top-level domains of other scripts. */
const EMAIL = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)$/i;

export const field = {
  text,
  metadata,
  email: text.transform((value, context) => {
    if (value === undefined) return undefined;
    const email = value.trim().toLowerCase();
    if (email.length <= 255 && EMAIL.test(email)) return email;
    context.addIssue({
      code: 'custom',
      message: 'Unable to validate email address: invalid format',
      params: { whole: true },
    });
    return z.NEVER;
  }),
  challengeMethod: z
    .string()
    .nullish()
    .transform((value, context) => {
      const method = value?.toLowerCase() || undefined;
      if (method === undefined || method === 's256' || method === 'plain') return method;
      context.addIssue({ code: 'custom', message: 'must be s256 or plain' });
      return z.NEVER;
    }),
};

// PostgreSQL can store neither a NUL nor half a surrogate pair; JSON.stringify escapes exactly these.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

/** Reads and checks a JSON body. An absent body is an empty object. */
export async function readBody<T extends z.ZodType>(context: Context<Env>, schema: T): Promise<z.output<T>> {
  const sent = await context.req.text();
  let body: unknown;
  try {
    body = sent.trim() === '' ? {} : parseJson(sent);
  } catch {
    throw new AuthError('bad_json', 'Could not parse request body as JSON');
  }
  if (UNSTORABLE.test(JSON.stringify(body))) {
    throw new AuthError('validation_failed', 'The request holds text that cannot be stored');
  }
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const whole = issue?.code === 'custom' && issue.params?.whole === true;
  throw new AuthError(
    'validation_failed',
    whole ? issue.message : `${issue?.path.join('.') || 'body'}: ${issue?.message}`,
  );
}
