import { counted } from '../../../core/values/index.js';
import {
  specOf,
  statusOf,
  type KubernetesObject,
  type ResourceReference,
  type ResourceType,
} from '../../../drivers/kubernetes/index.js';
import { hasRollout, isPaused, readableKind } from '../../resources/index.js';
import { deletionWarnings, rolloutWarnings } from '../change/change-warnings.js';
import { controllerOf, type RestartOutcome } from '../pods/restart-outcome.js';

export interface Effect {
  /** Whether the change can be made. If not, `sentence` is the reason. */
  possible: boolean;
  sentence: string;
  /** Whether data is lost, or something that is not recreated. */
  loss: boolean;
}

/** The inputs of an effect besides the object. */
export interface EffectContext {
  /** Of a Pod. */
  outcome?: RestartOutcome;
  /** The volume of a PersistentVolumeClaim, if it is bound. */
  volume?: KubernetesObject;
}

type Named = Pick<ResourceType, 'group' | 'plural' | 'kind'>;

const effect = (sentence: string, loss = false): Effect => ({ possible: true, sentence, loss });
const impossible = (sentence: string): Effect => ({ possible: false, sentence, loss: false });

export function effectOfRestart(type: Named, object: KubernetesObject, { outcome }: EffectContext): Effect {
  if (outcome) {
    return outcome.isReal ? effect(outcome.reason, !outcome.comesBack) : impossible(outcome.reason);
  }
  if (!hasRollout(type)) {
    return impossible(`A ${readableKind(type.kind)} cannot be restarted.`);
  }
  if (isPaused(object)) return impossible('Its rollout is paused. Resume it first.');
  const [exception] = rolloutWarnings(object);
  return effect(exception ?? `${isOrAre(podCountOf(type, object))} replaced.`);
}

/** @param current null for a kind that cannot be scaled */
export function effectOfScale(
  { kind }: Pick<Named, 'kind'>,
  current: number | null,
  replicas: number,
): Effect {
  if (current === null) return impossible(`The ${readableKind(kind)} cannot be scaled.`);
  if (current === replicas) return effect(`Keeps ${counted(replicas, 'replica')}.`);
  const change = `From ${current} to ${counted(replicas, 'replica')}.`;
  return effect(
    `${change} ${isOrAre(Math.abs(replicas - current))} ${replicas > current ? 'added' : 'deleted'}.`,
  );
}

export function effectOfDeletion(
  type: Named,
  reference: ResourceReference,
  object: KubernetesObject,
  { outcome, volume }: EffectContext,
): Effect {
  if (object.metadata.deletionTimestamp !== undefined) return effect('It is already being deleted.');
  if (outcome) return effect(outcome.reason, outcome.isReal && !outcome.comesBack);
  const owner = controllerOf(object);
  if (owner) return effect(`The ${readableKind(owner.kind)} ${owner.name} may create it again.`);
  const own = dependentsOf(type, object) ?? dataOf(type, volume);
  if (own) return own;
  const warnings = deletionWarnings(type, reference, object);
  return warnings.length > 0 ? effect(warnings.join(' '), true) : effect('It is not recreated.', true);
}

function dependentsOf(type: Named, object: KubernetesObject): Effect | undefined {
  const kind = type.group === 'apps' || type.group === 'batch' ? type.plural : '';
  switch (kind) {
    case 'deployments':
    case 'replicasets':
    case 'daemonsets':
      return effect(
        `Its ${counted(podCountOf(type, object), 'Pod')} ${deletedToo(podCountOf(type, object))}`,
        true,
      );
    case 'statefulsets':
      return effect(
        `Its ${counted(podCountOf(type, object), 'Pod')} ${deletedToo(podCountOf(type, object))} Its volume claims stay.`,
        true,
      );
    case 'jobs':
      return effect('Its Pods and their logs are deleted too.', true);
    case 'cronjobs':
      return effect('Its Jobs and their Pods are deleted too.', true);
    default:
      return undefined;
  }
}

function dataOf({ group, plural }: Named, volume: KubernetesObject | undefined): Effect | undefined {
  if (group !== '' || plural !== 'persistentvolumeclaims' || !volume) return undefined;
  const { persistentVolumeReclaimPolicy: policy } = specOf(volume);
  return policy === 'Retain'
    ? effect(`Its volume ${volume.metadata.name} keeps the data.`)
    : effect(`The data in its volume ${volume.metadata.name} is deleted too.`, true);
}

/** Pods that a workload should have. */
function podCountOf(type: Named, object: KubernetesObject): number {
  const { desiredNumberScheduled = 0 } = statusOf(object);
  return type.plural === 'daemonsets' ? desiredNumberScheduled : (specOf(object).replicas ?? 1);
}

function isOrAre(pods: number): string {
  return `${counted(pods, 'Pod')} ${pods === 1 ? 'is' : 'are'}`;
}

function deletedToo(pods: number): string {
  return `${pods === 1 ? 'is' : 'are'} deleted too.`;
}
