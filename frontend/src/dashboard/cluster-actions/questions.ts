import type { ClusterDto, RecreationCheckDto } from '../../shared/api/api-types';
import {
  asSentence,
  containerCount,
  controlPlaneCount,
  formatList,
  podCount,
  volumeClaimCount,
  volumeCount,
  workerCount,
} from '../../shared/format/format';
import type { Question } from '../../shared/ui/confirm-dialog';

const OF_OTHERS = $localize`This cluster was created outside Slipway, so others may use it.`;

const LOGS_STAY = $localize`Its logs stay on the log board until they expire.`;

/** kind keeps no copy of a config, so a rebuilt one may lack parts of it. */
export const REBUILT_LIMITS = $localize`Slipway rebuilds the config from the containers and the kubeadm files in them. They do not contain the kubeadm and containerd patches, or whether the API server port was set. Add what is missing before you recreate the cluster.`;

export function lossesOf({ name, runtime, nodes }: ClusterDto): string[] {
  if (nodes.length === 0) return [];
  return [
    containersIn(
      runtime,
      nodes.map((node) => node.name),
    ),
    $localize`All workloads of ${name}:cluster:, and the volumes and files of its nodes`,
  ];
}

export function deleteQuestion(cluster: ClusterDto): Question {
  const { name, origin } = cluster;
  const final = $localize`This cannot be undone.`;
  return {
    title: $localize`Delete ${name}:cluster:?`,
    text: [...(origin === 'adopted' ? [OF_OTHERS] : []), final, LOGS_STAY],
    losses: [
      ...lossesOf(cluster),
      ...(origin === 'created' ? [$localize`Its saved config, provision log and kubeconfig`] : []),
    ],
    action: $localize`Delete ${name}:cluster:`,
    danger: true,
  };
}

/** Undefined if nothing is lost. */
export function recreateQuestion(
  { name, origin, runtime, config_changed }: ClusterDto,
  { losses, becomes, changes, warnings }: RecreationCheckDto,
): Question | undefined {
  if (losses.containers.length === 0 && losses.volumes.length === 0) return undefined;
  return {
    title: config_changed
      ? $localize`Start ${name}:cluster: with its new config?`
      : $localize`Recreate ${name}:cluster:?`,
    text: [
      $localize`Slipway deletes ${name}:cluster: and recreates it from its saved config. Nothing is deleted before all checks pass and the node image is available.`,
      ...(becomes
        ? [
            $localize`The new cluster has ${controlPlaneCount(becomes.control_planes)}:controlPlanes: and ${workerCount(becomes.workers)}:workers:.`,
          ]
        : []),
      ...(origin === 'adopted' ? [OF_OTHERS, REBUILT_LIMITS] : []),
      ...warnings.map(asSentence),
    ],
    changes: listedChanges(changes),
    losses: [
      workloadsIn(name, losses),
      containersIn(runtime, losses.containers),
      ...(losses.volumes.length > 0
        ? [$localize`${volumeCount(losses.volumes.length)}:volumes:: ${shortList(losses.volumes)}:names:`]
        : []),
    ],
    action: config_changed ? $localize`Delete and recreate` : $localize`Recreate ${name}:cluster:`,
    danger: true,
  };
}

export function listedChanges(changes: readonly string[]): string[] {
  return changes.length > 8
    ? [...changes.slice(0, 8), $localize`and ${changes.length - 8}:count: more`]
    : [...changes];
}

function workloadsIn(name: string, { pods, volume_claims: claims }: RecreationCheckDto['losses']): string {
  if (pods === null || claims === null) {
    return $localize`All workloads of ${name}:cluster: and their data`;
  }
  if (pods + claims === 0) return $localize`All data in ${name}:cluster: (system Pods only)`;
  const counts = formatList([
    ...(pods > 0 ? [podCount(pods)] : []),
    ...(claims > 0 ? [volumeClaimCount(claims)] : []),
  ]);
  return $localize`${counts}:counts: in ${name}:cluster:, with all data`;
}

/** An adopted cluster is recreated only from a config that the user has reviewed and saved. */
export function rebuiltConfigQuestion({ name }: ClusterDto): Question {
  return {
    title: $localize`${name}:cluster: has no saved config`,
    text: [
      $localize`kind created ${name}:cluster: outside Slipway and kept no copy of its config.`,
      REBUILT_LIMITS,
      $localize`Review and save the rebuilt config first. Then you can recreate ${name}:cluster:.`,
    ],
    action: $localize`Review config`,
  };
}

/** Undefined for a cluster that Slipway created. */
export function stopQuestion({ name, origin }: ClusterDto): Question | undefined {
  if (origin !== 'adopted') return undefined;
  return {
    title: $localize`Stop ${name}:cluster:?`,
    text: [
      OF_OTHERS,
      $localize`No data is lost. The cluster stays stopped, also after a restart of the engine, until it is started.`,
    ],
    action: $localize`Stop ${name}:cluster:`,
  };
}

/** A problem of a recreation as a sentence; most begin with the field. */
export function problemSentence(
  { name }: ClusterDto,
  { field, problem }: RecreationCheckDto['problems'][number],
): string {
  const isWhole =
    field === 'cluster' || field === 'runtime' || /^[A-Z]/.test(problem) || problem.startsWith(`${name} `);
  return asSentence(isWhole ? problem : `${field} ${problem}`);
}

function containersIn(runtime: string, names: readonly string[]): string {
  return $localize`${containerCount(names.length)}:containers: in ${runtime}:engine:: ${shortList(names)}:names:`;
}

/** `a, b and 3 more` */
export function shortList(names: readonly string[], most = 6): string {
  const more = names.length - most;
  const listed = names.slice(0, most).join(', ');
  return more > 0 ? $localize`${listed}:names: and ${more}:count: more` : listed;
}
