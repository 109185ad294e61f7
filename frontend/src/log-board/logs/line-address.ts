/** Parameters of the address that leads to a line among those of its own source. */
export function lineAddress(key: string, seq: number): { sources: string; line: string } {
  return { sources: key, line: lineName(key, seq) };
}

/** What an address says of a line. */
export function lineName(key: string, seq: number): string {
  return `${key}@${seq}`;
}

/** What an address says of a line; null where that is none. */
export function readLine(text: string | null): { key: string; seq: number } | null {
  const at = text?.lastIndexOf('@') ?? -1;
  const seq = Number(text?.slice(at + 1));
  return text !== null && at > 0 && Number.isSafeInteger(seq) ? { key: text.slice(0, at), seq } : null;
}
