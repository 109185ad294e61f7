import type { ProvisionerStatus } from '../cluster-provisioner.js';

interface KindRelease {
  /** Node image tags from the release notes, the default first. Some have digests. */
  tags: readonly [string, ...string[]];
  /** Minor version of the oldest Kubernetes in the release notes. */
  oldest: number;
  /** From `pkg/cluster/internal/loadbalancer/const.go` of the release. */
  loadBalancer: string;
}

const HAPROXY = 'docker.io/kindest/haproxy:v20230606-42a2262b';
const ENVOY = 'docker.io/envoyproxy/envoy:v1.36.2';

/**
 * Node images in the release notes of kind, for which there is no machine-readable list (kubernetes-sigs/kind#2376).
 * The default in the binary takes precedence.
 */
const KIND_RELEASES: Readonly<Record<string, KindRelease>> = {
  '0.20': { tags: ['v1.27.3'], oldest: 21, loadBalancer: HAPROXY },
  '0.21': { tags: ['v1.29.1'], oldest: 23, loadBalancer: HAPROXY },
  '0.22': { tags: ['v1.29.2'], oldest: 23, loadBalancer: HAPROXY },
  '0.23': { tags: ['v1.30.0'], oldest: 25, loadBalancer: HAPROXY },
  '0.24': { tags: ['v1.31.0'], oldest: 25, loadBalancer: HAPROXY },
  '0.25': { tags: ['v1.31.2'], oldest: 26, loadBalancer: HAPROXY },
  '0.26': { tags: ['v1.32.0'], oldest: 29, loadBalancer: HAPROXY },
  '0.27': { tags: ['v1.32.2'], oldest: 29, loadBalancer: HAPROXY },
  '0.28': { tags: ['v1.33.1'], oldest: 30, loadBalancer: HAPROXY },
  '0.29': { tags: ['v1.33.1'], oldest: 30, loadBalancer: HAPROXY },
  '0.30': { tags: ['v1.34.0'], oldest: 31, loadBalancer: HAPROXY },
  '0.31': {
    tags: ['v1.35.0'],
    oldest: 31,
    loadBalancer: 'docker.io/kindest/haproxy:v20251211-v0.29.0-alpha-100-g82a92c5d',
  },
  '0.32': { tags: ['v1.36.1'], oldest: 33, loadBalancer: ENVOY },
  '0.33': {
    tags: [
      'v1.37.0@sha256:a1ed56cfb0e7b93589bdf97c8cd566405a265939e3620fc4f5de89adff580ae5',
      'v1.36.4@sha256:099e049362a1526b2db71494e1947aae99bd16290d7c895f2b7ea312e3cbfaed',
      'v1.35.8@sha256:07b2536e30b803ed61d1677a79df6115f798ce64c80f9e22f6ed45afd09323c0',
      'v1.34.11@sha256:44e222ee2132dab25ff87301682f89eb82c7880ea3a1bf543bfe9708fd08d67d',
    ],
    oldest: 34,
    loadBalancer: ENVOY,
  },
};

type KindTags = Pick<
  ProvisionerStatus,
  'defaultTag' | 'fittingTags' | 'kubernetesRange' | 'loadBalancerImage'
>;

/**
 * @param release such as `0.33`.
 * @param own the default tag in the binary.
 */
export function tagsOfRelease(release: string, own: string | undefined): KindTags {
  const known = KIND_RELEASES[release];
  const [listed = null, ...others] = known?.tags ?? [];
  // A newer kind with an unknown default gets that of the newest known release.
  const defaultTag = own ?? listed ?? Object.values(KIND_RELEASES).at(-1)?.tags[0] ?? null;
  return {
    defaultTag,
    fittingTags: defaultTag === null ? [] : [defaultTag, ...others],
    kubernetesRange: known ? { oldest: known.oldest, newest: Number(defaultTag?.split('.')[1]) } : null,
    loadBalancerImage: known?.loadBalancer ?? null,
  };
}
