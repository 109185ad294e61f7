import type { ClusterDto, HostAccessDto } from '../../shared/api/api-types';
import type { Question } from '../../shared/ui/confirm-dialog';
import { actionsOf } from '../cluster-actions/available-actions';
import { lossesOf, REBUILT_LIMITS } from '../cluster-actions/questions';

/** The action that applies a saved config now; undefined without one. */
export function applyActionOf(cluster: ClusterDto): 'reapply' | 'recreate' | undefined {
  const actions = actionsOf({ ...cluster, config_changed: true }).map(({ action }) => action);
  return (['reapply', 'recreate'] as const).find((action) => actions.includes(action));
}

/** After saving: when the config takes effect, and what is lost if it is applied now. */
export function savedQuestion(cluster: ClusterDto, changes: string[]): Question {
  const { name, nodes, origin } = cluster;
  const canApply = applyActionOf(cluster) !== undefined;
  const hasNodes = nodes.length > 0;
  return {
    title: $localize`Config saved`,
    text: [
      hasNodes
        ? $localize`${name}:cluster: does not change yet. Start with new config deletes and recreates the cluster with it, once all checks pass and the node image is available. Start keeps the existing nodes.`
        : $localize`The next creation of ${name}:cluster: uses it.`,
      ...(origin === 'adopted' ? [REBUILT_LIMITS] : []),
    ],
    changes,
    losses: canApply ? lossesOf(cluster) : [],
    action: canApply
      ? hasNodes
        ? $localize`Start with new config`
        : $localize`Create now`
      : $localize`Back to the cluster`,
    keep: canApply ? $localize`Later` : $localize`Close`,
    danger: canApply && hasNodes,
  };
}

/** After saving a config that changes only labels of nodes. */
export function labelsQuestion(changes: string[]): Question {
  return {
    title: $localize`Config saved`,
    text: [$localize`It changes only labels, which can be set on the running nodes without recreating them.`],
    changes,
    action: $localize`Apply labels now…`,
    keep: $localize`Later`,
  };
}

export function conflictQuestion(name: string): Question {
  return {
    title: $localize`The saved config has changed`,
    text: [
      $localize`Another user or program saved the config of ${name}:cluster: since you opened it. Your changes were not saved.`,
      $localize`Load theirs replaces your text; undo restores it. Keep mine compares your text with theirs; saving it again overwrites theirs.`,
    ],
    action: $localize`Load theirs`,
    keep: $localize`Keep mine`,
  };
}

export function hostAccessQuestion(access: readonly HostAccessDto[]): Question {
  return {
    title: $localize`Allow access to the host?`,
    text: [$localize`Nodes are privileged containers. From the next start, this config also:`],
    losses: access.map(({ path, what }) => `${what} (${path})`),
    action: $localize`Allow and save`,
    danger: true,
  };
}

export function unsavedQuestion(name: string): Question {
  return {
    title: $localize`Discard unsaved changes?`,
    text: [$localize`Your changes to the config of ${name}:cluster: are not saved.`],
    action: $localize`Discard changes`,
    keep: $localize`Stay`,
    danger: true,
  };
}
