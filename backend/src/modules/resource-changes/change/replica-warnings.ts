import { DomainError } from '../../../core/errors/index.js';
import { counted } from '../../../core/values/index.js';
import { specOf, type KubernetesObject } from '../../../drivers/kubernetes/index.js';
import type { ChangeTarget } from './change-target.js';
import { readableKind } from '../../resources/index.js';

const AUTOSCALERS = { group: 'autoscaling', version: 'v2', plural: 'horizontalpodautoscalers' };

/** Owners and autoscalers that may change the replicas again. Errors are ignored. */
export async function replicaWarnings(
  { api, reference }: Pick<ChangeTarget, 'api' | 'reference'>,
  stored: KubernetesObject,
): Promise<string[]> {
  const owner = stored.metadata.ownerReferences?.find(({ controller }) => controller);
  const scaler = await api
    .list(AUTOSCALERS, { namespace: reference.namespace ?? undefined })
    .catch((error: unknown) => {
      if (error instanceof DomainError) return [];
      throw error;
    });
  const own = scaler.filter((each) => {
    const { kind, name } = specOf(each).scaleTargetRef ?? {};
    return kind === stored.kind && name === reference.name;
  });
  return [
    ...(owner
      ? [
          `It is controlled by the ${readableKind(owner.kind)} ${owner.name}, which resets the replicas. Scale that instead.`,
        ]
      : []),
    ...own.map((each) => {
      const { minReplicas = 1, maxReplicas = 1 } = specOf(each);
      return `The autoscaler ${each.metadata.name} sets between ${minReplicas} and ${counted(maxReplicas, 'replica')} and may change the number.`;
    }),
  ];
}
