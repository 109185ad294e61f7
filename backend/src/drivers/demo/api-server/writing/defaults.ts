import { apiVersionOf, type ApiType } from '../api-types.js';
import type { ClusterState } from '../cluster-state.js';
import { withJobDefaults } from '../controllers/cron-jobs.js';
import { withPodDefaults } from '../controllers/pod-state.js';
import type { ApiObject, CronJob, Job, Pod, PodTemplate, Service, Workload } from '../shapes.js';

/** What the server fills in where somebody leaves it out. */
export function withDefaults(object: ApiObject, type: ApiType, state: ClusterState): ApiObject {
  const named = { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
  if (type.custom) return named;
  switch (type.plural) {
    case 'pods': {
      const pod = named as Pod;
      return { ...pod, spec: withPodDefaults(pod.spec ?? {}) } as Pod;
    }
    case 'deployments': {
      const { spec } = named as Workload;
      const strategy = spec?.strategy?.type === 'Recreate' ? spec.strategy : rolling(spec?.strategy);
      return withSpec(named, {
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        ...spec,
        strategy,
        template: podTemplate(spec?.template),
      });
    }
    case 'replicasets':
      return withSpec(named, {
        replicas: 1,
        ...specOf(named),
        template: podTemplate((named as Workload).spec?.template),
      });
    case 'statefulsets':
    case 'daemonsets': {
      const { spec } = named as Workload;
      return withSpec(named, {
        ...(type.plural === 'statefulsets' ? { replicas: 1, podManagementPolicy: 'OrderedReady' } : {}),
        revisionHistoryLimit: 10,
        updateStrategy: { type: 'RollingUpdate' },
        ...spec,
        template: podTemplate(spec?.template),
      });
    }
    case 'jobs': {
      const { spec, metadata } = named as Job;
      const own = spec?.selector
        ? spec
        : withJobDefaults(spec, metadata.name, metadata.uid ?? state.names.uid());
      return withSpec(named, { ...own, template: podTemplate(own.template) });
    }
    case 'cronjobs': {
      const { spec } = named as CronJob;
      return withSpec(named, {
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
        ...spec,
      });
    }
    case 'services':
      return service(named, state);
    case 'persistentvolumeclaims':
      return withSpec(named, {
        volumeMode: 'Filesystem',
        storageClassName: 'standard',
        ...specOf(named),
      });
    case 'namespaces':
      return {
        ...named,
        spec: { finalizers: ['kubernetes'] },
        metadata: {
          ...named.metadata,
          labels: { 'kubernetes.io/metadata.name': named.metadata.name, ...named.metadata.labels },
        },
      } as ApiObject;
    case 'secrets':
      return secret(named);
    case 'storageclasses':
      return { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', ...named } as ApiObject;
    case 'horizontalpodautoscalers':
      return withSpec(named, { minReplicas: 1, ...specOf(named) });
    default:
      return named;
  }
}

/** What an object's status is when it is made. */
export function firstStatus(type: ApiType): object | undefined {
  switch (type.plural) {
    case 'pods':
    case 'persistentvolumeclaims':
      return { phase: 'Pending' };
    case 'namespaces':
      return { phase: 'Active' };
    case 'services':
    case 'ingresses':
      return { loadBalancer: {} };
    default:
      return type.subresources.includes('status') && !type.custom ? {} : undefined;
  }
}

function specOf(object: ApiObject): object {
  return (object as ApiObject & { spec?: object }).spec ?? {};
}

function withSpec(object: ApiObject, spec: object): ApiObject {
  return { ...object, spec } as ApiObject;
}

function rolling(given: object | undefined): object {
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, ...given };
}

function podTemplate(template: PodTemplate | undefined): PodTemplate {
  return { ...template, spec: withPodDefaults(template?.spec ?? {}) };
}

function service(object: Service, state: ClusterState): ApiObject {
  const { spec = {} } = object;
  if (spec.type === 'ExternalName') return object;
  const clusterIP = spec.clusterIP ?? freeAddress(state);
  const exposed = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
  return {
    ...object,
    spec: {
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ...spec,
      clusterIP,
      clusterIPs: [clusterIP],
      ports: spec.ports?.map((port) => ({
        protocol: 'TCP',
        targetPort: port.port,
        ...port,
        ...(exposed && port.nodePort === undefined
          ? { nodePort: 30_000 + Math.floor(state.names.chance() * 2768) }
          : {}),
      })),
    },
  } as Service;
}

function freeAddress({ store, names }: ClusterState): string {
  const taken = new Set(store.list('services').map((one) => (one as Service).spec?.clusterIP));
  for (;;) {
    const address = `10.96.${Math.floor(names.chance() * 256)}.${1 + Math.floor(names.chance() * 254)}`;
    if (!taken.has(address)) return address;
  }
}

/** `stringData` is for writing only. */
function secret(object: ApiObject): ApiObject {
  const { stringData, data, ...rest } = object as ApiObject & {
    stringData?: Record<string, string>;
    data?: Record<string, string>;
  };
  const encoded = Object.entries(stringData ?? {}).map(([key, value]) => [
    key,
    Buffer.from(value).toString('base64'),
  ]);
  const all = { ...data, ...(Object.fromEntries(encoded) as Record<string, string>) };
  return { type: 'Opaque', ...rest, ...((data ?? stringData) ? { data: all } : {}) } as ApiObject;
}
