/** A cell that no spreadsheet interprets as a formula, and no reader of lines that begin with # as a comment. */
function csvCell(value: unknown): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const escaped = typeof value === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",#\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

/** Rows of cells as a CSV table. */
export const csvTable = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

/** Offers a table to the browser as a CSV file. */
export function downloadCsv(name: string, table: string): void {
  const link = document.createElement('a');
  // The byte order mark makes spreadsheets read the text as UTF-8.
  link.href = URL.createObjectURL(new Blob(['\uFEFF', table], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
