import { Injectable } from '@nestjs/common';
import { readProject } from '../../core/config/index.js';
import { StorageHealth } from '../../core/storage/index.js';
import { ProvisionerSelector } from '../../drivers/provisioner/index.js';
import { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { AuditDelivery } from '../journal/index.js';
import type { HealthCheckDto, HealthDto } from './health.dto.js';

@Injectable()
export class HealthService {
  private readonly version = readProject().version;

  constructor(
    private readonly storageHealth: StorageHealth,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly audit: AuditDelivery,
  ) {}

  async read(): Promise<HealthDto> {
    const checks = [this.storage(), ...this.engines(), await this.provisioner(), ...this.auditTarget()];
    return {
      status: checks.every(({ ok }) => ok) ? 'ok' : 'degraded',
      version: this.version,
      uptime_seconds: Math.floor(process.uptime()),
      checks,
    };
  }

  private storage(): HealthCheckDto {
    const { notice } = this.storageHealth;
    const reason = notice
      ? `The database was damaged (${notice.reason}) and was renamed to ${notice.setAside}. Jobs and journal are empty.`
      : (this.storageHealth.writeProblem() ?? null);
    return { name: 'storage', ok: reason === null, reason };
  }

  private auditTarget(): HealthCheckDto[] {
    const state = this.audit.state();
    return state ? [{ name: 'audit', ok: state.ok, reason: state.ok ? null : state.text }] : [];
  }

  /** One available engine is enough. */
  private engines(): HealthCheckDto[] {
    const statuses = this.runtimes.statuses();
    const anyAnswers = statuses.some(({ available }) => available);
    const shown = anyAnswers ? statuses.filter(({ available }) => available) : statuses;
    if (shown.length === 0) {
      return [{ name: 'engines', ok: false, reason: 'No container engine was found yet.' }];
    }
    return shown.map(({ id, available, reason }) => ({ name: id, ok: available, reason }));
  }

  private async provisioner(): Promise<HealthCheckDto> {
    const { name, problem } = await this.provisioners.forNewClusters(this.runtimes.active()).status();
    return { name, ok: !problem, reason: problem?.reason ?? null };
  }
}
