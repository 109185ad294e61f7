import { DomainError } from '../../../core/errors/index.js';
import type { ClusterKey, ClusterStore } from '../inventory/index.js';
import { type KindConfig, kindConfigYaml } from '../../kind-config/index.js';

/**
 * The config that a cluster is made from. Checked like a new one: it may come from an older version, and a link in a
 * path may have changed.
 * @throws DomainError `config_refused` where it cannot be used.
 */
export async function readSavedConfig(store: ClusterStore, key: ClusterKey): Promise<KindConfig> {
  const { parsed, problems } = await kindConfigYaml.parseKindConfig(
    (await store.readConfig(key)) ?? '',
    undefined,
    store.dataFolder,
  );
  if (!parsed) {
    throw new DomainError(
      'config_refused',
      `The saved config of ${key.name} cannot be used: ${problems.map(({ problem }) => problem).join('; ')}.`,
      problems,
    );
  }
  return parsed.config;
}
