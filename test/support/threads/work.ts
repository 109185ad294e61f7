import { isMainThread } from 'node:worker_threads';
import { DomainError } from '../../../backend/src/core/errors/domain-error.js';
import { serveWork } from '../../../backend/src/core/threads/serve-work.js';
import { parseYaml } from '../../../backend/src/core/yaml/index.js';

/** For `WorkThread`, which searches the folder of this file for the thread. */
export const beside = import.meta.url;

export function threadOf(_input: unknown): string {
  return isMainThread ? 'main' : 'thread';
}

export function failing(_input: unknown): string {
  throw new DomainError('config_refused', 'too large', [{ line: 1 }]);
}

export function greedy(_input: unknown): string {
  const kept: unknown[][] = [];
  for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
}

export function endless(_input: unknown): string {
  for (;;);
}

/** Problems of a text. */
export function yamlErrors(text: string): string[] {
  return parseYaml(text).errors.map(({ message }) => message);
}

serveWork({ yamlErrors, threadOf, failing, greedy, endless });
