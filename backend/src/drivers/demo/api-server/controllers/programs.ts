import { quantityOf } from '../../../kubernetes/index.js';
import type { Container, Pod } from '../shapes.js';

const DEFAULT_SECONDS = 4;
const FAILURE_SECONDS = 2;

/** The behavior of a demo container, derived from its command: nothing runs. */
interface Program {
  /** Null for a program that runs until it is stopped. */
  seconds: number | null;
  exitCode: number;
}

/** The exit code of a container that the kernel kills, as `stress --vm-bytes 128M` above its memory limit. */
export const OUT_OF_MEMORY = 137;

export function programOf({ command = [], args = [], resources }: Container, pod: Pod): Program {
  const line = [...command, ...args].join(' ');
  const needed = /--vm-bytes (\d{1,6}[KMG])\b/.exec(line)?.[1];
  const limit = resources?.limits?.['memory'];
  if (needed !== undefined && limit !== undefined && quantityOf(`${needed}i`) > quantityOf(limit)) {
    return { seconds: FAILURE_SECONDS, exitCode: OUT_OF_MEMORY };
  }
  const failure =
    /\bexit ([1-9]\d{0,2})\b/.exec(line)?.[1] ?? (/(^|[\s/])false$/.test(line) ? '1' : undefined);
  if (failure !== undefined) return { seconds: FAILURE_SECONDS, exitCode: Number(failure) };
  if ((pod.spec?.restartPolicy ?? 'Always') === 'Always') return { seconds: null, exitCode: 0 };
  return { seconds: Number(/\bsleep (\d+)/.exec(line)?.[1] ?? DEFAULT_SECONDS), exitCode: 0 };
}

/** Why an image cannot be pulled, or undefined. The demo's registries have everything, except below `.invalid`. */
export function pullFailure(image: string): string | undefined {
  const [host = ''] = image.split('/');
  if (!/\.invalid(:\d+)?$/.test(host)) return undefined;
  return `failed to pull and unpack image "${image}": failed to do request: Head "https://${host}/v2/": dial tcp: lookup ${host.split(':')[0]}: no such host`;
}
