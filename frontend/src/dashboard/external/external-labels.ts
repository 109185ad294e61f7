import type {
  ChosenScopeDto,
  ClusterColor,
  ClusterDto,
  ContextDto,
  ExternalDto,
  HistoryEstimateDto,
  HistoryScopeDto,
} from '../../shared/api/api-types';
import { asSentence, containerCount, formatBytes, formatCount } from '../../shared/format/format';
import { rawText } from '../../shared/format/raw-text';
import type { Question } from '../../shared/ui/confirm-dialog';
import type { ShownState } from '../../shared/ui/state-styles';

/** A cluster of a kubeconfig. */
export type ExternalCluster = ClusterDto & { external: ExternalDto };

export function isExternal(cluster: ClusterDto | undefined): cluster is ExternalCluster {
  return Boolean(cluster?.external);
}

/** An external cluster only counts as running while its pages are open: until then, its problems are unknown. */
export function shownState({ external, state, problems }: ClusterDto): ShownState {
  return external && state === 'running' && problems === null ? 'reachable' : state;
}

export const COLORS: readonly { color: ClusterColor; text: string }[] = [
  { color: 'gray', text: $localize`Gray` },
  { color: 'blue', text: $localize`Blue` },
  { color: 'green', text: $localize`Green` },
  { color: 'yellow', text: $localize`Yellow` },
  { color: 'orange', text: $localize`Orange` },
  { color: 'red', text: $localize`Red` },
  { color: 'purple', text: $localize`Purple` },
];

/** Pages of external clusters show this instead of controls for the life cycle, nodes, config and images. */
export const NOT_MANAGED = $localize`Slipway does not manage the nodes of this cluster. It cannot start, stop, clone, upgrade or delete the cluster, edit its config, load images, open shells in its nodes or read their logs.`;

export function changesOff(name: string): string {
  return $localize`Changes are off for ${name}:cluster:`;
}

/** The contexts that can be added, and those that have a problem. Clusters of kind and added ones are shown already. */
export function offeredContexts(contexts: readonly ContextDto[]): ContextDto[] {
  return contexts.filter(({ own_cluster, added_as }) => own_cluster === null && added_as === null);
}

/** Server, user and context as facts of a sentence, with invisible characters shown. */
export function allowQuestion({ name, external }: ExternalCluster): Question {
  const { context, server, user } = external;
  return {
    title: $localize`Allow changes in ${name}:cluster:?`,
    text: [
      $localize`Pages, the API, the CLI and MCP clients of Slipway can then change and delete objects of this cluster, open shells, and read files and Secrets.`,
      $localize`Changes stay on until you turn them off, or until the context leads to another server or user.`,
    ],
    changes: [
      $localize`Cluster: ${name}:cluster:`,
      $localize`Context: ${rawText(context)}:context:`,
      $localize`Server: ${rawText(server ?? '–')}:server:`,
      $localize`User: ${rawText(user ?? '–')}:user:`,
    ],
    changesTitle: $localize`Where`,
    action: $localize`Allow changes`,
  };
}

export function removeQuestion({
  name,
  external,
}: ExternalCluster): Question & Required<Pick<Question, 'option'>> {
  const { file } = external;
  return {
    title: $localize`Remove ${name}:cluster:?`,
    text: [
      file === null
        ? $localize`Slipway removes it from its list, with the kubeconfig that you pasted. The cluster itself stays.`
        : $localize`Slipway removes it from its list. The cluster and ${rawText(file)}:file: stay as they are.`,
    ],
    option: { label: $localize`Also delete its stored log lines`, checked: false },
    action: $localize`Remove ${name}:cluster:`,
    danger: true,
  };
}

/** Namespaces of the context and those that the user typed: all that is known if the server does not list them. */
export function offeredNamespaces(cluster: ExternalCluster | undefined, isUnlisted: boolean): string[] {
  if (!cluster || !isUnlisted) return [];
  const { namespace, namespaces } = cluster.external;
  return [...(namespace === null ? [] : [namespace]), ...namespaces];
}

/** The effects of adding a cluster. @param server null if the kubeconfig is pasted */
export function addSentences(context: ContextDto | null): string[] {
  const off = $localize`Changes stay off until you allow them.`;
  if (!context) {
    return [
      $localize`Slipway stores the kubeconfig encrypted, then contacts the server.`,
      $localize`It must not lead to files or programs. Paste the output of kubectl config view --raw --flatten.`,
      off,
    ];
  }
  const { file, plugin, server } = context;
  return [
    $localize`Slipway stores the file and the name of the context, and nothing else: ${rawText(file)}:file:.`,
    plugin === null
      ? $localize`Then it contacts ${rawText(server ?? '–')}:server:.`
      : $localize`It signs in with ${rawText(plugin)}:command:. Slipway shows the command and runs it only after you allow it.`,
    off,
  ];
}

/** The reason of the state as a sentence. */
export function stateSentence({ state_reason: reason }: ClusterDto): string {
  return reason === null ? '' : asSentence(reason.slice(0, 1).toUpperCase() + reason.slice(1));
}

/** Pods whose lines are stored: `shop`, `shop (app=web)`. */
export function scopeText({ namespace, selector }: HistoryScopeDto): string {
  return selector === null ? namespace : `${namespace} (${selector})`;
}

export function requestedHistory(scopes: readonly HistoryScopeDto[]): ChosenScopeDto[] {
  return scopes.map(({ namespace, selector }) => ({ namespace, ...(selector !== null && { selector }) }));
}

/** Whether Slipway stores lines of some Pods of a namespace. */
export function storesLines({ external }: ExternalCluster, namespace: string): boolean {
  return external.history.some((scope) => scope.namespace === namespace);
}

/** How much the Pods of a scope write, and the disk for it. */
export function estimateSentences(estimate: HistoryEstimateDto): string[] {
  const { containers, sampled, lines_per_second: lines, bytes_per_day, disk_bytes, days } = estimate;
  if (containers === 0) {
    return [$localize`No container runs there now. Slipway stores lines once one writes some.`];
  }
  const count = containerCount(containers);
  if (sampled === 0) return [$localize`Could not read the log of any of ${count}:containers:.`];
  const rate = lines < 10 ? String(lines) : formatCount(Math.round(lines));
  const disk = formatBytes(disk_bytes);
  const amount = $localize`About ${rate}:lines: lines/s, ${formatBytes(bytes_per_day)}:bytes: per day, at most ${disk}:disk: on disk for ${days}:days: days.`;
  return sampled < containers
    ? [amount, $localize`Measured in ${formatCount(sampled)}:sampled: of ${count}:containers:.`]
    : [amount];
}
