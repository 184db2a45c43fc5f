import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Media } from '../../media/workers.ts';

export interface OutgoingMail {
  to: string;
  subject: string;
  /** The plain text is made from it. */
  html: string;
  headers: Record<string, string>;
  messageId: string;
}

/** The host's services, passed to every function with the request. */
export interface FunctionContext {
  env: { SUPABASE_URL: string; SUPABASE_ANON_KEY: string; SUPABASE_SERVICE_ROLE_KEY: string };
  /** Reaches the API; inside one process without a trip through the network. */
  fetch: typeof globalThis.fetch;
  /** Claims of the caller's verified token. */
  claims: { sub?: string; role?: string; aal?: string } | undefined;
  /** Aborts when the caller disconnects, or when the host's time limit is reached before there is an answer. */
  signal: AbortSignal;
  /**
   * Counts an answer that is an archive, made while it is read, among those of its client and member, until it is read.
   *
   * @throws where these have as many as they may; the host then asks them to come again
   */
  admitArchive(member?: string): void;
  media: Media;
  mailer: {
    /** @throws when no email can be sent now */
    ready(): Promise<void>;
    /** @throws when the email was not accepted; it may be sent again */
    deliver(mail: OutgoingMail): Promise<void>;
  };
  /** The site's public address, for links in emails. */
  siteUrl: string;
  /** Open to the public, so features for evaluation are off. */
  production: boolean;
}

/** The client with all rights; policies do not restrict it, so the function must check. */
export function serviceClient({ env, fetch }: FunctionContext): SupabaseClient {
  return createClient(env.SUPABASE_URL, env.SUPABASE_SERVICE_ROLE_KEY, {
    global: { fetch },
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

/** The client with the rights of whoever sent the request; policies decide. */
export function callerClient(request: Request, { env, fetch }: FunctionContext): SupabaseClient {
  return createClient(env.SUPABASE_URL, env.SUPABASE_ANON_KEY, {
    global: { fetch, headers: { authorization: request.headers.get('authorization') ?? '' } },
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

/** Turns the client's error object into an exception. */
export async function required<T>(
  call: PromiseLike<{ data: T; error: { message: string } | null }>,
): Promise<T> {
  const { data, error } = await call;
  if (error) throw new Error(error.message, { cause: error });
  return data;
}

/**
 * A refusal in the form the site reads.
 *
 * @param hint what the refusal is, for programs, as the table API gives it
 */
export function refusal(status: number, error: string, message: string, hint?: string): Response {
  return Response.json({ error, message, hint }, { status });
}
