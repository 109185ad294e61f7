/**
 * Maximum input for the main thread in bytes. YAML of 32 kB that consists of characters such as `[` takes up to 120 ms;
 * half of that leaves time for other requests.
 */
export const MAX_ON_MAIN_THREAD = 16_384;

/** Whether a text, or the texts in a value, are too large for the main thread. */
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
