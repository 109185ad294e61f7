import { canonicalJson } from './json-merge.js';

/** The alphabet of generated names in Kubernetes. It has no vowels, so that no words come out. */
const SAFE = 'bcdfghjklmnpqrstvwxz2456789';

/** Pseudo-random names and ids that are the same in every run of a cluster. */
export class NameSource {
  private state: number;

  constructor(seed: string) {
    this.state = fnv(seed);
  }

  /** From 0 up to but excluding 1. */
  chance(): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** The suffix that the server adds to a `generateName`. */
  suffix(): string {
    return Array.from({ length: 5 }, () => SAFE[Math.floor(this.chance() * SAFE.length)]).join('');
  }

  uid(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.chance() * 16).toString(16)).join('');
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `a${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join('-');
  }

  containerId(): string {
    return `containerd://${this.uid().replaceAll('-', '')}${this.uid().replaceAll('-', '')}`;
  }
}

/** Hash of a pod template in the alphabet of Kubernetes. */
export function templateHash(template: unknown): string {
  return String(fnv(canonicalJson(template ?? null))).replace(
    /./g,
    (digit) => SAFE[digit.charCodeAt(0) % SAFE.length] ?? '',
  );
}

function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
