import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A kubeconfig as `kubectl config view --raw` shows it. Empty text is not set. */
export interface ReadKubeconfig {
  current: string;
  /** Cluster, user, server and certificate authority by context. */
  contexts: Record<string, [cluster: string, user: string, server: string, authority: string]>;
}

export interface RecordedKubeconfig {
  name: string;
  text: string;
  read?: ReadKubeconfig;
  error?: string;
}

interface Recorded {
  kubectl: string;
  results: RecordedKubeconfig[];
}

export const CORPUS_FILE = join(import.meta.dirname, '../../fixtures/kubeconfigs.json');

/** Kubeconfigs with recorded results of kubectl. test/real/kubeconfigs.spec.ts compares them with the kubectl on the PATH. */
export function recordedKubeconfigs(): Recorded {
  return JSON.parse(readFileSync(CORPUS_FILE, 'utf8')) as Recorded;
}
