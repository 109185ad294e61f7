import type { ResourceTypeDto } from '../../shared/api/api-types';
import type { IconName } from '../../shared/ui/icon';
import { kindTitle } from '../resource-model/kind-labels';
import type { ObjectName } from '../resource-model/resource-address';
import { objectCount } from '../../shared/format/format';
import { rawText } from '../../shared/format/raw-text';

export type BulkAction = 'restart' | 'scale' | 'delete';

/** Limit of the API. */
export const MAX_OBJECTS = 100;

const SCALABLE = ['deployments', 'replicasets', 'statefulsets'];
const RESTARTABLE = ['deployments', 'statefulsets', 'daemonsets'];

export const BULK_BUTTONS: readonly { action: BulkAction; text: string; icon: IconName }[] = [
  { action: 'restart', text: $localize`Restart…`, icon: 'refresh' },
  { action: 'scale', text: $localize`Scale…`, icon: 'layers' },
  { action: 'delete', text: $localize`Delete…`, icon: 'trash' },
];

/** Changes that objects of a kind allow together. */
export function bulkActionsOf({ group, plural: kind, verbs }: ResourceTypeDto): BulkAction[] {
  const canRestart = group === 'core' ? kind === 'pods' : group === 'apps' && RESTARTABLE.includes(kind);
  return [
    ...(canRestart ? (['restart'] as const) : []),
    ...(group === 'apps' && SCALABLE.includes(kind) ? (['scale'] as const) : []),
    ...(verbs.includes('delete') ? (['delete'] as const) : []),
  ];
}

/** Whether objects of a kind may own others, so that a deletion can keep them: workloads and custom resources. */
export function mayOwn({ group }: Pick<ResourceTypeDto, 'group'>): boolean {
  return group === 'apps' || group === 'batch' || (group.includes('.') && !group.endsWith('.k8s.io'));
}

/** The text that most of several objects have, to be shown once instead of with each; null if none repeats. */
export function sharedText(texts: readonly string[]): { text: string; count: number } | null {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most !== undefined && most[1] > 1 ? { text: most[0], count: most[1] } : null;
}

/** Texts for a change of one or more objects of a kind. */
export function bulkLabels({
  action,
  type,
  objects,
}: {
  action: BulkAction;
  type: ResourceTypeDto;
  objects: readonly Pick<ObjectName, 'name'>[];
}): { title: string; button: string; done: string } {
  const [only] = objects;
  const isOne = objects.length === 1;
  const what = isOne ? rawText(only?.name ?? '') : `${objects.length} ${kindTitle(type)}`;
  const target = isOne ? what : objectCount(objects.length);
  switch (action) {
    case 'restart':
      return {
        title: $localize`Restart ${what}:objects:?`,
        button: $localize`Restart ${target}:objects:`,
        done: $localize`Restarted ${what}:objects:.`,
      };
    case 'scale':
      return {
        title: $localize`Scale ${what}:objects:`,
        button: $localize`Scale ${target}:objects:`,
        done: $localize`Scaled ${what}:objects:.`,
      };
    case 'delete':
      return {
        title: $localize`Delete ${what}:objects:?`,
        button: $localize`Delete ${target}:objects:`,
        done: $localize`Deleted ${what}:objects:.`,
      };
  }
}
