import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import type { KubernetesObject, ResourceApi, ResourceReference } from '../../../drivers/kubernetes/index.js';
import { ChangeJournal } from '../change/change-journal.js';
import { pathOf } from '../change/object-names.js';
import { ClusterResources } from '../cluster-resources.js';
import { controllerOf, restartOutcome, type RestartOutcome } from './restart-outcome.js';
import type { RestartedPodDto, RestartPodDto } from './pod-restart.dto.js';

/** A pod that is made under a new name is there within a second; one that keeps its name waits for its end. */
const LOOK_FOR_MS = 3000;
const LOOK_EVERY_MS = 250;
const PODS = { group: '', version: 'v1', plural: 'pods' };

/** Restarts a pod, which is to delete it and let its owner make another one. */
@Injectable()
export class PodRestartService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
  ) {}

  /** @throws DomainError `pod_unowned` for one that does not come back, unless it is forced */
  async restart(
    name: string,
    runtime: string | undefined,
    { namespace, name: pod, force = false, dry_run: dryRun = false }: RestartPodDto,
  ): Promise<RestartedPodDto> {
    const { cluster, api } = await this.resources.open(name, runtime);
    const reference: ResourceReference = { ...PODS, namespace, name: pod };
    const stored = await api.read(reference);
    const fate = await restartOutcome(api, stored);
    const result = (deleted: boolean, message: string, replacement: string | null): RestartedPodDto => ({
      namespace,
      name: pod,
      owner: fate.owner,
      comes_back: fate.comesBack,
      deleted,
      message,
      replacement,
      dry_run: dryRun,
    });
    if (dryRun || !fate.isReal) return result(false, fate.reason, null);
    if (stored.metadata.deletionTimestamp !== undefined) {
      return result(false, `It is being deleted already. ${fate.reason}`, null);
    }
    const what = `pod ${pathOf(reference)}`;
    if (!fate.comesBack && !force) throw unowned(what, fate);
    return await this.journal.during(
      { kind: 'pod-restart', cluster, reference, failure: `${what} was not restarted` },
      async () => {
        const others = await siblings(api, stored, namespace);
        await api.remove(reference, { uid: stored.metadata.uid });
        const replacement = fate.comesBack ? await replacementOf(api, stored, namespace, others) : null;
        const next = replacement === null ? '' : ` That is ${replacement}.`;
        return {
          result: result(true, fate.reason, replacement),
          message: `${what} was deleted. ${fate.reason}${next}`,
        };
      },
    );
  }
}

function unowned(what: string, { reason }: RestartOutcome): DomainError {
  return new DomainError(
    'pod_unowned',
    `The ${what} would not come back. ${reason} Send force to delete it all the same.`,
    { reason },
  );
}

/** Names of the pods of the same owner. */
async function siblings(
  api: ResourceApi,
  pod: KubernetesObject,
  namespace: string,
): Promise<Map<string, string>> {
  const owner = controllerOf(pod)?.uid;
  if (owner === undefined) return new Map();
  const pods = await api.list(PODS, { namespace });
  return new Map(
    pods
      .filter((other) => controllerOf(other)?.uid === owner)
      .map(({ metadata: { name, uid = '' } }) => [uid, name]),
  );
}

async function replacementOf(
  api: ResourceApi,
  pod: KubernetesObject,
  namespace: string,
  before: ReadonlyMap<string, string>,
): Promise<string | null> {
  const deadline = performance.now() + LOOK_FOR_MS;
  for (;;) {
    const now = await siblings(api, pod, namespace);
    for (const [uid, name] of now) if (!before.has(uid)) return name;
    if (performance.now() > deadline) return null;
    await delay(LOOK_EVERY_MS);
  }
}
