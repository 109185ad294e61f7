import type { ProvisionerStatus } from './cluster-provisioner.js';

export const TAG_FITS = ['likely', 'unlikely', 'unknown'] as const;

/** Whether a node image will work with what makes the clusters, as far as one can know before it is tried. */
export interface TagFit {
  fits: (typeof TAG_FITS)[number];
  /** Why it may not, as the rest of a sentence that begins with the tag; null for what was made for it. */
  reason: string | null;
}

/**
 * A node image is made for one release of kind and promised for no other (kubernetes-sigs/kind#3053), though
 * others of the same Kubernetes versions mostly work.
 * @param tag as in `v1.34.4`, with or without a digest.
 */
export function judgeTag(tag: string, status: ProvisionerStatus): TagFit {
  const { name, version, fittingTags, kubernetesRange } = status;
  const bare = tag.split('@')[0] ?? tag;
  if (fittingTags.some((own) => own === tag || own === bare)) return { fits: 'likely', reason: null };
  const maker = `${name} ${version ?? ''}`.trim();
  const minor = minorOf(tag);
  if (minor === undefined || kubernetesRange === null) {
    return { fits: 'unknown', reason: `is not known to be made for ${maker}` };
  }
  const { oldest, newest } = kubernetesRange;
  if (minor > newest) {
    return {
      fits: 'unlikely',
      reason: `is newer than what ${maker} was made for (up to v1.${newest}); it may not start`,
    };
  }
  if (minor < oldest) {
    return {
      fits: 'unlikely',
      reason: `is older than what ${maker} was made for (from v1.${oldest}); it may not start`,
    };
  }
  return {
    fits: 'unknown',
    reason: `was not made for ${maker}, but a neighbour of it was; it may well work`,
  };
}

function minorOf(tag: string): number | undefined {
  const minor = /^v1\.(\d{1,3})\./.exec(tag)?.[1];
  return minor === undefined ? undefined : Number(minor);
}
