import type { Context, Hono } from 'hono';
import type { Env } from '../context.ts';
import { AuthError, type ErrorCode } from './errors.ts';

/** The endpoints of the protocol that this service does not serve, refused in the protocol's terms. */
export function refuseUnsupported(app: Hono<Env>): void {
  const refuse = (code: ErrorCode, message: string) => (_context: Context<Env>) => {
    throw new AuthError(code, message);
  };
  app.all('/oauth/*', refuse('feature_disabled', 'The OAuth server is disabled'));
  app.all('/user/oauth/*', refuse('feature_disabled', 'The OAuth server is disabled'));
  app.all('*', refuse('not_found', 'There is nothing at this address'));
}
