import { DomainError } from '../../core/errors/index.js';
import type { ProvisionerStatus } from '../../drivers/provisioner/index.js';

/** Makes sure that the program that makes clusters is there. @throws DomainError `provisioner_unavailable` */
export function assertUsable({ problem }: ProvisionerStatus): void {
  if (!problem) return;
  throw new DomainError('provisioner_unavailable', `${problem.reason} Get it from ${problem.fix}`, problem);
}
