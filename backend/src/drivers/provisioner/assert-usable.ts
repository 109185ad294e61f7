import { DomainError } from '../../core/errors/index.js';
import type { ProvisionerStatus } from './cluster-provisioner.js';

/** @throws DomainError `provisioner_unavailable` if the program that creates clusters is missing or unusable */
export function assertUsable({ problem }: ProvisionerStatus): void {
  if (!problem) return;
  throw new DomainError('provisioner_unavailable', `${problem.reason} Get it from ${problem.fix}`, problem);
}
