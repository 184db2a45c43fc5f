import type { JWTPayload } from 'jose';
import type { Media } from '../../media/workers.ts';
import type { Mailer } from '../mail/mail.ts';

/** The arguments of a function in addition to the request. */
interface FunctionContext {
  env: { SUPABASE_URL: string; SUPABASE_ANON_KEY: string; SUPABASE_SERVICE_ROLE_KEY: string };
  fetch: typeof globalThis.fetch;
  claims: JWTPayload | undefined;
  signal: AbortSignal;
  admitArchive(member?: string): void;
  media: Media;
  mailer: Pick<Mailer, 'ready' | 'deliver'>;
  siteUrl: string;
  production: boolean;
}

export interface FunctionModule {
  default: (request: Request, context: FunctionContext) => Response | Promise<Response>;
  /** The interval at which the host itself also calls the function, with the service key. */
  everySeconds?: number;
}
