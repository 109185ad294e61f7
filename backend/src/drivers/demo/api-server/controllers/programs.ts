import type { Container, Pod } from '../shapes.js';

/** Seconds that a program runs of which nothing is known, where its pod is one that ends. */
const USUAL_SECONDS = 4;
/** Seconds until a program that fails has failed. */
const FAILURE_SECONDS = 2;

/** What a container of the demo does, as far as its command tells: nothing really runs. */
export interface Program {
  /** Null for one that runs until it is stopped. */
  seconds: number | null;
  exitCode: number;
}

export function programOf({ command = [], args = [] }: Container, pod: Pod): Program {
  const line = [...command, ...args].join(' ');
  const failure =
    /\bexit ([1-9]\d{0,2})\b/.exec(line)?.[1] ?? (/(^|[\s/])false$/.test(line) ? '1' : undefined);
  if (failure !== undefined) return { seconds: FAILURE_SECONDS, exitCode: Number(failure) };
  if ((pod.spec?.restartPolicy ?? 'Always') === 'Always') return { seconds: null, exitCode: 0 };
  const sleep = /\bsleep (\d+)/.exec(line)?.[1];
  return { seconds: sleep === undefined ? USUAL_SECONDS : Number(sleep), exitCode: 0 };
}

/**
 * Why an image cannot be pulled, or undefined where it can: the demo's registries have everything, but nobody
 * will ever have a registry in `.invalid` (RFC 2606).
 */
export function pullFailure(image: string): string | undefined {
  const [host = ''] = image.split('/');
  if (!/\.invalid(:\d+)?$/.test(host)) return undefined;
  return `failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to do request: Head "https://${host}/v2/": dial tcp: lookup ${host.split(':')[0] ?? ''}: no such host`;
}
