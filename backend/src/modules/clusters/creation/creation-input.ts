import {
  assertUsable,
  type ClusterShape,
  type ProvisionerStatus,
} from '../../../drivers/provisioner/index.js';
import type { NodeState, RuntimeDriver } from '../../../drivers/runtime/index.js';
import type { ClusterKey } from '../inventory/cluster.store.js';
import {
  imagesOf,
  type KindConfig,
  nodeImageTagOf,
  requiredImages,
  shapeOf,
} from '../../kind-config/index.js';
import type { ChosenAddon } from './chosen-addons.js';

/** Input of all jobs that create a cluster from its saved config. */
export interface CreationInput extends ClusterKey {
  shape: ClusterShape;
  /** Whether the node images were present at the request. A pull changes the weights of the steps. */
  imagesPresent: boolean;
  keepOnFailure: boolean;
  version: string | null;
  /** Whether nodes are created that are expected not to start on cgroup v1. */
  acceptCgroupV1?: boolean;
  addons?: ChosenAddon[];
}

/** A node that the new cluster replaces. */
export interface ReplacedNode {
  id: string;
  state: NodeState;
}

/** @throws DomainError `provisioner_unavailable` */
export async function creationInput(
  name: string,
  runtime: RuntimeDriver,
  config: KindConfig,
  provisioner: ProvisionerStatus,
  keepOnFailure: boolean,
): Promise<CreationInput> {
  assertUsable(provisioner);
  const images = requiredImages(config, provisioner);
  const present = await Promise.all(images.map((image) => runtime.hasImage(image)));
  return {
    name,
    runtime: runtime.id,
    shape: shapeOf(config),
    imagesPresent: present.every(Boolean),
    keepOnFailure,
    version: nodeImageTagOf(imagesOf(config)[0])?.split('@')[0] ?? null,
  };
}
