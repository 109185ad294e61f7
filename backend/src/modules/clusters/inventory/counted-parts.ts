import { counted } from '../../../core/values/index.js';

/** `2 containers and 1 volume`. Omits zero counts. */
export function countedParts(...parts: [count: number, noun: string][]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(' and ');
}
