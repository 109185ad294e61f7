import type { PackageManagerStatus } from '../../../drivers/package-manager/index.js';
import type { ProvisionerStatus } from '../../../drivers/provisioner/index.js';
import type { DiagnosticCheckDto } from './diagnostics.dto.js';

export function checkProvisioner(status: ProvisionerStatus): DiagnosticCheckDto {
  const { problem, name, version } = status;
  const tag = status.defaultTag?.split('@')[0];
  return {
    name: 'provisioner',
    title: problem ? 'kind' : `${name} ${version ?? ''}`.trim(),
    level: problem ? 'problem' : 'ok',
    message: problem?.reason ?? (tag ? `creates Kubernetes ${tag} by default` : 'found'),
    fix: problem?.fix ?? null,
  };
}

/** Only addons need it, so a missing helm is no problem. */
export function checkPackageManager({
  name,
  version,
  problem,
  warning,
}: PackageManagerStatus): DiagnosticCheckDto {
  return {
    name: 'package-manager',
    title: `${name} ${version ?? ''}`.trim(),
    level: warning === null ? 'ok' : 'warning',
    message: problem ? `${problem.reason} Only addons need it` : (warning ?? 'found'),
    fix: problem?.fix ?? null,
  };
}
