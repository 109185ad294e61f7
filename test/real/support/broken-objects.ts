import type { CauseCode, FixCode } from '../../../backend/src/modules/diagnosis/index.js';

/** Namespace of all objects. */
export const NAMESPACE = 'repair';
/** Which an object reports as missing. */
export const MISSING_NAMESPACE = 'repair-missing';
/** Which the engine has, and no node. */
export const UNLOADED_IMAGE = 'slipway-test/repair:dev';
export const MISSING_CLASS = 'repair-fast';

export interface BrokenObject {
  /** Of its problem. */
  code: CauseCode;
  name: string;
  /** As in addresses, such as `apps/v1/deployments`. */
  type: string;
  objects: object[];
  /** Absent if nothing can be changed that would help. */
  fix?: {
    code: FixCode;
    parameters?: Record<string, string>;
    /** Of the diff. */
    adds?: RegExp;
    removes?: RegExp;
  };
}

function manifest(apiVersion: string, kind: string, name: string, rest: object): object {
  return { apiVersion, kind, metadata: { name, namespace: NAMESPACE }, ...rest };
}

/** A container of an image that the nodes have. */
function main(more: object = {}, command = 'exec sleep 3600'): object {
  return {
    name: 'main',
    image: 'busybox:1.36',
    imagePullPolicy: 'IfNotPresent',
    command: ['sh', '-c', command],
    ...more,
  };
}

function template(name: string, container: object, spec: object): object {
  return {
    metadata: { labels: { app: name } },
    spec: { terminationGracePeriodSeconds: 0, containers: [container], ...spec },
  };
}

function deployment(name: string, container: object = main(), spec: object = {}): object {
  return manifest('apps/v1', 'Deployment', name, {
    spec: { selector: { matchLabels: { app: name } }, template: template(name, container, spec) },
  });
}

function job(name: string, container: object, spec: object): object {
  return manifest('batch/v1', 'Job', name, {
    spec: { ...spec, template: template(name, container, { restartPolicy: 'Never' }) },
  });
}

const DEPLOYMENTS = 'apps/v1/deployments';
const SERVICES = 'core/v1/services';

function service(name: string, selector: object, targetPort: string): object {
  return manifest('v1', 'Service', name, { spec: { selector, ports: [{ port: 80, targetPort }] } });
}

/** Healthy objects, which {@link brokenObjects} then breaks or refers to. */
export const HEALTHY: readonly object[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'repair' }, value: 0 },
  deployment('web', main({ ports: [{ name: 'http', containerPort: 80 }] })),
  deployment('crash'),
  deployment('probe'),
  manifest('v1', 'ConfigMap', 'reporter', {}),
];

/** @param controlPlane a node with the taint of control planes */
export function brokenObjects(controlPlane: string, unloadedImage: string): readonly BrokenObject[] {
  return [
    {
      ...{ code: 'image_pull', name: 'image', type: DEPLOYMENTS },
      objects: [deployment('image', main({ image: 'localhost:1/busybox:1' }))],
      fix: { code: 'set_image', adds: /image: busybox:1\.36/, removes: /image: localhost:1\/busybox:1/ },
    },
    {
      ...{ code: 'image_pull', name: 'unloaded', type: 'batch/v1/jobs' },
      objects: [job('unloaded', { name: 'main', image: unloadedImage, imagePullPolicy: 'IfNotPresent' }, {})],
      fix: { code: 'load_image' },
    },
    {
      ...{ code: 'config_map_missing', name: 'config', type: DEPLOYMENTS },
      objects: [
        deployment(
          'config',
          main({
            env: [{ name: 'MODE', valueFrom: { configMapKeyRef: { name: 'repair-config', key: 'mode' } } }],
          }),
        ),
      ],
      fix: { code: 'create_config_map', parameters: { mode: 'fast' }, adds: /mode: fast/ },
    },
    {
      ...{ code: 'secret_missing', name: 'secret', type: DEPLOYMENTS },
      objects: [
        deployment('secret', main({ volumeMounts: [{ name: 'keys', mountPath: '/keys' }] }), {
          volumes: [{ name: 'keys', secret: { secretName: 'repair-secret' } }],
        }),
      ],
      fix: { code: 'create_secret', adds: /kind: Secret/ },
    },
    {
      ...{ code: 'out_of_memory', name: 'memory', type: DEPLOYMENTS },
      objects: [
        deployment(
          'memory',
          main(
            { resources: { limits: { memory: '24Mi' } } },
            'dd if=/dev/zero of=/dev/null bs=32M count=1 && exec sleep 3600',
          ),
        ),
      ],
      fix: { code: 'raise_memory_limit', adds: /memory: 48Mi/, removes: /memory: 24Mi/ },
    },
    {
      ...{ code: 'probe', name: 'probe', type: DEPLOYMENTS },
      objects: [
        deployment('probe', main({ readinessProbe: { exec: { command: ['false'] }, periodSeconds: 1 } })),
      ],
      fix: { code: 'roll_back', removes: /readinessProbe:/ },
    },
    {
      ...{ code: 'crash', name: 'crash', type: DEPLOYMENTS },
      objects: [deployment('crash', main({}, 'echo no database; exit 3'))],
      fix: { code: 'roll_back', adds: /sleep 3600/, removes: /no database/ },
    },
    {
      ...{ code: 'insufficient_resources', name: 'large', type: DEPLOYMENTS },
      objects: [deployment('large', main({ resources: { requests: { cpu: '4000' } } }))],
      fix: { code: 'lower_request', removes: /cpu: 4k/, adds: /cpu: \d+m/ },
    },
    {
      ...{ code: 'insufficient_resources', name: 'refused', type: 'core/v1/pods' },
      objects: [
        manifest('v1', 'Pod', 'refused', {
          spec: {
            nodeName: controlPlane,
            containers: [main({ resources: { requests: { cpu: '4000' } } })],
          },
        }),
      ],
      fix: { code: 'delete_pod', removes: /kind: Pod/ },
    },
    {
      ...{ code: 'scheduling_constraint', name: 'selector', type: DEPLOYMENTS },
      objects: [deployment('selector', main(), { nodeSelector: { disk: 'none' } })],
      fix: { code: 'remove_node_selector', removes: /disk: none/ },
    },
    {
      ...{ code: 'scheduling_constraint', name: 'taint', type: DEPLOYMENTS },
      objects: [deployment('taint', main(), { nodeSelector: { 'kubernetes.io/hostname': controlPlane } })],
      fix: { code: 'add_toleration', adds: /key: node-role\.kubernetes\.io\/control-plane/ },
    },
    {
      ...{ code: 'volume_claim_unbound', name: 'claim', type: DEPLOYMENTS },
      objects: [
        manifest('v1', 'PersistentVolumeClaim', 'repair-data', {
          spec: {
            storageClassName: MISSING_CLASS,
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Mi' } },
          },
        }),
        deployment('claim', main(), {
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'repair-data' } }],
        }),
      ],
      fix: { code: 'create_storage_class', adds: /provisioner: rancher\.io\/local-path/ },
    },
    {
      ...{ code: 'quota_exceeded', name: 'quota', type: DEPLOYMENTS },
      objects: [
        manifest('v1', 'ResourceQuota', 'repair-quota', {
          spec: {
            hard: { pods: '0' },
            scopeSelector: {
              matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['repair'] }],
            },
          },
        }),
        deployment('quota', main(), { priorityClassName: 'repair' }),
      ],
      fix: { code: 'raise_quota', adds: /pods: "1"/, removes: /pods: "0"/ },
    },
    {
      ...{ code: 'job_deadline', name: 'deadline', type: 'batch/v1/jobs' },
      objects: [job('deadline', main(), { activeDeadlineSeconds: 1 })],
    },
    {
      ...{ code: 'no_endpoints', name: 'nowhere', type: SERVICES },
      objects: [service('nowhere', { app: 'webb' }, 'http')],
      fix: { code: 'set_selector', adds: /app: web$/m, removes: /app: webb/ },
    },
    {
      ...{ code: 'no_endpoints', name: 'wrong-port', type: SERVICES },
      objects: [service('wrong-port', { app: 'web' }, 'https')],
      fix: { code: 'set_target_port', adds: /targetPort: http$/m, removes: /targetPort: https/ },
    },
    {
      ...{ code: 'pods_not_created', name: 'account', type: DEPLOYMENTS },
      objects: [deployment('account', main(), { serviceAccountName: 'repair-account' })],
      fix: { code: 'create_service_account', adds: /name: repair-account/ },
    },
  ];
}

/** A report of a controller about an object whose target namespace is missing. */
export function reportAbout(uid: string): object {
  return manifest('v1', 'Event', 'reporter.1', {
    type: 'Warning',
    reason: 'ReconciliationFailed',
    message: `namespaces "${MISSING_NAMESPACE}" not found`,
    involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'reporter', namespace: NAMESPACE, uid },
  });
}

/** JSON is YAML. */
export function yamlOf(objects: readonly object[]): string {
  return objects.map((each) => JSON.stringify(each)).join('\n---\n');
}
