interface KindRelease {
  /** The node image tags that its release notes list, its default first; pinned where the notes' digests are kept here. */
  tags: readonly [string, ...string[]];
  /** Minor version of the oldest Kubernetes in that list. */
  oldest: number;
  /** Image of the load balancer, from `pkg/cluster/internal/loadbalancer/const.go` of the release. */
  loadBalancer: string;
}

const HAPROXY = 'docker.io/kindest/haproxy';
const ENVOY = 'docker.io/envoyproxy/envoy';

/**
 * Releases of kind and what their notes say of node images. There is no list that a program could read
 * (kubernetes-sigs/kind#2376). What a program has as its own default, which is read from it, comes before
 * what stands here.
 */
const KIND_RELEASES: Readonly<Record<string, KindRelease>> = {
  '0.20': { tags: ['v1.27.3'], oldest: 21, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.21': { tags: ['v1.29.1'], oldest: 23, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.22': { tags: ['v1.29.2'], oldest: 23, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.23': { tags: ['v1.30.0'], oldest: 25, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.24': { tags: ['v1.31.0'], oldest: 25, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.25': { tags: ['v1.31.2'], oldest: 26, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.26': { tags: ['v1.32.0'], oldest: 29, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.27': { tags: ['v1.32.2'], oldest: 29, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.28': { tags: ['v1.33.1'], oldest: 30, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.29': { tags: ['v1.33.1'], oldest: 30, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.30': { tags: ['v1.34.0'], oldest: 31, loadBalancer: `${HAPROXY}:v20230606-42a2262b` },
  '0.31': { tags: ['v1.35.0'], oldest: 31, loadBalancer: `${HAPROXY}:v20251211-v0.29.0-alpha-100-g82a92c5d` },
  '0.32': { tags: ['v1.36.1'], oldest: 33, loadBalancer: `${ENVOY}:v1.36.2` },
  '0.33': {
    tags: [
      'v1.37.0@sha256:a1ed56cfb0e7b93589bdf97c8cd566405a265939e3620fc4f5de89adff580ae5',
      'v1.36.4@sha256:099e049362a1526b2db71494e1947aae99bd16290d7c895f2b7ea312e3cbfaed',
      'v1.35.8@sha256:07b2536e30b803ed61d1677a79df6115f798ce64c80f9e22f6ed45afd09323c0',
      'v1.34.11@sha256:44e222ee2132dab25ff87301682f89eb82c7880ea3a1bf543bfe9708fd08d67d',
    ],
    oldest: 34,
    loadBalancer: `${ENVOY}:v1.36.2`,
  },
};

/** What a kind makes clusters of. */
export interface KindTags {
  defaultTag: string | null;
  fittingTags: string[];
  kubernetesRange: { oldest: number; newest: number } | null;
  loadBalancerImage: string | null;
}

/**
 * @param release as in `0.33`.
 * @param own the default that was read from the program itself.
 */
export function tagsOfRelease(release: string, own: string | undefined): KindTags {
  const known = KIND_RELEASES[release];
  const [listed = null, ...others] = known?.tags ?? [];
  // One that is newer than this table, and whose program tells nothing: what the newest known one has.
  const defaultTag = own ?? listed ?? Object.values(KIND_RELEASES).at(-1)?.tags[0] ?? null;
  if (!known || defaultTag === null) {
    return {
      defaultTag,
      fittingTags: defaultTag === null ? [] : [defaultTag],
      kubernetesRange: null,
      loadBalancerImage: null,
    };
  }
  return {
    defaultTag,
    fittingTags: [defaultTag, ...others],
    kubernetesRange: { oldest: known.oldest, newest: Number(defaultTag.split('.')[1]) },
    loadBalancerImage: known.loadBalancer,
  };
}
