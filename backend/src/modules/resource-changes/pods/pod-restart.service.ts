import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import {
  PODS,
  type KubernetesObject,
  type ResourceApi,
  type ResourceReference,
} from '../../../drivers/kubernetes/index.js';
import { ChangeJournal } from '../change/change-journal.js';
import { ClusterResources, pathOf } from '../../resources/index.js';
import { controllerOf, restartOutcome, type RestartOutcome } from './restart-outcome.js';
import type { RestartedPodDto, RestartPodDto } from './pod-restart.dto.js';

/** A replacement with a new name appears within a second. One with the same name appears after the old pod's end. */
const MAX_WAIT_MS = 3000;
const POLL_INTERVAL_MS = 250;

/** Restarts a pod: deletes it, so that its controller creates a new one. */
@Injectable()
export class PodRestartService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
  ) {}

  /** @throws DomainError `pod_unowned` if the pod would not be recreated, unless `force` is set */
  async restart(
    name: string,
    runtime: string | undefined,
    { namespace, name: pod, force = false, dry_run: dryRun = false }: RestartPodDto,
  ): Promise<RestartedPodDto> {
    const { cluster, api } = await this.resources.open(name, runtime);
    const reference: ResourceReference = { ...PODS, namespace, name: pod };
    const stored = await api.read(reference);
    const outcome = await restartOutcome(api, stored);
    const result = (deleted: boolean, message: string, replacement: string | null): RestartedPodDto => ({
      namespace,
      name: pod,
      owner: outcome.owner,
      comes_back: outcome.comesBack,
      deleted,
      message,
      replacement,
      dry_run: dryRun,
    });
    if (dryRun || !outcome.isReal) return result(false, outcome.reason, null);
    if (stored.metadata.deletionTimestamp !== undefined) {
      return result(false, `The pod is already being deleted. ${outcome.reason}`, null);
    }
    const what = `pod ${pathOf(reference)}`;
    if (!outcome.comesBack && !force) throw unowned(what, outcome);
    return await this.journal.during(
      { kind: 'pod-restart', cluster, reference, failure: `could not restart ${what}` },
      async () => {
        const others = await siblings(api, stored, namespace);
        await api.remove(reference, { uid: stored.metadata.uid });
        const replacement = outcome.comesBack ? await replacementOf(api, stored, namespace, others) : null;
        const next = replacement === null ? '' : ` The new pod is ${replacement}.`;
        return {
          result: result(true, outcome.reason, replacement),
          message: `Deleted ${what}. ${outcome.reason}${next}`,
        };
      },
    );
  }
}

function unowned(what: string, { reason }: RestartOutcome): DomainError {
  return new DomainError(
    'pod_unowned',
    `Could not restart ${what}. ${reason} Set force to delete it anyway.`,
    { reason },
  );
}

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
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const now = await siblings(api, pod, namespace);
    for (const [uid, name] of now) if (!before.has(uid)) return name;
    if (performance.now() > deadline) return null;
    await delay(POLL_INTERVAL_MS);
  }
}
