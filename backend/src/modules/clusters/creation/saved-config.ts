import { DomainError } from '../../../core/errors/index.js';
import type { ClusterKey, ClusterStore } from '../inventory/cluster.store.js';
import { type KindConfig, kindConfigYaml } from '../../kind-config/index.js';

/**
 * The saved config of a cluster. Checked like a new one, because an older version may have saved it, and symbolic links
 * may have changed.
 * @throws DomainError `config_refused` if it is invalid.
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
      `The saved config of ${key.name} is invalid: ${problems.map(({ problem }) => problem).join('; ')}.`,
      problems,
    );
  }
  return parsed.config;
}
