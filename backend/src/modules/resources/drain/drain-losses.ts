import { DomainError } from '../../../core/errors/index.js';
import { podName, type DrainedPod, type DrainLosses } from './drain-plan.js';

/** What may be lost, as the request says. */
export interface AcceptedLosses {
  deleteEmptyDirData: boolean;
  force: boolean;
}

/** @throws DomainError `confirmation_required` with the pods, where more would be lost than was accepted */
export function assertLossesAccepted(node: string, losses: DrainLosses, accepted: AcceptedLosses): void {
  const emptyDir = accepted.deleteEmptyDirData ? [] : losses.emptyDir;
  const bare = accepted.force ? [] : losses.bare;
  if (emptyDir.length + bare.length === 0) return;
  const told = [
    ...(bare.length > 0 ? [`nobody brings back ${some(bare)} (send force to lose them)`] : []),
    ...(emptyDir.length > 0
      ? [`${some(emptyDir)} would lose the data of emptyDir volumes (send delete_emptydir_data to lose it)`]
      : []),
  ];
  throw new DomainError('confirmation_required', `A drain of ${node} loses something: ${told.join('; ')}.`, {
    bare: bare.map(podName),
    emptydir: emptyDir.map(podName),
  });
}

function some(pods: readonly DrainedPod[]): string {
  const names = pods.slice(0, 5).map(podName).join(', ');
  return pods.length > 5 ? `${names} and ${pods.length - 5} more` : names;
}
