import type { JournalEntry } from './journal-entry.js';

const COLUMNS = [
  ...['id', 'time', 'kind', 'cluster', 'runtime', 'subject', 'outcome', 'message', 'job_id', 'duration_ms'],
  ...['actor_kind', 'actor_user', 'actor_id', 'actor_name', 'actor_address'],
];
/** Spreadsheets read such cells as formulas (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r]/;

export const CSV_HEADER = row(COLUMNS);

export function csvRow({ actor, ...entry }: JournalEntry): string {
  return row([
    ...[entry.id, entry.time, entry.kind, entry.cluster, entry.runtime, entry.subject, entry.outcome],
    ...[entry.message, entry.job_id, entry.duration_ms],
    ...[actor?.kind, actor?.user, actor?.id, actor?.name, actor?.address],
  ]);
}

/** A row that only contains a message. */
export function csvNote(text: string): string {
  return row(COLUMNS.map((column) => (column === 'message' ? text : null)));
}

function row(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
