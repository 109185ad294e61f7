import { HIDDEN } from '../../../core/lines/hidden-characters.js';
import { plainLine } from '../../../core/logging/redaction.js';

const GAP = '  ';
/** A column is not made narrower than this. */
const MIN_WIDTH = 8;
const CUT = '...';
/** They are spaces, or belong to escape sequences, which `plainLine` removes as a whole. */
const LEFT = '\t\n\r\u0007\u001b';

/**
 * A table of plain text, with a header in capitals.
 * @param width of the terminal: the widest columns are cut until the table fits; undefined does not cut.
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const cells = [head.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(cellText))];
  const widths = head.map((_name, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  if (width !== undefined) fit(widths, width);
  const lines = cells.map((row) =>
    row.map((cell, column) => cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0)).join(GAP),
  );
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Hidden characters, such as a zero-width space, get a sign: with them, a name looks like another. */
function cellText(text: string): string {
  return plainLine(text.replace(HIDDEN, (character) => (LEFT.includes(character) ? character : '\ufffd')));
}

function fit(widths: number[], total: number): void {
  const available = total - GAP.length * (widths.length - 1);
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= MIN_WIDTH) return;
    widths[widths.indexOf(widest)] = widest - 1;
    excess -= 1;
  }
}

function cut(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, width - CUT.length)}${CUT}` : cell;
}
