import { randomUUID } from 'node:crypto';
import type { AuthContext } from '../context.ts';
import { AuthError, isErrorCode } from '../errors.ts';

/** The answer of the hook: empty, or a refusal. Its code is an addition of ours, which Supabase's own service ignores. */
interface HookAnswer {
  error?: { http_code?: number; message?: string; code?: string };
}

/**
 * Why no account may be added now, by the settings or by the project's hook "before user created"; undefined when one may.
 * Asked before an account is looked for, so that the answer depends on none.
 *
 * @param person how they can be reached; without either, whether sign-up is open at all
 */
export async function signUpRefusal(
  { config, authDatabase }: Pick<AuthContext, 'config' | 'authDatabase'>,
  person: { email?: string; phone?: string },
): Promise<AuthError | undefined> {
  if (!config.auth.enable_signup)
    return new AuthError('signup_disabled', 'Signups not allowed for this instance');
  const { enabled, uri } = config.auth.hook.before_user_created;
  if (!enabled) return undefined;
  const [schema = '', name = ''] = uri.split('/').slice(-2);
  const event = {
    metadata: { uuid: randomUUID(), time: new Date().toISOString(), name: 'before-user-created' },
    user: person,
  };
  const { rows } = await authDatabase.query<{ answer: HookAnswer | null }>(
    `select "${schema}"."${name}"($1::jsonb) as answer`,
    [event],
  );
  const refusal = rows[0]?.answer?.error;
  if (!refusal) return undefined;
  const code = refusal.code && isErrorCode(refusal.code) ? refusal.code : 'signup_disabled';
  return new AuthError(code, refusal.message ?? 'Signups not allowed for this instance', { status: 422 });
}

/** @throws AuthError signup_disabled, or what the hook says */
export async function requireOpenSignups(
  auth: AuthContext,
  person: { email?: string; phone?: string },
): Promise<void> {
  const refusal = await signUpRefusal(auth, person);
  if (refusal) throw refusal;
}
