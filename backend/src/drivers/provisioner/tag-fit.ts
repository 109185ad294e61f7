import { needsCgroupV2 } from '../../core/security/index.js';
import type { ProvisionerStatus } from './cluster-provisioner.js';

export const TAG_FITS = ['likely', 'unlikely', 'never', 'unknown'] as const;

/** Whether a node image works with the provisioner, as far as is known before it is tried. */
export interface TagFit {
  fits: (typeof TAG_FITS)[number];
  /** Why it may not work, to continue a sentence about the tag; null if it was built for the provisioner. */
  reason: string | null;
}

/** Whether a cluster of this tag is expected to fail. */
export function isUnfit(fits: TagFit['fits']): boolean {
  return fits === 'unlikely' || fits === 'never';
}

/**
 * A node image is built for one release of kind and guaranteed for no other (kubernetes-sigs/kind#3053), but others of
 * the same Kubernetes versions usually work.
 * @param tag such as `v1.34.4`, with or without a digest.
 * @param cgroupVersion of the host of the nodes; null if unknown
 */
export function judgeTag(tag: string, status: ProvisionerStatus, cgroupVersion: 1 | 2 | null = null): TagFit {
  if (cgroupVersion === 1 && needsCgroupV2(tag)) {
    return { fits: 'never', reason: 'does not start on this host, which has cgroup v1' };
  }
  const { version, fittingTags, kubernetesRange } = status;
  const bare = tag.split('@')[0] ?? tag;
  if (fittingTags.some((own) => own === tag || own === bare)) return { fits: 'likely', reason: null };
  const name = `${status.name} ${version ?? ''}`.trim();
  const minor = /^v1\.(\d{1,3})\./.exec(tag)?.[1];
  if (minor === undefined || kubernetesRange === null) {
    return { fits: 'unknown', reason: `may not be compatible with ${name}` };
  }
  const { oldest, newest } = kubernetesRange;
  if (Number(minor) > newest) {
    return {
      fits: 'unlikely',
      reason: `is newer than v1.${newest}, the newest for ${name}; it may not start`,
    };
  }
  if (Number(minor) < oldest) {
    return {
      fits: 'unlikely',
      reason: `is older than v1.${oldest}, the oldest for ${name}; it may not start`,
    };
  }
  return { fits: 'unknown', reason: `was not built for ${name}, but may work` };
}
