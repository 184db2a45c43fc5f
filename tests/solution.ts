import type { QueryConfig } from 'pg';

/** What a solution needs besides its author. */
export const SOLUTION = {
  title: 'Printed socket for a violin bow',
  description: 'A two-part socket that holds the bow at its balance point and lets the wrist follow.',
  occupation: 'Walking',
  amputation_level: 'Transtibial (Below Knee)',
  age_group: 'Adults',
  prosthesis_type: 'Passive',
  cost_range: 'Low-cost (<$500)',
};

/** The statement that adds one and answers with its row, for a connection to the database. */
export function insertSolution(changes: Record<string, unknown>): QueryConfig & { values: unknown[] } {
  const row = { ...SOLUTION, ...changes };
  const columns = Object.keys(row);
  return {
    text: `insert into public.solutions (${columns}) values (${columns.map((_, place) => `$${place + 1}`)}) returning *`,
    values: Object.values(row),
  };
}
