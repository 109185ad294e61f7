import { needsCgroupV2 } from '../../core/security/grammar.js';
import { nodeImageTagOf, nodesOf, type KindConfig } from './kind-config.js';
import { kubeadmPatchesOf, patchedValue } from './kubeadm-patches.js';

/** A node whose kubelet refuses a host with cgroup v1. */
export interface CgroupNeed {
  /** Path of its image in the config. */
  where: string;
  tag: string;
}

/** The nodes that do not start on cgroup v1. Joining nodes take the kubelet's config from the first control plane. */
export function cgroupNeedsOf(config: KindConfig): CgroupNeed[] {
  const nodes = nodesOf(config);
  const first = nodes.find(({ role }) => role !== 'worker');
  return nodes.flatMap((node, index) => {
    const tag = nodeImageTagOf(node.image);
    if (tag === null || !needsCgroupV2(tag)) return [];
    const patches = [...kubeadmPatchesOf(config, first ?? node), ...kubeadmPatchesOf(config, node)];
    const accepts = patchedValue(patches, 'KubeletConfiguration', ['failCgroupV1']) === false;
    return accepts ? [] : [{ where: `nodes[${index}].image`, tag: tag.split('@')[0] ?? tag }];
  });
}
