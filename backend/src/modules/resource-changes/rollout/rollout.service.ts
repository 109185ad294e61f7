import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput } from '../../../core/errors/index.js';
import { recordOf } from '../../../core/values/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import {
  CHANGE_CAUSE,
  ClusterResources,
  describeObject,
  hasRollout,
  imagesOf,
  isPausable,
  isPaused,
  readableKind,
  type Revision,
  revisionsKeptIn,
  revisionsOf,
  without,
  yaml,
} from '../../resources/index.js';
import type { ChangedResourceDto } from '../change/change.dto.js';
import { ChangeJournal, type Changed } from '../change/change-journal.js';
import { replaceChecked } from '../change/checked-replacement.js';
import {
  findTarget,
  presentReference,
  type ChangeTarget,
  type ObjectAddress,
} from '../change/change-target.js';
import { rolloutWarnings, warningsOf } from '../change/change-warnings.js';
import type { RevisionDto, RolloutDto, UndoneRolloutDto } from './rollout.dto.js';

interface Workload extends ChangeTarget {
  stored: KubernetesObject;
  /** For messages. */
  what: string;
  revisions: Revision[];
}

@Injectable()
export class RolloutService {
  /** Revisions that were not ready when they were rolled back. The cluster does not keep that. */
  private readonly neverReady = new Set<string>();

  constructor(
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
  ) {}

  /** @throws DomainError `resource_refused` for a kind without rollouts */
  async read(address: ObjectAddress): Promise<RolloutDto> {
    const { stored, revisions } = await this.find(address);
    return {
      paused: isPaused(stored),
      revisions: await Promise.all(revisions.map((revision, index) => present(revision, index === 0))),
    };
  }

  /**
   * Takes the Pod template of an earlier revision, as `kubectl rollout undo` does.
   * @throws DomainError `invalid_input` for a revision that is not kept, `resource_refused` if it has no revision before the
   * current one or the rollout is paused, `resource_conflict` if the workload was changed concurrently
   */
  async undo(address: ObjectAddress, number: number | undefined, dryRun: boolean): Promise<UndoneRolloutDto> {
    const workload = await this.find(address);
    const { cluster, reference, stored, what } = workload;
    const revision = chosenOf(workload, number);
    const work = async (): Promise<Changed<UndoneRolloutDto>> => {
      const change = (now: KubernetesObject): KubernetesObject => withTemplateOf(revision, now);
      const replaced = await replaceChecked(workload, stored, change, dryRun);
      const changed = replaced.outcome === 'configured';
      const [current] = workload.revisions;
      // The cluster gives the template that it takes again the next number.
      const renumbered = `now revision ${Math.max(...workload.revisions.map((one) => one.number)) + 1}`;
      if (changed && !dryRun && current?.ready === false) this.neverReady.add(keyOf(stored, current));
      return {
        result: {
          ...replaced,
          warnings: [...rolloutWarnings(stored), ...replaced.warnings],
          revision: revision.number,
          message: changed
            ? `Rolled back to revision ${revision.number}, ${renumbered}. A rollout replaces the pods.`
            : `The pod template is already that of revision ${revision.number}.`,
        },
        message: changed ? `Rolled back ${what} to revision ${revision.number}, ${renumbered}.` : null,
        diff: replaced,
      };
    };
    if (dryRun) return (await work()).result;
    return await this.journal.during(
      { kind: 'rollout-undo', cluster, reference, failure: `could not roll back ${what}` },
      work,
    );
  }

  /** Pauses or resumes the rollout of a Deployment. @throws DomainError `resource_refused` for other kinds */
  async pause(address: ObjectAddress, paused: boolean): Promise<ChangedResourceDto> {
    const target = await findTarget(this.resources, address);
    const { api, cluster, type, reference } = target;
    const what = describeObject(type, reference);
    if (!isPausable(type)) {
      throw new DomainError(
        'resource_refused',
        `A ${readableKind(type.kind)} cannot be paused. Only Deployments can.`,
      );
    }
    const verb = paused ? 'pause' : 'resume';
    return await this.journal.during(
      { kind: `rollout-${verb}`, cluster, reference, failure: `could not ${verb} the rollout of ${what}` },
      async () => {
        const stored = await api.read(reference);
        const isSame = isPaused(stored) === paused;
        const { object, warnings } = isSame
          ? { object: stored, warnings: [] }
          : await api.patch(reference, 'merge', { spec: { paused } });
        return {
          result: {
            ...presentReference(type, reference),
            message: isSame ? `Already ${verb}d.` : MESSAGES[verb],
            warnings: [...warningsOf(reference), ...warnings],
          },
          message: isSame ? null : `${paused ? 'Paused' : 'Resumed'} the rollout of ${what}.`,
          diff: await yaml.diffObjects(stored, object),
        };
      },
    );
  }

  private async find(address: ObjectAddress): Promise<Workload> {
    const target = await findTarget(this.resources, address);
    const { api, type, reference } = target;
    if (!hasRollout(type)) {
      throw new DomainError(
        'resource_refused',
        `A ${readableKind(type.kind)} has no rollouts. Only Deployments, StatefulSets and DaemonSets have.`,
      );
    }
    const [stored, kept] = await Promise.all([
      api.read(reference),
      api.list(revisionsKeptIn(type), { namespace: reference.namespace ?? undefined }),
    ]);
    return {
      ...target,
      stored,
      what: describeObject(type, reference),
      revisions: revisionsOf(stored, kept).map((revision) => ({
        ...revision,
        ready: revision.ready ?? (this.neverReady.has(keyOf(stored, revision)) ? false : null),
      })),
    };
  }
}

/** The name of its ReplicaSet stays if its template becomes the current one again, under a new number. */
function keyOf({ metadata: { uid = '' } }: KubernetesObject, { name }: Revision): string {
  return `${uid}/${name}`;
}

const MESSAGES = {
  pause: 'Rollout paused. Changes of the pod template wait until it is resumed.',
  resume: 'Rollout resumed.',
};

function chosenOf({ stored, revisions, what }: Workload, number: number | undefined): Revision {
  if (isPaused(stored)) {
    throw new DomainError(
      'resource_refused',
      `Could not roll back ${what}. Its rollout is paused. Resume it first.`,
    );
  }
  const chosen = number === undefined ? revisions[1] : revisions.find((one) => one.number === number);
  if (chosen) return chosen;
  if (number === undefined) {
    throw new DomainError('resource_refused', `Could not roll back ${what}. It has no earlier revision.`);
  }
  const kept = revisions.map((one) => one.number).join(', ') || 'none';
  throw invalidInput([{ field: 'revision', problem: `must be one that ${what} has: ${kept}` }]);
}

/** The change cause belongs to the template, as with kubectl. */
function withTemplateOf({ template, changeCause }: Revision, stored: KubernetesObject): KubernetesObject {
  const annotations = without(CHANGE_CAUSE, stored.metadata.annotations);
  return {
    ...stored,
    metadata: {
      ...stored.metadata,
      annotations: changeCause === null ? annotations : { ...annotations, [CHANGE_CAUSE]: changeCause },
    },
    spec: { ...recordOf(stored['spec']), template },
  };
}

async function present(
  { number, name, createdAt, changeCause, pods, ready, template }: Revision,
  isCurrent: boolean,
): Promise<RevisionDto> {
  return {
    revision: number,
    current: isCurrent,
    name,
    created_at: createdAt,
    change_cause: changeCause,
    images: imagesOf(template),
    pods,
    ready,
    template: await yaml.printPart(template),
  };
}
