import { csvTable } from '#app/ui/texts/csv.ts';
import type { AuditEntry } from './data.ts';

/** The log as a CSV table. */
export function auditCsv(entries: readonly Omit<AuditEntry, 'names'>[]): string {
  const rows = entries.map((entry) => [
    entry.created_at,
    entry.actor,
    entry.action,
    entry.target_type,
    entry.target_id,
    entry.before,
    entry.after,
  ]);
  return csvTable([['time', 'actor', 'action', 'target type', 'target', 'before', 'after'], ...rows]);
}
