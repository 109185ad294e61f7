/** A copy of a set, with the entry added or, if the set has it, removed. */
export function toggled<T>(entries: ReadonlySet<T>, entry: T): Set<T> {
  const changed = new Set(entries);
  if (!changed.delete(entry)) changed.add(entry);
  return changed;
}
