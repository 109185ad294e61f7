import type * as core from 'kubernetes-types/core/v1';
import type { PodUsageDto } from '../../../shared/api/api-types';
import type { ShownState } from '../../../shared/ui/state-styles';
import type { Received } from '../../resource-model/received';
import { formatMebibytes } from '../cell-values';
import { type DetailRow, textRow } from './detail-rows';

type Container = Received<core.Container>;
type ContainerStatus = Received<core.ContainerStatus>;

const CODE = 'mono xs';

/** An object of the namespace of the Pod. */
export interface NamespaceReference {
  kind: 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim';
  name: string;
}

export type ContainerUsage = PodUsageDto['containers'][number];

/** The page of an object of the namespace of the Pod. */
export type PageOf = (reference: NamespaceReference) => string;

export interface ContainerView {
  name: string;
  /** Empty for a main container. */
  role: string;
  glyph: ShownState;
  rows: DetailRow[];
  /** Folded: environment and mounts. */
  lists: { title: string; rows: DetailRow[] }[];
}

/** Init containers first, in the order in which they start. */
export function containersOf(
  spec: Received<core.PodSpec>,
  status: Received<core.PodStatus>,
  pageOf: PageOf,
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
        pageOf,
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
  pageOf: PageOf,
  status?: ContainerStatus,
  usage?: ContainerUsage,
): ContainerView {
  const { state = {}, lastState = {}, restartCount = 0, ready = false } = status ?? {};
  const glyph = glyphOf(state, ready || role !== '');
  const ports = (container.ports ?? []).map(({ name, containerPort, hostPort, protocol = 'TCP' }) => {
    const port = `${containerPort}/${protocol}${hostPort === undefined ? '' : ` → ${hostPort}`}`;
    return name === undefined ? port : `${name} ${port}`;
  });
  const rows = [
    stateRow($localize`State`, state, glyph === 'failed' ? 'error-text' : ''),
    ...(lastState.terminated ? [stateRow($localize`Last state`, lastState)] : []),
    textRow($localize`Restarts`, String(restartCount)),
    textRow($localize`Image`, container.image ?? '', CODE),
    textRow($localize`Command`, [...(container.command ?? []), ...(container.args ?? [])].join(' '), CODE),
    textRow($localize`Ports`, ports.join(', ')),
    ...resourceRows(container, usage),
    ...[
      { title: $localize`Startup probe`, probe: container.startupProbe },
      { title: $localize`Readiness probe`, probe: container.readinessProbe },
      { title: $localize`Liveness probe`, probe: container.livenessProbe },
    ].flatMap(({ title, probe }) => (probe ? [textRow(title, probeText(probe), CODE)] : [])),
  ];
  const mounts = (container.volumeMounts ?? []).map(({ name, mountPath = '', subPath, readOnly }) => ({
    title: mountPath,
    parts: [
      { text: subPath === undefined ? name : `${name}/${subPath}`, look: 'mono' },
      ...(readOnly === true ? [{ text: $localize`read-only`, look: 'muted' }] : []),
    ],
  }));
  const environment = [
    ...(container.envFrom ?? []).map((source) => sourceRow(source, pageOf)),
    ...(container.env ?? []).map((variable) => variableRow(variable, pageOf)),
  ];
  return {
    name: container.name,
    role,
    glyph,
    rows: rows.filter(({ parts: [part] }) => part?.text !== ''),
    lists: [
      { title: $localize`Environment`, rows: environment },
      { title: $localize`Mounts`, rows: mounts },
    ].filter((list) => list.rows.length > 0),
  };
}

function glyphOf({ running, terminated }: Received<core.ContainerState>, isReady: boolean): ShownState {
  if (running) return isReady ? 'running' : 'warning';
  if (terminated) return terminated.exitCode === 0 ? 'succeeded' : 'failed';
  return 'creating';
}

function stateRow(
  title: string,
  { running, waiting, terminated }: Received<core.ContainerState>,
  look = '',
): DetailRow {
  if (running) return { ...textRow(title, $localize`Running`, look), time: running.startedAt };
  if (terminated) {
    const { reason, exitCode, message, finishedAt } = terminated;
    const end = $localize`exit code ${exitCode ?? '?'}:code:`;
    const text = $localize`Terminated`;
    const why = reason === undefined ? `${text}, ${end}` : `${text}: ${reason}, ${end}`;
    return { ...textRow(title, why, look), message, time: finishedAt };
  }
  const text = $localize`Waiting`;
  const { reason, message } = waiting ?? {};
  return { ...textRow(title, reason === undefined ? text : `${text}: ${reason}`, look), message };
}

/** Such as `12m of 100m requested, limit 500m`; the usage is in the units of `kubectl top`. */
function resourceRows(
  { resources: { requests = {}, limits = {} } = {} }: Container,
  usage: ContainerUsage | undefined,
): DetailRow[] {
  const used: Readonly<Record<string, string>> = usage
    ? { cpu: `${usage.cpu_millicores}m`, memory: formatMebibytes(usage.memory_bytes) }
    : {};
  const names = new Set([...Object.keys(used), ...Object.keys(requests), ...Object.keys(limits)]);
  return [...names].map((name) => {
    const title = name === 'cpu' ? 'CPU' : name === 'memory' ? $localize`Memory` : name;
    const limit = limits[name] === undefined ? [] : [$localize`limit ${limits[name]}:quantity:`];
    return textRow(title, [...requestText(used[name], requests[name]), ...limit].join(', '));
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

/** A variable: its value, or which key or field it is read from. Values of Secrets are not read. */
function variableRow(
  { name: title, value = '', valueFrom = {} }: Received<core.EnvVar>,
  pageOf: PageOf,
): DetailRow {
  const { secretKeyRef, configMapKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  const key = secretKeyRef ?? configMapKeyRef;
  if (!key) return textRow(title, fieldRef?.fieldPath ?? resourceFieldRef?.resource ?? value, 'mono');
  const kind = secretKeyRef ? 'Secret' : 'ConfigMap';
  return referenceRow(title, key.key ?? '', { kind, name: key.name ?? '' }, pageOf);
}

function sourceRow({ prefix = '', secretRef, configMapRef }: core.EnvFromSource, pageOf: PageOf): DetailRow {
  const kind = secretRef ? 'Secret' : 'ConfigMap';
  const name = (secretRef ?? configMapRef)?.name ?? '';
  return referenceRow(`${prefix}*`, $localize`all keys`, { kind, name }, pageOf);
}

function referenceRow(
  title: string,
  value: string,
  reference: NamespaceReference,
  pageOf: PageOf,
): DetailRow {
  const { kind, name } = reference;
  return {
    title,
    parts: [
      { text: value },
      { text: kind, look: 'muted' },
      { text: name, look: 'mono', page: pageOf(reference) },
    ],
  };
}
