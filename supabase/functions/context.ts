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

/** What the host hands to every function beside the request. */
export interface FunctionContext {
  env: { SUPABASE_URL: string; SUPABASE_ANON_KEY: string; SUPABASE_SERVICE_ROLE_KEY: string };
  /** Reaches the API; inside one process without a trip through the network. */
  fetch: typeof globalThis.fetch;
  /** Of the caller's verified token. */
  claims: { sub?: string; role?: string; aal?: string } | undefined;
  /** Ends with the caller's patience or the host's. */
  signal: AbortSignal;
  media: Media;
  mailer: {
    /** @throws when no mail can go out now */
    ready(): Promise<void>;
    /** @throws when the mail was not taken; it may be sent again */
    deliver(mail: OutgoingMail): Promise<void>;
  };
  /** The address people type; links in mails carry it. */
  siteUrl: string;
  /** Faces the public: nothing that is only for trying out. */
  production: boolean;
}

/** The client that may do everything; policies do not hold it back, so the function has to. */
export function serviceClient({ env, fetch }: FunctionContext): SupabaseClient {
  return createClient(env.SUPABASE_URL, env.SUPABASE_SERVICE_ROLE_KEY, {
    global: { fetch },
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

/** A refusal in the form the site reads. */
export function refusal(status: number, error: string, message: string): Response {
  return Response.json({ error, message }, { status });
}
