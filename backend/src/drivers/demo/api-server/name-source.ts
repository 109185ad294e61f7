import { hash } from 'node:crypto';
import { canonicalJson } from './json-merge.js';

/** The alphabet of generated names in Kubernetes. It has no vowels, so that no words come out. */
const SAFE = 'bcdfghjklmnpqrst';

/** Names and ids that are the same in every run of a cluster. */
export class NameSource {
  private counter = 0;

  constructor(private readonly seed: string) {}

  /** From 0 up to but excluding 1. */
  chance(): number {
    return Number.parseInt(this.next().slice(0, 8), 16) / 2 ** 32;
  }

  /** The suffix that the server adds to a `generateName`. */
  suffix(): string {
    return this.next()
      .slice(0, 5)
      .replaceAll(/./g, (digit) => SAFE[Number.parseInt(digit, 16)] ?? '');
  }

  uid(): string {
    return this.next().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-a$4-$5');
  }

  containerId(): string {
    return `containerd://${this.next()}`;
  }

  /** 64 hexadecimal digits. */
  private next(): string {
    this.counter += 1;
    return hash('sha256', `${this.seed} ${this.counter}`);
  }
}

/** Hash of a pod template, as in the names of ReplicaSets. */
export function templateHash(template: unknown): string {
  return hash('sha256', canonicalJson(template ?? null)).slice(0, 10);
}
