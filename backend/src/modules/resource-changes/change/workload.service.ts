import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { counted } from '../../../core/values/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import {
  ClusterResources,
  describeObject,
  hasRollout,
  isPaused,
  readableKind,
  replicasOf,
  yaml,
} from '../../resources/index.js';
import { rolloutWarnings, warningsOf } from './change-warnings.js';
import { replicaWarnings } from './replica-warnings.js';
import { ChangeJournal } from './change-journal.js';
import { findTarget, presentReference, type ObjectAddress } from './change-target.js';
import type { ChangedResourceDto, ScaledResourceDto } from './change.dto.js';

/** The same annotation as `kubectl rollout restart`. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

@Injectable()
export class WorkloadService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
  ) {}

  /** @throws DomainError `resource_refused` for a kind that cannot be scaled */
  async scale(address: ObjectAddress, replicas: number): Promise<ScaledResourceDto> {
    const target = await findTarget(this.resources, address);
    const { api, type, reference } = target;
    const stored = await api.read(reference);
    const previous = await replicasOf(api, type, reference, stored);
    if (previous === null) {
      throw new DomainError(
        'resource_refused',
        `The ${readableKind(type.kind)} cannot be scaled, since its kind has no subresource scale.`,
      );
    }
    const what = describeObject(type, reference);
    return await this.journal.during(
      { kind: 'resource-scale', cluster: target.cluster, reference, failure: `could not scale ${what}` },
      async () => {
        const { warnings } =
          previous === replicas
            ? { warnings: [] }
            : await api.patch(reference, 'merge', { spec: { replicas } }, { subresource: 'scale' });
        return {
          result: {
            ...presentReference(type, reference),
            replicas,
            previous_replicas: previous,
            message:
              previous === replicas
                ? `Already set to ${counted(replicas, 'replica')}.`
                : `Scaled from ${previous} to ${counted(replicas, 'replica')}.`,
            warnings: [...(await replicaWarnings(target, stored)), ...warningsOf(reference), ...warnings],
          },
          message:
            previous === replicas
              ? null
              : `Scaled ${what} from ${previous} to ${counted(replicas, 'replica')}.`,
          // Of the subresource: a CRD may keep the number anywhere.
          diff: { before: `spec:\n  replicas: ${previous}\n`, after: `spec:\n  replicas: ${replicas}\n` },
        };
      },
    );
  }

  /** @throws DomainError `resource_refused` for a kind without rollouts, or if the rollout is paused */
  async restart(address: ObjectAddress): Promise<ChangedResourceDto> {
    const target = await findTarget(this.resources, address);
    const { api, type, reference } = target;
    if (!hasRollout(type)) {
      throw new DomainError(
        'resource_refused',
        `A ${readableKind(type.kind)} cannot be restarted. Only Deployments, StatefulSets and DaemonSets can.`,
      );
    }
    const what = describeObject(type, reference);
    return await this.journal.during(
      { kind: 'resource-restart', cluster: target.cluster, reference, failure: `could not restart ${what}` },
      async () => {
        const stored = await api.read(reference);
        assertNotPaused(what, stored);
        const annotations = { [RESTARTED_AT]: new Date().toISOString().replace(/\.\d+/, '') };
        const { object, warnings } = await api.patch(reference, 'strategic-merge', {
          spec: { template: { metadata: { annotations } } },
        });
        return {
          result: {
            ...presentReference(type, reference),
            message: 'Restart started. A rollout replaces the pods.',
            warnings: [...rolloutWarnings(stored), ...warningsOf(reference), ...warnings],
          },
          message: `Restarted ${what}. A rollout replaces its pods.`,
          diff: await yaml.diffObjects(stored, object),
        };
      },
    );
  }
}

function assertNotPaused(what: string, stored: KubernetesObject): void {
  if (!isPaused(stored)) return;
  throw new DomainError(
    'resource_refused',
    `Could not restart ${what}. Its rollout is paused. Resume it first.`,
  );
}
