/** Parameters of the address that leads to a line: among those of its own source, or of several. */
export function lineAddress(
  key: string,
  seq: number,
  keys: readonly string[] = [key],
): { sources: string; line: string } {
  return { sources: keys.join(','), line: `${key}@${seq}` };
}

/** What an address says of a line; null where that is none. */
export function readLine(text: string | null): { key: string; seq: number } | null {
  const at = text?.lastIndexOf('@') ?? -1;
  const seq = Number(text?.slice(at + 1));
  return text !== null && at > 0 && Number.isSafeInteger(seq) ? { key: text.slice(0, at), seq } : null;
}
