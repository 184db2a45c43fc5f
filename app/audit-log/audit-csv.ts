import type { AuditEntry } from './data.ts';

/** A cell that no spreadsheet interprets as a formula. */
function csvCell(value: unknown): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const escaped = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

/** The log as a CSV table. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) => [
    entry.created_at,
    entry.actor,
    entry.action,
    entry.target_type,
    entry.target_id,
    entry.before,
    entry.after,
  ]);
  return [['time', 'actor', 'action', 'target type', 'target', 'before', 'after'], ...rows]
    .map((row) => `${row.map(csvCell).join(',')}\r\n`)
    .join('');
}
