import type { SupabaseClient } from '@supabase/supabase-js';
import { type FunctionContext, refusal, required, serviceClient } from '../context.ts';

/**
 * Adds the demo content for an admin; existing rows stay as they are. Off in production, whose visitors must
 * not meet accounts with a known password.
 */
export default async function seedDemo(request: Request, context: FunctionContext): Promise<Response> {
  if (context.production) return refusal(404, 'Not Found', 'Demo content is off in production.');
  if (request.method !== 'POST') return refusal(405, 'Method Not Allowed', 'Demo content is added by POST.');
  const client = serviceClient(context);
  const roles = await required(
    client
      .from('user_roles')
      .select('role')
      .eq('user_id', context.claims?.sub ?? '00000000-0000-0000-0000-000000000000')
      .eq('role', 'admin'),
  );
  if (!roles?.length) return refusal(403, 'Forbidden', 'Only admins can add demo content.');
  if (!(await isAssured(client, context)))
    return refusal(403, 'Forbidden', 'Please confirm your second step first.');
  // The server reads every function at its start, and needs the demo content and what draws it for this alone.
  const { seedDemoData } = await import('../../seed/seed.ts');
  return Response.json(await seedDemoData(client));
}

/**
 * As the database requires for every power of an admin: one who has set up a second factor must have passed
 * it.
 */
async function isAssured(client: SupabaseClient, { claims }: FunctionContext): Promise<boolean> {
  if (claims?.aal === 'aal2') return true;
  const listed = await required(client.auth.admin.mfa.listFactors({ userId: claims?.sub ?? '' }));
  return !listed?.factors.some(({ status }) => status === 'verified');
}
