import { withoutLifeCycle } from '../../../core/security/grammar.js';
import type { ClusterDto } from '../../../modules/clusters/index.js';
import { CliError } from '../cli-error.js';

/** @throws CliError for a cluster of a kubeconfig, which has no life cycle in Slipway. */
export function assertOfKind({ name, external }: ClusterDto): void {
  if (!external) return;
  throw new CliError(
    `${withoutLifeCycle(name)}. Remove it from Slipway with: slipway clusters remove ${name}`,
  );
}
