import { editsBetween } from '../../shared/format/edits-between';

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
