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

/** The checklist before a solution becomes public, by the keys that are stored with the decision. */
export const reviewChecklist = {
  recognisable_person: 'Nobody can be recognised in pictures or clips, or consent covers it',
  identifiers: 'No names, dates or hospital numbers of a patient, in text or pictures',
  consent: 'The consent statement fits what is shown',
  claims: 'Outcomes are described, not promised, and agree with the pictures',
} as const;
export type Check = keyof typeof reviewChecklist;
export type Checklist = Record<Check, boolean>;

export type Decision = { status: 'approved' } | { status: 'rejected'; rejection_reason: string };

interface DecisionInput {
  id: string;
  /** Of the reviewed version. */
  updated_at: string;
}

/**
 * Decides on a pending solution in the version the moderator saw, and has its files moved accordingly. The
 * files are moved within seconds even if the request for it fails, so its failure is not one of the decision.
 *
 * @throws Error saying so, when another moderator was first or the author has changed it meanwhile
 */
export async function decideSolution(
  db: Client,
  { id, updated_at }: DecisionInput,
  decision: Decision,
  checklist: Checklist,
): Promise<void> {
  const { data, error } = await db
    .from('solutions')
    .update({ ...decision, checklist })
    .eq('id', id)
    .eq('status', 'pending')
    .eq('updated_at', updated_at)
    .select('id');
  if (error) throw error;
  if (data.length === 0) throw new Error(await decisionProblem(db, id));
  await db.functions.invoke('process-media-jobs', { method: 'POST' });
}

async function decisionProblem(db: Client, id: string): Promise<string> {
  const { data } = await db.from('solutions').select('status').eq('id', id).maybeSingle();
  return data?.status === 'pending'
    ? 'It has changed meanwhile. Please look at it again.'
    : 'Somebody else has decided on this solution meanwhile';
}
