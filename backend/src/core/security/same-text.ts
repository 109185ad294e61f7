import { hash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
