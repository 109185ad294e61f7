import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from './configuration.js';

/** In kubectl's order: the files of `KUBECONFIG`, otherwise `~/.kube/config`. */
export function userKubeconfigFiles({ environment, platform }: Configuration): string[] {
  const named = (environment['KUBECONFIG'] ?? '').split(platform === 'win32' ? ';' : ':');
  const files = [...new Set(named.filter((file) => file !== ''))];
  const home = environment[platform === 'win32' ? 'USERPROFILE' : 'HOME'] ?? homedir();
  return files.length > 0 ? files : [join(home, '.kube', 'config')];
}
