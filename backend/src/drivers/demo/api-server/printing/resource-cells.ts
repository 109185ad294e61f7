import { selectorText } from '../selectors.js';
import type { ApiObject, Budget, EndpointSlice, KubeEvent, Service, VolumeClaim } from '../shapes.js';
import { since } from './durations.js';
import type { Printer } from './table.js';
import { age } from './workload-cells.js';

const NONE = '<none>';
const UNSET = '<unset>';
/** More endpoints than these are counted. */
const SHOWN_ENDPOINTS = 3;
const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

interface Ingress extends ApiObject {
  spec?: { ingressClassName?: string; rules?: { host?: string }[]; tls?: object[] };
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

interface Binding extends ApiObject {
  roleRef?: { kind?: string; name?: string };
  subjects?: { kind: string; namespace?: string; name: string }[];
}

interface Volume extends ApiObject {
  spec?: {
    capacity?: Record<string, string>;
    accessModes?: string[];
    persistentVolumeReclaimPolicy?: string;
    claimRef?: { namespace?: string; name?: string };
    storageClassName?: string;
    volumeMode?: string;
  };
  status?: { phase?: string; reason?: string };
}

interface StorageClass extends ApiObject {
  provisioner?: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  allowVolumeExpansion?: boolean;
}

interface Autoscaler extends ApiObject {
  spec?: {
    scaleTargetRef?: { kind?: string; name?: string };
    minReplicas?: number;
    maxReplicas?: number;
    metrics?: { type?: string; resource?: { name?: string; target?: { averageUtilization?: number } } }[];
  };
  status?: {
    currentReplicas?: number;
    currentMetrics?:
      | ({
          resource?: { name?: string; current?: { averageUtilization?: number } };
        } | null)[]
      | null;
  };
}

interface Endpoints extends ApiObject {
  subsets?: { addresses?: { ip: string }[]; ports?: { port?: number }[] }[];
}

export const RESOURCE_PRINTERS: Readonly<Record<string, Printer>> = {
  namespaces: (object, now) => [
    object.metadata.name,
    (object as VolumeClaim).status?.phase ?? '',
    age(object, now),
  ],
  services: (object, now) => {
    const { metadata, spec } = object as Service;
    return [
      metadata.name,
      spec?.type ?? 'ClusterIP',
      spec?.type === 'ExternalName' ? NONE : (spec?.clusterIP ?? NONE),
      externalAddress(object),
      servicePorts(object),
      age(object, now),
      selectorText({ matchLabels: spec?.selector }),
    ];
  },
  endpoints: (object, now) => {
    const addresses = ((object as Endpoints).subsets ?? []).flatMap(({ addresses: found = [], ports = [] }) =>
      ports.flatMap(({ port }) => found.map(({ ip }) => `${ip}:${port ?? 0}`)),
    );
    return [object.metadata.name, addresses.length === 0 ? NONE : some(addresses), age(object, now)];
  },
  endpointslices: (object, now) => {
    const { addressType = '', ports, endpoints } = object as EndpointSlice;
    const numbers = (ports ?? []).map(({ port }) => String(port ?? '*'));
    const addresses = (endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
    return [
      object.metadata.name,
      addressType,
      numbers.length === 0 ? UNSET : some(numbers),
      addresses.length === 0 ? UNSET : some(addresses),
      age(object, now),
    ];
  },
  ingresses: (object, now) => {
    const { metadata, spec, status } = object as Ingress;
    const hosts = (spec?.rules ?? []).flatMap(({ host }) => (host === undefined ? [] : [host]));
    const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? '');
    return [
      metadata.name,
      spec?.ingressClassName ?? NONE,
      hosts.length === 0 ? '*' : some(hosts),
      addresses.join(','),
      (spec?.tls ?? []).length > 0 ? '80, 443' : '80',
      age(object, now),
    ];
  },
  ingressclasses: (object, now) => [
    object.metadata.name,
    (object as ApiObject & { spec?: { controller?: string } }).spec?.controller ?? '',
    NONE,
    age(object, now),
  ],
  networkpolicies: (object, now) => [
    object.metadata.name,
    selectorText(
      (object as ApiObject & { spec?: { podSelector?: Parameters<typeof selectorText>[0] } }).spec
        ?.podSelector,
    ),
    age(object, now),
  ],
  configmaps: (object, now) => {
    const { data, binaryData } = object as ApiObject & { data?: object; binaryData?: object };
    return [object.metadata.name, size(data) + size(binaryData), age(object, now)];
  },
  secrets: (object, now) => {
    const { type, data } = object as ApiObject & { type?: string; data?: object };
    return [object.metadata.name, type ?? 'Opaque', size(data), age(object, now)];
  },
  serviceaccounts: (object, now) => [
    object.metadata.name,
    (object as ApiObject & { secrets?: object[] }).secrets?.length ?? 0,
    age(object, now),
  ],
  persistentvolumeclaims: (object, now) => {
    const { metadata, spec, status } = object as VolumeClaim;
    const bound = spec?.volumeName !== undefined;
    return [
      metadata.name,
      metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
      spec?.volumeName ?? '',
      bound ? (status?.capacity?.['storage'] ?? '') : '',
      bound ? shortModes(status?.accessModes) : '',
      spec?.storageClassName ?? '',
      UNSET,
      age(object, now),
      spec?.volumeMode ?? UNSET,
    ];
  },
  persistentvolumes: (object, now) => {
    const { metadata, spec, status } = object as Volume;
    const { namespace, name } = spec?.claimRef ?? {};
    return [
      metadata.name,
      spec?.capacity?.['storage'] ?? '',
      shortModes(spec?.accessModes),
      spec?.persistentVolumeReclaimPolicy ?? '',
      metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
      name === undefined ? '' : `${namespace ?? ''}/${name}`,
      spec?.storageClassName ?? '',
      UNSET,
      status?.reason ?? '',
      age(object, now),
      spec?.volumeMode ?? UNSET,
    ];
  },
  storageclasses: (object, now) => {
    const { metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion } =
      object as StorageClass;
    const isDefault = metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
    return [
      isDefault ? `${metadata.name} (default)` : metadata.name,
      provisioner ?? '',
      reclaimPolicy ?? 'Delete',
      volumeBindingMode ?? 'Immediate',
      allowVolumeExpansion ?? false,
      age(object, now),
    ];
  },
  rolebindings: printBinding,
  clusterrolebindings: printBinding,
  events: (object, now) => {
    const event = object as KubeEvent;
    const { involvedObject, source = {}, count = 1 } = event;
    const first = since(event.firstTimestamp ?? event.eventTime, now);
    const last = event.lastTimestamp ? since(event.lastTimestamp, now) : first;
    return [
      count > 1 ? `${last} (x${count} over ${first})` : last,
      event.type ?? '',
      event.reason ?? '',
      `${(involvedObject?.kind ?? '').toLowerCase()}/${involvedObject?.name ?? ''}`,
      involvedObject?.fieldPath ?? '',
      [source.component ?? event.reportingComponent ?? '', ...(source.host ? [source.host] : [])].join(', '),
      (event.message ?? '').trim(),
      first,
      count,
      event.metadata.name,
    ];
  },
  horizontalpodautoscalers: (object, now) => {
    const { metadata, spec, status } = object as Autoscaler;
    return [
      metadata.name,
      `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
      autoscalerTargets(object),
      String(spec?.minReplicas ?? UNSET),
      spec?.maxReplicas ?? 0,
      status?.currentReplicas ?? 0,
      age(object, now),
    ];
  },
  poddisruptionbudgets: (object, now) => {
    const { metadata, spec, status } = object as Budget;
    return [
      metadata.name,
      String(spec?.minAvailable ?? 'N/A'),
      String(spec?.maxUnavailable ?? 'N/A'),
      status?.disruptionsAllowed ?? 0,
      age(object, now),
    ];
  },
  leases: (object, now) => [
    object.metadata.name,
    (object as ApiObject & { spec?: { holderIdentity?: string } }).spec?.holderIdentity ?? '',
    age(object, now),
  ],
  priorityclasses: (object, now) => {
    const { value, globalDefault, preemptionPolicy } = object as ApiObject & {
      value?: number;
      globalDefault?: boolean;
      preemptionPolicy?: string;
    };
    return [
      object.metadata.name,
      value ?? 0,
      globalDefault ?? false,
      age(object, now),
      preemptionPolicy ?? 'PreemptLowerPriority',
    ];
  },
  controllerrevisions: (object, now) => {
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
    return [
      object.metadata.name,
      owner ? `${owner.kind.toLowerCase()}.apps/${owner.name}` : NONE,
      (object as ApiObject & { revision?: number }).revision ?? 0,
      age(object, now),
    ];
  },
  apiservices: (object, now) => {
    const { spec, status } = object as ApiObject & {
      spec?: { service?: { namespace?: string; name?: string } };
      status?: { conditions?: { type: string; status: string; reason?: string }[] };
    };
    const available = status?.conditions?.find(({ type }) => type === 'Available');
    return [
      object.metadata.name,
      spec?.service ? `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}` : 'Local',
      available === undefined || available.status === 'True'
        ? 'True'
        : `${available.status} (${available.reason ?? ''})`,
      age(object, now),
    ];
  },
  resourcequotas: (object, now) => {
    const { status } = object as ApiObject & {
      status?: { hard?: Record<string, string>; used?: Record<string, string> };
    };
    const said = (limits: boolean): string =>
      Object.keys(status?.hard ?? {})
        .filter((name) => name.startsWith('limits.') === limits)
        .toSorted()
        .map((name) => `${name}: ${status?.used?.[name] ?? '0'}/${status?.hard?.[name] ?? ''}`)
        .join(', ');
    return [object.metadata.name, said(false), said(true), age(object, now)];
  },
};

function printBinding(object: ApiObject, now: number): ReturnType<Printer> {
  const { metadata, roleRef, subjects = [] } = object as Binding;
  const named = (kind: string): string =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map(({ namespace, name }) => (kind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
      .join(', ');
  return [
    metadata.name,
    `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
    age(object, now),
    named('User'),
    named('Group'),
    named('ServiceAccount'),
  ];
}

function autoscalerTargets({ spec, status }: Autoscaler): string {
  const targets = (spec?.metrics ?? []).map(({ resource }, index) => {
    const current = status?.currentMetrics?.[index]?.resource?.current?.averageUtilization;
    const said = current === undefined ? '<unknown>' : `${current}%`;
    return `${resource?.name ?? ''}: ${said}/${resource?.target?.averageUtilization ?? 0}%`;
  });
  return targets.length === 0 ? NONE : targets.join(', ');
}

function externalAddress({ spec, status }: Service): string {
  const own = spec?.externalIPs ?? [];
  if (spec?.type === 'ExternalName') return spec.externalName ?? NONE;
  if (spec?.type !== 'LoadBalancer') return own.length === 0 ? NONE : own.join(',');
  const given = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? '');
  const all = [...given, ...own];
  return all.length === 0 ? '<pending>' : all.join(',');
}

function servicePorts({ spec }: Service): string {
  const ports = (spec?.ports ?? []).map(({ port = 0, nodePort, protocol = 'TCP' }) =>
    nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`,
  );
  return ports.length === 0 ? NONE : ports.join(',');
}

function some(texts: readonly string[]): string {
  const shown = texts.slice(0, SHOWN_ENDPOINTS).join(',');
  return texts.length > SHOWN_ENDPOINTS ? `${shown} + ${texts.length - SHOWN_ENDPOINTS} more...` : shown;
}

function shortModes(modes: readonly string[] = []): string {
  return modes.map((mode) => SHORT_MODES[mode] ?? mode).join(',');
}

function size(fields: object | undefined): number {
  return Object.keys(fields ?? {}).length;
}
