import type { LogSourceDto } from '../../shared/api/api-types';
import { formatBytes, formatFull, lineCount } from '../../shared/format/format';
import { rawText } from '../../shared/format/raw-text';
import type { ShownState } from '../../shared/ui/state-styles';
import type { SourceGroup, SourceSelection } from './source-group';

/** Short name of a source in its cluster: pods by workload and suffix. */
export function sourceName(source: LogSourceDto): string {
  switch (source.kind) {
    case 'pod':
      return source.previous === null ? podName(source) : $localize`${podName(source)}:pod:, previous`;
    case 'node':
      return `${nodeName(source)} ${source.service ?? 'journal'}`;
    case 'container':
      return source.cluster === null ? rawText(source.name) : $localize`${nodeName(source)}:node: container`;
  }
}

/** Also says the cluster, for a place that shows several. */
export function titleOf(source: LogSourceDto): string {
  return source.cluster === null ? sourceName(source) : `${source.cluster} / ${sourceName(source)}`;
}

export function fullName(source: LogSourceDto): string {
  const parts = [source.cluster, source.namespace, source.name, source.container, source.service];
  const name = rawText(parts.filter((part) => part !== null).join(' / '));
  return source.previous === null
    ? name
    : $localize`${name}:source:, before restart ${source.previous + 1}:number:`;
}

/** `payments-api` of `Deployment/payments-api`. */
export function workloadName({ workload }: Pick<LogSourceDto, 'workload'>): string | null {
  return workload?.slice(workload.indexOf('/') + 1) ?? null;
}

/** A selection that includes future replacements of a source; null if it has none. */
export function lastingSelection(source: LogSourceDto): { label: string; selection: SourceSelection } | null {
  const { kind, runtime, cluster, namespace, workload, name } = source;
  if (kind === 'pod' && cluster !== null && namespace !== null && workload !== null) {
    const group = { runtime, cluster, namespace, workload };
    return {
      label: $localize`Show ${rawText(workloadName(source) ?? workload)}:workload: and its new pods`,
      selection: onlyGroup(group),
    };
  }
  if (kind !== 'container' || cluster !== null) return null;
  return {
    label: $localize`Show ${rawText(name)}:container: and its replacements`,
    selection: onlyGroup({ runtime, container: name }),
  };
}

function onlyGroup(group: SourceGroup): SourceSelection {
  return { groups: [group], keys: [] };
}

function podName({ name, container, ...source }: LogSourceDto): string {
  const workload = workloadName(source);
  const isOfWorkload = workload !== null && name.startsWith(`${workload}-`);
  const pod = isOfWorkload
    ? `${workload} ${name.slice(name.lastIndexOf('-') + 1)}`
    : staticPodName(name, source.cluster);
  return rawText(container === null ? pod : `${pod} ${container}`);
}

/** `kube-apiserver` of `kube-apiserver-shop-control-plane`, and `etcd 2` of the second control plane. */
function staticPodName(name: string, cluster: string | null): string {
  const at = cluster === null ? -1 : name.lastIndexOf(`-${cluster}-`);
  const [, number = null] =
    /^(?:control-plane|worker)(\d*)$/.exec(name.slice(at + (cluster ?? '').length + 2)) ?? [];
  if (at <= 0 || number === null) return name;
  return number === '' ? name.slice(0, at) : `${name.slice(0, at)} ${number}`;
}

function nodeName({ name, cluster }: LogSourceDto): string {
  return rawText(cluster !== null && name.startsWith(`${cluster}-`) ? name.slice(cluster.length + 1) : name);
}

const STATE_LABELS: Readonly<Record<LogSourceDto['state'], string>> = {
  live: '',
  waiting: $localize`waiting`,
  ended: $localize`ended`,
  gone: $localize`deleted`,
  failed: $localize`failed`,
  left_out: $localize`not collected`,
};

/** Reasons of a container that waits because it cannot start. */
const CANNOT_START = /BackOff|^(?:Err|Invalid|Create|Run|Image)\w*/;

/** The state as the dashboard shows it, in a word or two; null for a live source. */
export function shownState({
  state,
  reason,
}: Pick<LogSourceDto, 'state' | 'reason'>): { state: ShownState; word: string } | null {
  const code = /exit code (\d+)/.exec(reason ?? '')?.[1];
  const label = STATE_LABELS[state];
  if (state === 'live') return null;
  if (state === 'failed') return { state: 'failed', word: label };
  if (state === 'gone' || state === 'left_out') {
    return { state: state === 'gone' ? 'stopped' : 'paused', word: label };
  }
  if (reason?.startsWith('CrashLoopBackOff') === true) {
    return { state: 'failed', word: $localize`crash loop` };
  }
  if (state === 'ended') {
    if (reason === null) return { state: 'succeeded', word: label };
    return {
      state: 'failed',
      word: code === undefined ? $localize`failed` : $localize`exit code ${code}:code:`,
    };
  }
  return CANNOT_START.test(reason ?? '')
    ? { state: 'failed', word: $localize`cannot start` }
    : { state: 'creating', word: label };
}

/** The stored lines of a source: how many, their size and their time. */
export function storedLines({ first_seq, next_seq, bytes, first_time, last_time }: LogSourceDto): string[] {
  return [
    $localize`${lineCount(next_seq - first_seq)}:lines:, ${formatBytes(bytes)}:size: of text`,
    ...(first_time !== null && last_time !== null
      ? [$localize`written from ${formatFull(first_time)}:start: to ${formatFull(last_time)}:end:`]
      : []),
  ];
}

/** The state with its reason; empty for a live source. */
export function stateLabel({ state, reason }: Pick<LogSourceDto, 'state' | 'reason'>): string {
  const label = STATE_LABELS[state];
  // `left_out` needs no reason.
  return reason === null || state === 'live' || state === 'left_out' ? label : `${label}: ${reason}`;
}
