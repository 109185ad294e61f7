import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { hasCode } from '../../../core/errors/index.js';
import {
  specOf,
  statusOf,
  type KubernetesObject,
  type Propagation,
  type ResourceApi,
  type ResourceReference,
} from '../../../drivers/kubernetes/index.js';
import { deletionWarnings } from './change-warnings.js';
import { ChangeJournal } from './change-journal.js';
import { ClusterResources, describeObject, yaml } from '../../resources/index.js';
import { findTarget, presentReference, type ObjectAddress } from './change-target.js';
import type { PropagationName, RemovedResourceDto } from './change.dto.js';

export interface RemovalRequest {
  propagation: PropagationName;
  /** Undefined for the object's own setting. */
  gracePeriodSeconds: number | undefined;
  dryRun: boolean;
}

const PROPAGATION: Readonly<Record<PropagationName, Propagation>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
};

/** Enough for most objects. For others, the response says what they wait for. */
const MAX_WAIT_MS = 1500;
const POLL_INTERVAL_MS = 250;

@Injectable()
export class RemovalService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
  ) {}

  /** @throws DomainError `resource_not_found`, `resource_conflict` if it was replaced in the meantime, `resource_refused` */
  async remove(address: ObjectAddress, request: RemovalRequest): Promise<RemovedResourceDto> {
    const target = await findTarget(this.resources, address);
    const { api, type, reference } = target;
    const stored = await api.read(reference);
    const options = {
      propagation: PROPAGATION[request.propagation],
      gracePeriodSeconds: request.gracePeriodSeconds,
      dryRun: request.dryRun,
      uid: stored.metadata.uid,
    };
    const present = (gone: boolean, message: string): RemovedResourceDto => ({
      ...presentReference(type, reference),
      gone,
      message,
      warnings: deletionWarnings(type, reference, stored),
      dry_run: request.dryRun,
    });
    if (request.dryRun) {
      await api.remove(reference, options);
      return present(false, `Would be deleted.${waitingFor(stored)}`);
    }
    const what = describeObject(type, reference);
    return await this.journal.during(
      { kind: 'resource-delete', cluster: target.cluster, reference, failure: `could not delete ${what}` },
      async () => {
        const left = (await api.remove(reference, options)).gone ? null : await waitUntilGone(target, stored);
        // An object that is too large to print is deleted, too.
        const printed = await yaml.diffObjects(stored, stored).catch(() => undefined);
        const diff = printed && { before: printed.before, after: '' };
        return left === null
          ? { result: present(true, 'Deleted.'), message: `Deleted ${what}.`, diff }
          : {
              result: present(false, `Deletion requested.${waitingFor(left)}`),
              message: `Requested deletion of ${what}.${waitingFor(left)}`,
              diff,
            };
      },
    );
  }
}

/** @returns null once the object is gone; its current state after MAX_WAIT_MS. */
async function waitUntilGone(
  { api, reference }: { api: ResourceApi; reference: ResourceReference },
  { metadata: { uid } }: KubernetesObject,
): Promise<KubernetesObject | null> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      const found = await api.read(reference);
      if (found.metadata.uid !== uid) return null;
      if (performance.now() > deadline) return found;
    } catch (error) {
      if (hasCode(error, 'resource_not_found')) return null;
      throw error;
    }
    await delay(POLL_INTERVAL_MS);
  }
}

/** The reason why the deletion takes time, as a sentence with a leading space; empty if unknown. */
function waitingFor(object: KubernetesObject): string {
  const { finalizers = [], deletionGracePeriodSeconds: grace } = object.metadata;
  const { conditions = [] } = statusOf(object);
  const inNamespace = conditions
    .filter(({ type, status }) => type?.startsWith('Namespace') && status === 'True')
    .map(({ message = '' }) => message.slice(0, 300));
  const { finalizers: ofSpec = [] } = specOf(object);
  if (inNamespace.length > 0) return ` It is waiting: ${inNamespace.join('; ').replace(/\.$/, '')}.`;
  if (finalizers.includes('foregroundDeletion')) return ' Objects that it owns are deleted first.';
  if (finalizers.length > 0) {
    return ` It is waiting for the finalizer${finalizers.length > 1 ? 's' : ''} ${finalizers.join(', ')}, which the responsible controller must remove.`;
  }
  if (ofSpec.includes('kubernetes')) return ' Objects in it are deleted first.';
  return grace ? ` Its processes have ${grace} s to terminate.` : '';
}
