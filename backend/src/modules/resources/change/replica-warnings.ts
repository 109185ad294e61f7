import type { HorizontalPodAutoscalerSpec } from 'kubernetes-types/autoscaling/v2.js';
import { DomainError } from '../../../core/errors/index.js';
import { counted } from '../../../core/values/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import type { ChangeTarget } from './change-target.js';
import { readableKind } from './object-names.js';

const AUTOSCALERS = { group: 'autoscaling', version: 'v2', plural: 'horizontalpodautoscalers' };

type Autoscaler = Partial<HorizontalPodAutoscalerSpec>;

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
  const own = scaler.filter(({ spec }) => {
    const { kind, name } = (spec as Autoscaler | undefined)?.scaleTargetRef ?? {};
    return kind === stored.kind && name === reference.name;
  });
  return [
    ...(owner
      ? [
          `It is controlled by the ${readableKind(owner.kind)} ${owner.name}, which resets the replicas. Scale that instead.`,
        ]
      : []),
    ...own.map(({ metadata, spec }) => {
      const { minReplicas = 1, maxReplicas = 1 } = spec as Autoscaler;
      return `The autoscaler ${metadata.name} sets between ${minReplicas} and ${counted(maxReplicas, 'replica')} and may change the number.`;
    }),
  ];
}
