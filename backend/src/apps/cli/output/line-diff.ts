const CONTEXT = 3;

/** The lines that differ, marked as in `diff -u`, with some before and after them. */
export function lineDiff(before: string, after: string): string {
  const lines = marked(linesOf(before), linesOf(after));
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => !line.startsWith(' '));
  const shown = lines.flatMap((line, index) =>
    isNear(index) ? [line] : index > 0 && isNear(index - 1) ? ['...'] : [],
  );
  return shown.map((line) => `${line}\n`).join('');
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** By the longest common subsequence. */
function marked(before: readonly string[], after: readonly string[]): string[] {
  const common = [...before, ''].map(() => new Uint32Array(after.length + 1));
  const at = (row: number, column: number): number => common[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const longest =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
      common[row]?.fill(longest, column, column + 1);
    }
  }
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]];
    if (old !== undefined && old === fresh) {
      lines.push(`  ${old}`);
      row += 1;
      column += 1;
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(`- ${old}`);
      row += 1;
    } else {
      lines.push(`+ ${fresh}`);
      column += 1;
    }
  }
  return lines;
}
