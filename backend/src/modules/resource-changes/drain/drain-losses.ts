import { DomainError } from '../../../core/errors/index.js';
import { podName, type DrainedPod, type DrainLosses } from './drain-plan.js';

export interface AcceptedLosses {
  deleteEmptyDirData: boolean;
  force: boolean;
}

/** @throws DomainError `confirmation_required` with the pods, if more would be lost than accepted */
export function assertLossesAccepted(node: string, losses: DrainLosses, accepted: AcceptedLosses): void {
  const emptyDir = accepted.deleteEmptyDirData ? [] : losses.emptyDir;
  const bare = accepted.force ? [] : losses.bare;
  if (emptyDir.length + bare.length === 0) return;
  const problems = [
    ...(bare.length > 0 ? [`${some(bare)} would not be recreated (set force to accept)`] : []),
    ...(emptyDir.length > 0
      ? [`${some(emptyDir)} would lose the data of emptyDir volumes (set delete_emptydir_data to accept)`]
      : []),
  ];
  throw new DomainError(
    'confirmation_required',
    `Draining ${node} would cause losses: ${problems.join('; ')}.`,
    {
      bare: bare.map(podName),
      emptydir: emptyDir.map(podName),
    },
  );
}

function some(pods: readonly DrainedPod[]): string {
  const names = pods.slice(0, 5).map(podName).join(', ');
  return pods.length > 5 ? `${names} and ${pods.length - 5} more` : names;
}
