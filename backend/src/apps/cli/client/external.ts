import type { ClusterDto } from '../../../modules/clusters/index.js';
import { CliError } from '../cli-error.js';

/** @throws CliError for a cluster of a kubeconfig, which has no life cycle in Slipway. */
export function assertOfKind({ name, external }: ClusterDto): void {
  if (!external) return;
  throw new CliError(
    `${name} is a cluster of a kubeconfig. Slipway does not create, start, stop or delete it. Remove it from Slipway with: slipway clusters remove ${name}`,
  );
}
