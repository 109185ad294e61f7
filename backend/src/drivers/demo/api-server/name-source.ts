import { sorted } from './writing/merge-keys.js';

/** Kubernetes' alphabet of generated names: no vowels, so that no word comes out. */
const SAFE = 'bcdfghjklmnpqrstvwxz2456789';

/** Names, ids and chances that are the same in every run of one cluster. */
export class NameSource {
  private state: number;

  constructor(seed: string) {
    this.state = fnv(seed);
  }

  /** From 0 up to, but not, 1. */
  chance(): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** What the server puts behind a `generateName`. */
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

  /** 64 hexadecimal digits, as a container's id. */
  containerId(): string {
    return `containerd://${this.uid().replaceAll('-', '')}${this.uid().replaceAll('-', '')}`;
  }
}

/** The hash of a pod template, in the letters that Kubernetes writes such hashes in. */
export function templateHash(template: unknown): string {
  const text = JSON.stringify(sorted(template) ?? null);
  return String(fnv(text)).replace(/./g, (digit) => SAFE[digit.charCodeAt(0) % SAFE.length] ?? '');
}

function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
