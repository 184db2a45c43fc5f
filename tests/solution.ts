import type { SupabaseClient } from '@supabase/supabase-js';
import type { QueryConfig } from 'pg';

/** The required columns of a solution, without its author. */
export const SOLUTION = {
  title: 'Printed socket for a violin bow',
  description: 'A two-part socket that holds the bow at its balance point and lets the wrist follow.',
  occupation: 'Walking',
  amputation_level: 'Transtibial (Below Knee)',
  age_group: 'Adults',
  prosthesis_type: 'Passive',
  cost_range: 'Low-cost (<$500)',
};

/** The statement that adds one and returns its row, for any role that may add one. */
export function insertSolution(changes: Record<string, unknown>): QueryConfig & { values: unknown[] } {
  const row = { ...SOLUTION, ...changes };
  const columns = Object.keys(row);
  return {
    text: `insert into public.solutions (${columns}) values (${columns.map((_, place) => `$${place + 1}`)}) returning id, user_id, title, status, likes_count`,
    values: Object.values(row),
  };
}

/** The same with the consent statement that an approval needs, for the database's owner. */
export function insertConsented(changes: Record<string, unknown>): QueryConfig & { values: unknown[] } {
  const { text, values } = insertSolution(changes);
  return {
    text: `with made as (${text}), stated as (
      insert into public.solution_consents (solution_id, basis, statement_version, recorded_by)
      select id, 'patient_written', '2026-11-01', user_id from made
    ) select * from made`,
    values,
  };
}

/**
 * The same through the API, with the service key; returns its id. No member is notified of an approved one.
 *
 * @param changes `user_id`, and other columns that differ from `SOLUTION`; without a status it is pending
 */
export async function shareSolution(
  service: SupabaseClient,
  changes: Record<string, unknown>,
): Promise<string> {
  const approved = changes.status === 'approved';
  const { data } = await service
    .from('solutions')
    .insert({ ...SOLUTION, ...changes, ...(approved ? { status: 'pending' } : {}) })
    .select('id')
    .single()
    .throwOnError();
  const id = String(data.id);
  await service
    .from('solution_consents')
    .insert({ solution_id: id, basis: 'patient_written', statement_version: '2026-11-01' })
    .throwOnError();
  if (approved) {
    await service.from('solutions').update({ status: 'approved' }).eq('id', id).throwOnError();
    await service.from('notifications').delete().eq('solution_id', id).throwOnError();
  }
  return id;
}
