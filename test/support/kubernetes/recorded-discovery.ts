/**
 * Discovery as API servers respond, reduced to a few kinds. The shapes follow `GET /api` and `/apis` of kube-apiserver:
 * https://github.com/kubernetes/kubernetes/tree/v1.27.0/api/discovery (`aggregated_v2beta1.json`, `apis.json`, `api__v1.json`),
 * the same folder of v1.30.0 and v1.36.0 (`aggregated_v2.json`), and kind's node image v1.34.4.
 */
type Responses = Record<string, unknown>;

const ALL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const CHANGED = ['get', 'patch', 'update'];

/** A kind: plural, kind, scope, short names, and whether it can be scaled. */
type Kind = readonly [
  plural: string,
  kind: string,
  scope: 'Namespaced' | 'Cluster',
  short?: string,
  scale?: 'scale',
];

const PODS: Kind = ['pods', 'Pod', 'Namespaced', 'po'];
const NODES: Kind = ['nodes', 'Node', 'Cluster', 'no'];
const DEPLOYMENTS: Kind = ['deployments', 'Deployment', 'Namespaced', 'deploy', 'scale'];
const AUTOSCALERS: Kind = ['horizontalpodautoscalers', 'HorizontalPodAutoscaler', 'Namespaced', 'hpa'];
const CERTIFICATES: Kind = ['certificates', 'Certificate', 'Namespaced', 'cert'];
const FLOWS: Kind = ['flowschemas', 'FlowSchema', 'Cluster'];
const CLAIMS: Kind = ['resourceclaims', 'ResourceClaim', 'Namespaced'];
const MIGRATIONS: Kind = ['storageversionmigrations', 'StorageVersionMigration', 'Cluster'];

/** The versions of a group, the preferred one first; `stale` if its aggregated API server does not respond. */
type Group = readonly [name: string, versions: Readonly<Record<string, readonly Kind[] | 'stale'>>];

const METRICS: Group = ['metrics.k8s.io', { v1beta1: 'stale' }];
const CERT_MANAGER: Group = ['cert-manager.io', { v1: [CERTIFICATES] }];

function aggregatedList(version: 'v2beta1' | 'v2', groups: readonly Group[], metadata: object): unknown {
  // Before 1.34, Go wrote a time that is missing as null.
  const response = (kind: string, group = '', of = ''): object => ({ group, version: of, kind });
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(([name, versions]) => ({
      metadata: { ...(name === '' ? {} : { name }), ...metadata },
      versions: Object.entries(versions).map(([served, kinds]) =>
        kinds === 'stale'
          ? { version: served, freshness: 'Stale' }
          : {
              version: served,
              resources: kinds.map(([resource, kind, scope, short, scale]) => ({
                resource,
                responseKind: response(kind),
                scope,
                singularResource: kind.toLowerCase(),
                verbs: ALL,
                ...(short && { shortNames: [short], categories: ['all'] }),
                subresources: [
                  ...(scale
                    ? [
                        {
                          subresource: 'scale',
                          responseKind: response('Scale', 'autoscaling', 'v1'),
                          verbs: CHANGED,
                        },
                      ]
                    : []),
                  { subresource: 'status', responseKind: response(kind), verbs: CHANGED },
                ],
              })),
              freshness: 'Current',
            },
      ),
    })),
  };
}

function aggregated(version: 'v2beta1' | 'v2', groups: readonly Group[], metadata = {}): Responses {
  return {
    'GET /api': aggregatedList(version, [['', { v1: [NODES, PODS] }]], metadata),
    'GET /apis': aggregatedList(version, groups, metadata),
  };
}

function legacyList(groupVersion: string, kinds: readonly Kind[]): unknown {
  const entry = (name: string, kind: string, scope: string, more: object): object => ({
    ...{ name, singularName: '', namespaced: scope === 'Namespaced', kind },
    ...more,
  });
  return {
    kind: 'APIResourceList',
    groupVersion,
    resources: kinds.flatMap(([plural, kind, scope, short, scale]) => [
      entry(plural, kind, scope, {
        verbs: ALL,
        ...(short && { shortNames: [short] }),
        storageVersionHash: 'xPOwRZ+Yhw8=',
      }),
      ...(scale
        ? [entry(`${plural}/scale`, 'Scale', scope, { group: 'autoscaling', version: 'v1', verbs: CHANGED })]
        : []),
      entry(`${plural}/status`, kind, scope, { verbs: CHANGED }),
    ]),
  };
}

/** A server without support for the Accept header of aggregated discovery. */
function legacy(groups: readonly Group[]): Responses {
  const nameOf = (group: string, version: string): object => ({
    groupVersion: `${group}/${version}`,
    version,
  });
  const lists = groups.flatMap(([group, versions]) =>
    Object.entries(versions).map(([version, kinds]): [string, unknown] => [
      `GET /apis/${group}/${version}`,
      // The aggregator sends plain text, which the tests have as JSON.
      kinds === 'stale'
        ? { status: 503, message: 'service unavailable' }
        : legacyList(`${group}/${version}`, kinds),
    ]),
  );
  const address = { clientCIDR: '0.0.0.0/0', serverAddress: '172.18.0.2:6443' };
  return {
    'GET /api': { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [address] },
    'GET /api/v1': legacyList('v1', [NODES, PODS]),
    'GET /apis': {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: groups.map(([name, versions]) => {
        const served = Object.keys(versions).map((version) => nameOf(name, version));
        return { name, versions: served, preferredVersion: served[0] };
      }),
    },
    ...Object.fromEntries(lists),
  };
}

const APPS: Group = ['apps', { v1: [DEPLOYMENTS] }];
const AUTOSCALING: Group = ['autoscaling', { v2: [AUTOSCALERS], v1: [AUTOSCALERS] }];

/** Each has the kinds of the core group, Deployments, autoscalers and cert-manager, and metrics-server fails. */
export const RECORDED_DISCOVERY: Readonly<Record<string, Responses>> = {
  '1.24, without aggregated discovery': legacy([
    APPS,
    ['autoscaling', { v2: [AUTOSCALERS], v1: [AUTOSCALERS], v2beta2: [AUTOSCALERS] }],
    CERT_MANAGER,
    METRICS,
  ]),
  '1.27, aggregated v2beta1': aggregated(
    'v2beta1',
    [
      APPS,
      AUTOSCALING,
      ['flowcontrol.apiserver.k8s.io', { v1beta3: [FLOWS], v1beta2: [FLOWS] }],
      CERT_MANAGER,
      METRICS,
    ],
    { creationTimestamp: null },
  ),
  '1.30, aggregated v2': aggregated(
    'v2',
    [
      APPS,
      AUTOSCALING,
      ['flowcontrol.apiserver.k8s.io', { v1: [FLOWS], v1beta3: [FLOWS] }],
      CERT_MANAGER,
      METRICS,
    ],
    { creationTimestamp: null },
  ),
  '1.36, aggregated v2': aggregated('v2', [
    APPS,
    AUTOSCALING,
    ['resource.k8s.io', { v1: [CLAIMS], v1beta2: [CLAIMS] }],
    ['storagemigration.k8s.io', { v1beta1: [MIGRATIONS] }],
    CERT_MANAGER,
    METRICS,
  ]),
};
