/**
 * What is handled on the main thread, in bytes. YAML of 32 kB has taken up to 120 ms of it, where the text consisted of
 * signs such as `[` alone. Half of that leaves room for the requests beside it.
 */
export const MAX_ON_MAIN_THREAD = 16_384;

/** Whether texts, or texts within values, are too large for the main thread. Ends as soon as that is clear. */
export function isLarge(value: unknown): boolean {
  let bytes = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    bytes += typeof next === 'string' ? Buffer.byteLength(next) : 8;
    if (bytes > MAX_ON_MAIN_THREAD) return true;
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) for (const key of Object.keys(next)) bytes += key.length;
    for (const child of Object.values(next)) waiting.push(child);
  }
  return false;
}
