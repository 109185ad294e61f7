import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import type {
  KubernetesObject,
  Propagation,
  ResourceApi,
  ResourceReference,
} from '../../../drivers/kubernetes/index.js';
import { deletionWarnings } from './change-warnings.js';
import { ChangeJournal } from './change-journal.js';
import { ChangeTargets, presentReference, type ObjectAddress } from './change-target.js';
import type { PropagationName, RemovedResourceDto } from './change.dto.js';
import { describeObject } from './object-names.js';

export interface RemovalRequest {
  propagation: PropagationName;
  /** The object's own where nothing is said. */
  gracePeriodSeconds: number | undefined;
  dryRun: boolean;
}

const PROPAGATION: Readonly<Record<PropagationName, Propagation>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
};

/** Most objects are gone by then; whoever waits for more is told what for. */
const LOOK_FOR_MS = 1500;
const LOOK_EVERY_MS = 250;

/** Deletes objects, and says whether they are gone or what they wait for. */
@Injectable()
export class RemovalService {
  constructor(
    private readonly targets: ChangeTargets,
    private readonly journal: ChangeJournal,
  ) {}

  /** @throws DomainError `resource_not_found`, `resource_conflict` where it was replaced meanwhile, `resource_refused` */
  async remove(address: ObjectAddress, request: RemovalRequest): Promise<RemovedResourceDto> {
    const target = await this.targets.find(address);
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
      { kind: 'resource-delete', cluster: target.cluster, reference, failure: `${what} was not deleted` },
      async () => {
        const left = (await api.remove(reference, options)).gone ? null : await lookAgain(target, stored);
        return left === null
          ? { result: present(true, 'It is gone.'), message: `${what} was deleted.` }
          : {
              result: present(false, `It was asked to go.${waitingFor(left)}`),
              message: `${what} was asked to go.${waitingFor(left)}`,
            };
      },
    );
  }
}

/** @returns the object as it waits to go, or null once it is gone. */
async function lookAgain(
  { api, reference }: { api: ResourceApi; reference: ResourceReference },
  { metadata: { uid } }: KubernetesObject,
): Promise<KubernetesObject | null> {
  const deadline = performance.now() + LOOK_FOR_MS;
  for (;;) {
    try {
      const found = await api.read(reference);
      if (found.metadata.uid !== uid) return null;
      if (performance.now() > deadline) return found;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'resource_not_found') return null;
      throw error;
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** A sentence with a space before it; empty where nothing is known to stand in the way. */
function waitingFor(object: KubernetesObject): string {
  const { finalizers = [], deletionGracePeriodSeconds: grace } = object.metadata as {
    finalizers?: string[];
    deletionGracePeriodSeconds?: number;
  };
  const { conditions = [] } = (object['status'] ?? {}) as {
    conditions?: { type?: string; status?: string; message?: string }[];
  };
  const inNamespace = conditions
    .filter(({ type, status }) => type?.startsWith('Namespace') && status === 'True')
    .map(({ message = '' }) => message.slice(0, 300));
  const { finalizers: ofSpec = [] } = (object['spec'] ?? {}) as { finalizers?: string[] };
  if (inNamespace.length > 0) return ` It waits: ${inNamespace.join('; ').replace(/\.$/, '')}.`;
  if (finalizers.includes('foregroundDeletion')) return ' What it owns goes first.';
  if (finalizers.length > 0) {
    return ` It waits for its finalizer${finalizers.length > 1 ? 's' : ''} ${finalizers.join(', ')}: who set it has to take it off.`;
  }
  if (ofSpec.includes('kubernetes')) return ' What is in it goes first.';
  return grace ? ` Its processes have ${grace} s to end.` : '';
}
