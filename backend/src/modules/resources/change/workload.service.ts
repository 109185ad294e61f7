import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { isRolledOut, isScaled, replicasOf } from './actions.js';
import { warningsOf } from './change-warnings.js';
import { ChangeJournal } from './change-journal.js';
import { ChangeTargets, presentReference, type ChangeTarget, type ObjectAddress } from './change-target.js';
import type { ChangedResourceDto, ScaledResourceDto } from './change.dto.js';
import { describeObject, readableKind } from './object-names.js';

/** The annotation by which kubectl restarts, so that the two are one. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';
const AUTOSCALERS = { group: 'autoscaling', version: 'v2', plural: 'horizontalpodautoscalers' };

interface Autoscaler {
  minReplicas?: number;
  maxReplicas?: number;
  scaleTargetRef?: { kind?: string; name?: string };
}

/** Scales workloads, and replaces their pods. */
@Injectable()
export class WorkloadService {
  constructor(
    private readonly targets: ChangeTargets,
    private readonly journal: ChangeJournal,
  ) {}

  /** @throws DomainError `resource_refused` for a kind without replicas */
  async scale(address: ObjectAddress, replicas: number): Promise<ScaledResourceDto> {
    const target = await this.targets.find(address);
    const { api, type, reference } = target;
    if (!isScaled(type)) {
      throw new DomainError(
        'resource_refused',
        `A ${readableKind(type.kind)} has no number of replicas here: deployments, replica sets and stateful sets have.`,
      );
    }
    const stored = await api.read(reference);
    const previous = replicasOf(type, stored) ?? 0;
    const what = describeObject(type, reference);
    return await this.journal.during(
      { kind: 'resource-scale', cluster: target.cluster, reference, failure: `${what} was not scaled` },
      async () => {
        const { warnings } =
          previous === replicas
            ? { warnings: [] }
            : await api.patch(reference, 'merge', { spec: { replicas } }, { subresource: 'scale' });
        const did =
          previous === replicas
            ? `${count(replicas)} wanted already.`
            : `scaled from ${previous} to ${count(replicas)}.`;
        return {
          result: {
            ...presentReference(type, reference),
            replicas,
            previous_replicas: previous,
            message: did.charAt(0).toUpperCase() + did.slice(1),
            warnings: [
              ...(await this.replicaWarnings(target, stored)),
              ...warningsOf(reference),
              ...warnings,
            ],
          },
          message: previous === replicas ? null : `${what} was ${did}`,
        };
      },
    );
  }

  /** @throws DomainError `resource_refused` for a kind that is not rolled out, or one whose rollout is paused */
  async restart(address: ObjectAddress): Promise<ChangedResourceDto> {
    const target = await this.targets.find(address);
    const { api, type, reference } = target;
    if (!isRolledOut(type)) {
      throw new DomainError(
        'resource_refused',
        `A ${readableKind(type.kind)} has no rollout: deployments, stateful sets and daemon sets have.`,
      );
    }
    const what = describeObject(type, reference);
    return await this.journal.during(
      { kind: 'resource-restart', cluster: target.cluster, reference, failure: `${what} was not restarted` },
      async () => {
        const stored = await api.read(reference);
        assertNotPaused(what, stored);
        const annotations = { [RESTARTED_AT]: new Date().toISOString().replace(/\.\d+/, '') };
        const { warnings } = await api.patch(reference, 'strategic-merge', {
          spec: { template: { metadata: { annotations } } },
        });
        return {
          result: {
            ...presentReference(type, reference),
            message: 'Its pods are replaced, a few at a time.',
            warnings: [...restartWarnings(stored), ...warningsOf(reference), ...warnings],
          },
          message: `${what} was restarted: its pods are replaced, a few at a time.`,
        };
      },
    );
  }

  /** Who would change the replicas again. What cannot be found out is not warned of. */
  private async replicaWarnings(
    { api, reference }: ChangeTarget,
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
            `The ${readableKind(owner.kind)} ${owner.name} owns it and sets its replicas back. Scale that instead.`,
          ]
        : []),
      ...own.map(({ metadata, spec }) => {
        const { minReplicas = 1, maxReplicas = 1 } = spec as Autoscaler;
        return `The autoscaler ${metadata.name} keeps it between ${minReplicas} and ${count(maxReplicas)} and may set it back.`;
      }),
    ];
  }
}

function assertNotPaused(what: string, { spec }: KubernetesObject): void {
  if ((spec as { paused?: boolean } | undefined)?.paused !== true) return;
  throw new DomainError(
    'resource_refused',
    `The rollout of the ${what} is paused: nothing would be replaced. Set spec.paused to false first.`,
  );
}

function restartWarnings(stored: KubernetesObject): string[] {
  const { replicas, updateStrategy } = (stored['spec'] ?? {}) as {
    replicas?: number;
    updateStrategy?: { type?: string };
  };
  return [
    ...(updateStrategy?.type === 'OnDelete'
      ? ['Its update strategy is OnDelete: each pod is replaced only once it is deleted.']
      : []),
    ...(replicas === 0 ? ['It has no replicas, and so nothing to replace.'] : []),
  ];
}

function count(replicas: number): string {
  return `${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`;
}
