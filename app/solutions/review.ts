import type { Client } from '#app/supabase.ts';

/** The consent statements as their authors saw them; a new wording needs a new version. */
export const consentVersion = '2026-11-01';

export const consentStatements = [
  { basis: 'patient_written', text: 'The patient has consented in writing' },
  { basis: 'guardian_written', text: 'A parent or guardian has consented in writing' },
  { basis: 'nobody_recognisable', text: 'No person is shown or recognisable' },
] as const;

export function consentText(basis: string): string {
  return consentStatements.find((statement) => statement.basis === basis)?.text ?? basis;
}

export type Decision = { status: 'approved' } | { status: 'rejected'; rejection_reason: string };

/**
 * Decides on a pending solution and has its files moved accordingly. The files follow by themselves within
 * seconds should the call for them fail, so its failure is not one of the decision.
 */
export async function decide(db: Client, id: string, decision: Decision): Promise<void> {
  const { data, error } = await db
    .from('solutions')
    .update(decision)
    .eq('id', id)
    .eq('status', 'pending')
    .select('id');
  if (error) throw error;
  if (data.length === 0)
    throw new Error('Somebody else has decided on this solution meanwhile, or it is your own');
  await db.functions.invoke('process-media-jobs', { method: 'POST' });
}
