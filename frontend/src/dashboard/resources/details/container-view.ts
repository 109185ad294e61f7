import type * as core from 'kubernetes-types/core/v1';
import type { PodUsageDto } from '../../../shared/api/api-types';
import type { ShownState } from '../../../shared/ui/state-styles';
import type { Received } from '../../resource-model/received';
import { formatMebibytes } from '../cell-values';

type Container = Received<core.Container>;
type ContainerStatus = Received<core.ContainerStatus>;

/** An object of the namespace of the Pod. */
export interface NamespaceReference {
  kind: 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim';
  name: string;
}

export type ContainerUsage = PodUsageDto['containers'][number];

interface StateView {
  text: string;
  message: string;
  /** Start or end, RFC 3339; null if unknown. */
  time: string | null;
}

interface EnvView {
  name: string;
  /** The value, or which key or field it is read from. Values of Secrets are not read. */
  value: string;
  from: NamespaceReference | null;
}

export interface ContainerView {
  name: string;
  /** Empty for a main container. */
  role: string;
  image: string;
  glyph: ShownState;
  state: StateView;
  last: StateView | null;
  restarts: number;
  command: string;
  ports: string;
  resources: { title: string; text: string }[];
  probes: { title: string; text: string }[];
  env: EnvView[];
  mounts: { path: string; volume: string; note: string }[];
}

/** Init containers first, in the order in which they start. */
export function containersOf(
  spec: Received<core.PodSpec>,
  status: Received<core.PodStatus>,
  usages: readonly ContainerUsage[] = [],
): ContainerView[] {
  const views = (
    containers: readonly Container[] = [],
    statuses: readonly ContainerStatus[] = [],
    roleOf: (container: Container) => string,
  ): ContainerView[] =>
    containers.map((container) =>
      viewOf(
        container,
        roleOf(container),
        statuses.find(({ name }) => name === container.name),
        usages.find(({ name }) => name === container.name),
      ),
    );
  return [
    ...views(spec.initContainers, status.initContainerStatuses, ({ restartPolicy }) =>
      restartPolicy === 'Always' ? $localize`sidecar` : $localize`init`,
    ),
    ...views(spec.containers, status.containerStatuses, () => ''),
    ...views(spec.ephemeralContainers, status.ephemeralContainerStatuses, () => $localize`ephemeral`),
  ];
}

function viewOf(
  container: Container,
  role: string,
  status?: ContainerStatus,
  usage?: ContainerUsage,
): ContainerView {
  const { state = {}, lastState = {}, restartCount = 0, ready = false } = status ?? {};
  return {
    name: container.name,
    role,
    image: container.image ?? '',
    glyph: glyphOf(state, ready || role !== ''),
    state: stateView(state),
    last: lastState.terminated ? stateView(lastState) : null,
    restarts: restartCount,
    command: [...(container.command ?? []), ...(container.args ?? [])].join(' '),
    ports: (container.ports ?? [])
      .map(({ name, containerPort, hostPort, protocol = 'TCP' }) => {
        const port = `${containerPort}/${protocol}${hostPort === undefined ? '' : ` → ${hostPort}`}`;
        return name === undefined ? port : `${name} ${port}`;
      })
      .join(', '),
    resources: resourcesOf(container, usage),
    probes: [
      { title: $localize`Startup probe`, probe: container.startupProbe },
      { title: $localize`Readiness probe`, probe: container.readinessProbe },
      { title: $localize`Liveness probe`, probe: container.livenessProbe },
    ].flatMap(({ title, probe }) => (probe ? [{ title, text: probeText(probe) }] : [])),
    env: [...(container.envFrom ?? []).map(envSource), ...(container.env ?? []).map(envVar)],
    mounts: (container.volumeMounts ?? []).map(({ name, mountPath = '', subPath, readOnly }) => ({
      path: mountPath,
      volume: subPath === undefined ? name : `${name}/${subPath}`,
      note: readOnly === true ? $localize`read-only` : '',
    })),
  };
}

function glyphOf({ running, terminated }: Received<core.ContainerState>, isReady: boolean): ShownState {
  if (running) return isReady ? 'running' : 'warning';
  if (terminated) return terminated.exitCode === 0 ? 'succeeded' : 'failed';
  return 'creating';
}

function stateView({ running, waiting, terminated }: Received<core.ContainerState>): StateView {
  if (running) return { text: $localize`Running`, message: '', time: running.startedAt ?? null };
  if (terminated) {
    const { reason, exitCode, message = '', finishedAt = null } = terminated;
    const end = $localize`exit code ${exitCode ?? '?'}:code:`;
    const text = $localize`Terminated`;
    return {
      text: reason === undefined ? `${text}, ${end}` : `${text}: ${reason}, ${end}`,
      message,
      time: finishedAt,
    };
  }
  const text = $localize`Waiting`;
  const { reason, message = '' } = waiting ?? {};
  return { text: reason === undefined ? text : `${text}: ${reason}`, message, time: null };
}

/** Such as `12m of 100m requested, limit 500m`; the usage is in the units of `kubectl top`. */
function resourcesOf(
  { resources: { requests = {}, limits = {} } = {} }: Container,
  usage: ContainerUsage | undefined,
): ContainerView['resources'] {
  const used: Readonly<Record<string, string>> = usage
    ? { cpu: `${usage.cpu_millicores}m`, memory: formatMebibytes(usage.memory_bytes) }
    : {};
  const names = new Set([...Object.keys(used), ...Object.keys(requests), ...Object.keys(limits)]);
  return [...names].map((name) => {
    const title = name === 'cpu' ? 'CPU' : name === 'memory' ? $localize`Memory` : name;
    const limit = limits[name] === undefined ? [] : [$localize`limit ${limits[name]}:quantity:`];
    const text = [...requestText(used[name], requests[name]), ...limit].join(', ');
    return { title, text };
  });
}

function requestText(used: string | undefined, request: string | undefined): string[] {
  if (used === undefined) return request === undefined ? [] : [$localize`requests ${request}:quantity:`];
  return [
    request === undefined
      ? $localize`uses ${used}:quantity:`
      : $localize`${used}:used: of ${request}:quantity: requested`,
  ];
}

/** As `kubectl describe` prints it. */
function probeText(probe: Received<core.Probe>): string {
  const { httpGet, tcpSocket, grpc, exec } = probe;
  const { initialDelaySeconds = 0, timeoutSeconds = 1, periodSeconds = 10, failureThreshold = 3 } = probe;
  const target = httpGet
    ? `http-get ${(httpGet.scheme ?? 'HTTP').toLowerCase()}://:${httpGet.port}${httpGet.path ?? '/'}`
    : tcpSocket
      ? `tcp-socket :${tcpSocket.port}`
      : grpc
        ? `grpc :${grpc.port}`
        : `exec ${exec?.command?.join(' ') ?? ''}`;
  return `${target} delay=${initialDelaySeconds}s timeout=${timeoutSeconds}s period=${periodSeconds}s failure=${failureThreshold}`;
}

function envVar({ name, value = '', valueFrom = {} }: Received<core.EnvVar>): EnvView {
  const { secretKeyRef, configMapKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  if (secretKeyRef) {
    return { name, value: secretKeyRef.key ?? '', from: { kind: 'Secret', name: secretKeyRef.name ?? '' } };
  }
  if (configMapKeyRef) {
    return {
      name,
      value: configMapKeyRef.key ?? '',
      from: { kind: 'ConfigMap', name: configMapKeyRef.name ?? '' },
    };
  }
  return { name, value: fieldRef?.fieldPath ?? resourceFieldRef?.resource ?? value, from: null };
}

function envSource({ prefix = '', secretRef, configMapRef }: core.EnvFromSource): EnvView {
  return {
    name: `${prefix}*`,
    value: $localize`all keys`,
    from: secretRef
      ? { kind: 'Secret', name: secretRef.name ?? '' }
      : { kind: 'ConfigMap', name: configMapRef?.name ?? '' },
  };
}
