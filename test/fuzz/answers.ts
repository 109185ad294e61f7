/** Answers of a cluster, an engine, helm and VictoriaLogs as they were recorded, shortened to what differs. */
const TIME = '2026-11-21T09:00:00Z';
const metadata = {
  name: 'web-6d4cf56db6-x2x7k',
  namespace: 'shop',
  uid: 'u-1',
  resourceVersion: '42',
  generation: 2,
  creationTimestamp: TIME,
  labels: { app: 'web', 'pod-template-hash': '6d4cf56db6' },
  annotations: { 'kubernetes.io/change-cause': 'v2', 'deployment.kubernetes.io/revision': '2' },
  finalizers: ['example.com/wait'],
  ownerReferences: [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-6d4cf56db6', uid: 'u-2', controller: true },
  ],
  managedFields: [{ manager: 'kubelet', fieldsV1: { 'f:status': {} } }],
};
const container = {
  name: 'web',
  image: 'shop/web:1',
  imagePullPolicy: 'Always',
  resources: { limits: { memory: '64Mi' }, requests: { cpu: '10m' } },
  ports: [{ name: 'http', containerPort: 8080, hostPort: 80, protocol: 'TCP' }],
};
const terminated = {
  exitCode: 137,
  reason: 'OOMKilled',
  message: 'out of memory',
  startedAt: TIME,
  finishedAt: '2026-11-21T09:01:00Z',
};
const condition = {
  type: 'Ready',
  status: 'False',
  reason: 'ContainersNotReady',
  message: 'containers with unready status: [web]',
  lastTransitionTime: TIME,
};
const unschedulable = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'Unschedulable',
  message: '0/1 nodes are available: Insufficient cpu, unbound immediate PersistentVolumeClaims',
};

export const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec: {
    nodeName: 'shop-worker',
    initContainers: [{ ...container, name: 'proxy', restartPolicy: 'Always' }],
    containers: [container],
    ephemeralContainers: [{ name: 'debugger' }],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'tmp', emptyDir: {} },
    ],
  },
  status: {
    phase: 'Pending',
    reason: 'Evicted',
    message: 'The node was low on memory.',
    conditions: [condition, unschedulable],
    initContainerStatuses: [{ name: 'proxy', restartCount: 0, state: { running: { startedAt: TIME } } }],
    containerStatuses: [
      {
        name: 'web',
        ready: false,
        restartCount: 3,
        state: { waiting: { reason: 'ErrImagePull', message: 'configmap "web" not found' } },
        lastState: { terminated },
      },
    ],
  },
};

export const EVENT = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'web.1', namespace: 'shop', uid: 'u-9', creationTimestamp: TIME },
  involvedObject: { kind: 'Pod', name: 'web', uid: 'u-1', fieldPath: 'spec.containers{web}' },
  reason: 'Unhealthy',
  message: 'Readiness probe failed: HTTP 503',
  type: 'Warning',
  count: 5,
  lastTimestamp: TIME,
  eventTime: TIME,
  series: { count: 6, lastObservedTime: TIME },
};

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } };
const selector = {
  matchLabels: { app: 'web' },
  matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }],
};

export const WORKLOAD = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata,
  spec: {
    replicas: 2,
    paused: false,
    suspend: false,
    unschedulable: true,
    activeDeadlineSeconds: 60,
    concurrencyPolicy: 'Forbid',
    ordinals: { start: 0 },
    updateStrategy: { type: 'OnDelete' },
    selector,
    template,
    jobTemplate: { metadata: { labels: { app: 'web' } }, spec: { template } },
    scaleTargetRef: { kind: 'Deployment', name: 'web' },
    minReplicas: 1,
    maxReplicas: 3,
    storageClassName: 'fast',
    volumeName: 'pv-1',
    persistentVolumeReclaimPolicy: 'Retain',
    names: { kind: 'Widget' },
    finalizers: ['kubernetes'],
  },
  status: {
    phase: 'Pending',
    replicas: 2,
    readyReplicas: 1,
    updatedReplicas: 1,
    numberReady: 1,
    desiredNumberScheduled: 2,
    observedGeneration: 2,
    active: 1,
    conditions: [{ ...condition, type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }],
  },
};

export const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { ...metadata, name: 'web' },
  spec: {
    type: 'ClusterIP',
    selector: { app: 'web' },
    publishNotReadyAddresses: false,
    ports: [
      { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP', nodePort: 30_080, appProtocol: 'http' },
    ],
    ingressClassName: 'nginx',
    rules: [
      {
        host: 'web.localhost',
        http: { paths: [{ path: '/', backend: { service: { name: 'web', port: { number: 80 } } } }] },
      },
    ],
  },
  status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } },
};

export const POD_TABLE = {
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata: { resourceVersion: '42', continue: 'token', remainingItemCount: 3 },
  columnDefinitions: [
    { name: 'Name', type: 'string', format: 'name', description: 'Name', priority: 0 },
    { name: 'Ready', type: 'string', format: '', description: '', priority: 0 },
    { name: 'Status', type: 'string', format: '', description: '', priority: 0 },
    { name: 'Restarts', type: 'string', format: '', description: '', priority: 0 },
    { name: 'Age', type: 'string', format: '', description: '', priority: 0 },
  ],
  rows: [
    {
      cells: ['web', '0/1', 'Running', '5 (3m ago)', '10s'],
      object: { kind: 'PartialObjectMetadata', metadata },
    },
  ],
};

export const EVENT_TABLE = {
  ...POD_TABLE,
  columnDefinitions: ['Last Seen', 'Type', 'Reason', 'Object', 'Message'].map((name) => ({
    name,
    type: 'string',
    format: '',
    description: '',
    priority: 0,
  })),
  rows: [
    { cells: ['36s (x10 over 25m)', 'Warning', 'BackOff', 'pod/web', 'Back-off'], object: { metadata } },
  ],
};

export const OBJECT_LIST = {
  kind: 'WidgetList',
  apiVersion: 'a/v1',
  metadata: { resourceVersion: '7' },
  items: [{ metadata }],
};

export const DISCOVERY = {
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: 'apps' },
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'deployments',
              responseKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
              scope: 'Namespaced',
              verbs: ['get', 'list', 'watch'],
              shortNames: ['deploy'],
            },
          ],
        },
      ],
    },
  ],
};
export const GROUPS = {
  kind: 'APIGroupList',
  versions: ['v1'],
  groups: [{ name: 'apps', versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } }],
};
export const RESOURCES = {
  resources: [
    { name: 'deployments', kind: 'Deployment', namespaced: true, verbs: ['get'], shortNames: ['deploy'] },
    { name: 'deployments/scale', kind: 'Scale', namespaced: true, verbs: ['get'] },
  ],
};

export const OPENAPI_INDEX = {
  paths: { 'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=AB12' } },
};
export const OPENAPI = {
  components: {
    schemas: {
      'io.k8s.Deployment': {
        description: 'A Deployment',
        type: 'object',
        required: ['spec'],
        properties: {
          spec: { allOf: [{ $ref: '#/components/schemas/io.k8s.Spec' }], default: {} },
          port: { 'x-kubernetes-int-or-string': true, oneOf: [{ type: 'integer' }, { type: 'string' }] },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          list: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        },
        'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
      },
      'io.k8s.Spec': {
        type: 'object',
        properties: { replicas: { type: 'integer', format: 'int32', minimum: 0, default: 1 } },
      },
    },
  },
};

export const POD_METRICS = {
  items: [
    {
      metadata: { name: 'web', namespace: 'shop' },
      containers: [{ name: 'web', usage: { cpu: '10m', memory: '64Mi' } }],
      usage: { cpu: '1', memory: '1Gi' },
    },
  ],
};

export const STATUS = {
  kind: 'Status',
  status: 'Failure',
  message: 'Apply failed with 1 conflict: conflict with "kubectl": .spec.replicas',
  reason: 'Conflict',
  code: 409,
  details: {
    name: 'web',
    kind: 'deployments',
    causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "kubectl"', field: '.spec.replicas' }],
  },
};

export const STATS = {
  read: '2026-11-21T09:00:00.123456789Z',
  cpu_stats: { cpu_usage: { total_usage: 123_456 } },
  memory_stats: { usage: 1000, limit: 2000, stats: { inactive_file: 10, total_inactive_file: 10 } },
  networks: { eth0: { rx_bytes: 1, tx_bytes: 2 } },
  blkio_stats: { io_service_bytes_recursive: [{ op: 'read', value: 1 }] },
};

export const ENGINE_EVENT = {
  Action: 'die',
  time: 1_700_000_000,
  timeNano: 1_700_000_000_000_000_000,
  Actor: {
    ID: 'a'.repeat(64),
    Attributes: { name: 'shop-worker', exitCode: '137', 'io.x-k8s.kind.cluster': 'shop' },
  },
};

export const PULL = {
  id: '0123456789ab',
  status: 'Downloading',
  progressDetail: { current: 10, total: 20 },
  error: 'denied',
  errorDetail: { message: 'denied' },
};

export const RELEASES = [
  {
    name: 'redis',
    namespace: 'shop',
    revision: '3',
    updated: TIME,
    status: 'deployed',
    chart: 'redis-21.0.1',
    app_version: '8.0.0',
  },
];
export const REVISIONS = [{ ...RELEASES[0], revision: 3, description: 'Upgrade complete' }];
export const RELEASE = {
  name: 'redis',
  config: { replicas: 2, auth: { enabled: true } },
  info: { notes: 'Read the notes.', status: 'deployed' },
  manifest: '---\napiVersion: v1\n',
};
export const CHARTS = [
  { name: 'slipway/redis', version: '21.0.1', app_version: '8.0.0', description: 'Redis' },
];

export const LOG_ROW = {
  _time: '2026-11-21T09:00:00.123456Z',
  _msg: 'GET / 200',
  source: '3',
  seq: '17',
  level: 'info',
  stream: 'stdout',
  own_time: '1795251600123456',
  cut: '5',
  continues: '1',
};

export const JOURNAL_ENTRY = {
  __REALTIME_TIMESTAMP: '1795251600123456',
  MESSAGE: [72, 105, 10, 33],
  PRIORITY: '4',
  _SYSTEMD_UNIT: 'kubelet.service',
  SYSLOG_IDENTIFIER: 'kubelet',
};
