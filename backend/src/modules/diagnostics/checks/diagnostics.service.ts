import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../core/config/index.js';
import { lostOutput } from '../../../core/logging/index.js';
import { droppedValues } from '../../../core/parsing/index.js';
import { PackageManager } from '../../../drivers/package-manager/index.js';
import { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import { publishedPorts, RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { Preflight } from '../../clusters/index.js';
import { AuditDelivery } from '../../journal/index.js';
import type { DiagnosticCheckDto, DiagnosticsDto } from './diagnostics.dto.js';
import { checkAudit } from './audit-check.js';
import { checkEncryption } from './encryption-check.js';
import { checkEngine } from './engine-checks.js';
import { checkOutput } from './output-check.js';
import { EventLoopDelay } from './event-loop-delay.js';
import { PortChecks } from './port-checks.js';
import { checkPackageManager, checkProvisioner } from './program-checks.js';
import { checkProxies } from './proxy-check.js';

@Injectable()
export class DiagnosticsService {
  constructor(
    private readonly configuration: Configuration,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly packageManager: PackageManager,
    private readonly preflight: Preflight,
    private readonly ports: PortChecks,
    private readonly delay: EventLoopDelay,
    private readonly audit: AuditDelivery,
  ) {}

  async read(): Promise<DiagnosticsDto> {
    const statuses = this.runtimes.statuses();
    const active = this.runtimes.active();
    const [engines, provisionerStatus, packageManager, host, ports] = await Promise.all([
      Promise.all(statuses.map(checkEngine)),
      this.provisioners.forNewClusters(active).status(),
      this.packageManager.status(),
      active
        ? this.preflight.host(active, { controlPlanes: 1, workers: 1, withoutDefaultNetwork: false })
        : [],
      this.ports.read(),
    ]);
    const provisionerCheck = checkProvisioner(provisionerStatus);
    const checks: DiagnosticCheckDto[] = [
      ...engines.flat(),
      provisionerCheck,
      checkPackageManager(packageManager),
      ...host,
      ...ports,
      checkProxies(this.configuration.environment),
      checkEncryption(this.configuration, publishedPorts(this.runtimes)),
      ...checkOutput(lostOutput()),
      ...checkAudit(this.audit.state()),
    ];
    return {
      ready: active !== undefined && provisionerCheck.level !== 'problem',
      checks,
      runtimes: statuses.map(({ id, available, reason, fix, since, info, attempts }) => ({
        id,
        available,
        version: info?.version ?? null,
        reason,
        fix,
        since,
        attempts,
      })),
      dropped_values: droppedValues(),
      event_loop_delay: this.delay.read(),
    };
  }
}
