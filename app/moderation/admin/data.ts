import { functionMessage } from '#app/errors.ts';
import type { Client } from '#app/supabase.ts';

/**
 * Has the demo content added.
 *
 * @throws Error with the words for the administrator
 */
export async function seedDemoData(db: Client): Promise<void> {
  const { error } = await db.functions.invoke('seed-demo-data', { method: 'POST' });
  if (error) throw new Error(await functionMessage(error, 'Please try again.'));
}
