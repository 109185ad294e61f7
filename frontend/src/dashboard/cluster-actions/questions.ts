import type { ClusterDto, RecreationCheckDto } from '../../shared/api/api-types';
import { asSentence, plural } from '../../shared/format/format';
import type { Question } from '../../shared/ui/confirm-dialog';

const NAMED = 6;
const OF_OTHERS = 'It was made outside Slipway. Whoever made it loses it too.';

/** kind keeps no copy of the config that it was given, so a rebuilt one may be less than that. */
export const NOT_IN_CONTAINERS =
  'Slipway rebuilt it from the containers and the files of kubeadm in them. They do not tell which patches kind was given for kubeadm and containerd, nor whether the API server’s port was chosen or came by chance: what was patched is lost unless you write it in.';

/** What goes with the containers of a cluster, by name. */
export function lossesOf({ name, runtime, nodes }: ClusterDto): string[] {
  if (nodes.length === 0) return [];
  return [
    `${plural(nodes.length, 'container')} in ${runtime}: ${someOf(nodes.map((node) => node.name))}`,
    `Everything that runs in ${name}, and every volume and file that its nodes hold`,
  ];
}

/** What is lost is named before it is lost. */
export function questionBeforeDeletion(cluster: ClusterDto): Question {
  const { name, origin } = cluster;
  return {
    title: `Delete ${name}?`,
    text: origin === 'adopted' ? [`${OF_OTHERS} This cannot be undone.`] : ['This cannot be undone.'],
    losses: [
      ...lossesOf(cluster),
      ...(origin === 'created' ? ['Its saved config, provision log and kubeconfig'] : []),
    ],
    action: `Delete ${name}`,
    danger: true,
  };
}

/** Before a cluster is made anew; undefined where nothing is lost by it. */
export function questionBeforeRecreation(
  cluster: ClusterDto,
  { losses, becomes, warnings }: RecreationCheckDto,
): Question | undefined {
  const { name, origin, runtime, config_changed } = cluster;
  if (losses.containers.length === 0 && losses.volumes.length === 0) return undefined;
  const shape = becomes
    ? ` with ${plural(becomes.control_planes, 'control plane')} and ${plural(becomes.workers, 'worker')}`
    : '';
  return {
    title: config_changed ? `Start ${name} with its new config?` : `Recreate ${name}?`,
    text: [
      `${name} is deleted and created again from its saved config${shape}, in one job. Nothing is deleted before the checks are done and the node image is here.`,
      ...(origin === 'adopted' ? [OF_OTHERS, `Of its config: ${NOT_IN_CONTAINERS}`] : []),
      ...warnings.map(asSentence),
    ],
    losses: [
      workloadsIn(name, losses),
      `${plural(losses.containers.length, 'container')} in ${runtime}: ${someOf(losses.containers)}`,
      ...(losses.volumes.length > 0
        ? [`${plural(losses.volumes.length, 'volume')}: ${someOf(losses.volumes)}`]
        : []),
    ],
    action: config_changed ? 'Delete and create again' : `Recreate ${name}`,
    keep: 'Leave it as it is',
    danger: true,
  };
}

/** What the cluster itself tells of them; where it cannot be asked, that there may be any. */
function workloadsIn(name: string, { pods, volume_claims: claims }: RecreationCheckDto['losses']): string {
  if (pods === null || claims === null) return `All workloads that run in ${name}, and the data in them`;
  if (pods + claims === 0) return `All data in ${name}; no pods but its own are there`;
  const counts = [
    ...(pods > 0 ? [plural(pods, 'pod')] : []),
    ...(claims > 0 ? [plural(claims, 'volume claim')] : []),
  ];
  return `${counts.join(' and ')} in ${name}, with all data`;
}

/** A cluster that kind made elsewhere is made again from a rebuilt config only after somebody has seen and saved it. */
export function questionOfRebuiltConfig({ name }: ClusterDto): Question {
  return {
    title: `${name} has no saved config yet`,
    text: [
      `kind made ${name} outside Slipway and kept no copy of its config, so it can only be created again from one that is rebuilt.`,
      NOT_IN_CONTAINERS,
      `Look the rebuilt config over and save it. ${name} can be recreated from it then. Nothing happens to ${name} now.`,
    ],
    action: 'Look at the rebuilt config',
    keep: 'Leave it as it is',
  };
}

/** What stands in the way, as a sentence: a field with what is wrong with it, or what already is one. */
export function obstacle(
  { name }: ClusterDto,
  { field, problem }: RecreationCheckDto['problems'][number],
): string {
  const whole =
    field === 'cluster' || field === 'runtime' || /^[A-Z]/.test(problem) || problem.startsWith(`${name} `);
  return asSentence(whole ? problem : `${field} ${problem}`);
}

/** `a, b and 3 more` */
function someOf(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ');
}

/** Before a cluster is stopped that others may count on; undefined for one of our own. */
export function questionBeforeStop({ name, origin }: ClusterDto): Question | undefined {
  if (origin !== 'adopted') return undefined;
  return {
    title: `Stop ${name}?`,
    text: [
      `kind made ${name} outside Slipway, so somebody else may be using it. Nothing is lost: what runs in it ends now, and begins again when it is started.`,
      'It stays stopped when the engine or the machine restarts, until somebody starts it.',
    ],
    action: `Stop ${name}`,
    keep: 'Leave it running',
  };
}
