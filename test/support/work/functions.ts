import { DomainError } from '../../../backend/src/core/errors/domain-error.js';
import { parseYaml } from '../../../backend/src/core/yaml/parse-yaml.js';

/** For `WorkProcess`, which searches the folder of this file for `work`. */
export const beside = import.meta.url;

export function processId(_input: unknown): number {
  return process.pid;
}

export function failing(_input: unknown): string {
  throw new DomainError('config_refused', 'too large', [{ line: 1 }]);
}

/** Needs more and more memory in small parts. */
export function greedy(_input: unknown): string {
  const kept: unknown[][] = [];
  for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
}

/** Needs much more memory at once, each time that the array is full. */
export function doubling(_input: unknown): string {
  const kept: number[] = [];
  for (;;) kept.push(kept.length);
}

export function endless(_input: unknown): string {
  for (;;);
}

export function backtracking(text: string): boolean {
  return /^(x+)+$/.test(`${text}!`);
}

/** Problems of a text. */
export function yamlErrors(text: string): string[] {
  return parseYaml(text).errors.map(({ message }) => message);
}
