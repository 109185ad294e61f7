import type { ClusterDto, HostAccessDto } from '../../shared/api/api-types';
import type { Question } from '../../shared/ui/confirm-dialog';
import { actionsOf } from '../cluster-actions/available-actions';
import { lossesOf, REBUILT_LIMITS } from '../cluster-actions/questions';

/** What makes a cluster anew from the config that was just saved; undefined where nothing can now. */
export function renewalOf(cluster: ClusterDto): 'reapply' | 'recreate' | undefined {
  const actions = actionsOf({ ...cluster, config_changed: true }).map(({ action }) => action);
  return (['reapply', 'recreate'] as const).find((action) => actions.includes(action));
}

/** After saving: when the change takes effect, and what it costs to have it now. */
export function questionAfterSaving(cluster: ClusterDto): Question {
  const { name, nodes, origin } = cluster;
  const renews = renewalOf(cluster) !== undefined;
  const text =
    nodes.length > 0
      ? [
          `${name} stays as it is for now. Start with new config applies it: the cluster is deleted and created again, in one job. Nothing is deleted before the checks are done and the node image is here. A plain start keeps the nodes.`,
        ]
      : [`The next creation of ${name} is made from it.`];
  if (origin === 'adopted') text.push(`It is what you have saved, and no more. ${REBUILT_LIMITS}`);
  return {
    title: 'The config is saved',
    text: renews && nodes.length > 0 ? [...text, 'To start now, you lose:'] : text,
    losses: renews ? lossesOf(cluster) : [],
    action: renews
      ? nodes.length > 0
        ? 'Start now with the new config'
        : 'Create it now'
      : 'Back to the cluster',
    keep: renews ? 'Later' : 'Stay here',
    danger: renews && nodes.length > 0,
  };
}

/** Somebody else saved since the page was opened. Yes means theirs. */
export function questionOfConflict(name: string): Question {
  return {
    title: 'Somebody else saved meanwhile',
    text: [
      `The config of ${name} was changed since you opened it, so nothing was saved now.`,
      'Show theirs puts it into the editor; undoing brings your text back. Keep mine leaves your text there and compares it with theirs: saving it then replaces theirs.',
    ],
    action: 'Show theirs',
    keep: 'Keep mine',
  };
}

export function questionOfHostAccess(access: readonly HostAccessDto[]): Question {
  return {
    title: 'It reaches beyond its containers',
    text: ['The nodes of a cluster are privileged containers. From its next start, this config also:'],
    losses: access.map(({ path, what }) => `${what} (${path})`),
    action: 'Save it, I want this',
    keep: 'Do not save',
    danger: true,
  };
}

export function questionBeforeLeaving(name: string): Question {
  return {
    title: 'Leave without saving?',
    text: [`Your changes of the config of ${name} are not saved.`],
    action: 'Leave without saving',
    keep: 'Stay here',
    danger: true,
  };
}
