const MAX_EDITS = 2;

/** The name that is most likely meant: the same in another case, or with up to two other letters. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  let found: string | undefined;
  // A short name is near to many others.
  let limit = Math.min(MAX_EDITS, Math.floor(name.length / 3));
  for (const each of names) {
    if (Math.abs(each.length - name.length) > limit) continue;
    const edits = editsBetween(wanted, each.toLowerCase());
    if (edits > limit) continue;
    found = each;
    limit = edits - 1;
    if (limit < 0) break;
  }
  return found;
}

/** Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (before[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (before[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    before = current;
  }
  return before[other.length] ?? 0;
}
