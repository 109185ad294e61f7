import { Injectable } from '@nestjs/common';
import { ProvisionerSelector } from '../../drivers/provisioner/index.js';
import { RuntimeRegistry, type RuntimeStatus } from '../../drivers/runtime/index.js';
import { Preflight } from '../clusters/index.js';
import type { DiagnosticCheckDto, DiagnosticsDto } from './diagnostics.dto.js';

/** Says whether this machine can make clusters, and what to do where it cannot. */
@Injectable()
export class DiagnosticsService {
  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly preflight: Preflight,
  ) {}

  async read(): Promise<DiagnosticsDto> {
    const statuses = this.runtimes.statuses();
    const active = this.runtimes.active();
    const host = active
      ? await this.preflight.host(active, { controlPlanes: 1, workers: 1, withoutDefaultNetwork: false })
      : [];
    const checks: DiagnosticCheckDto[] = [
      ...statuses.map(describeRuntime),
      await this.provisionerCheck(active?.info().capabilities.provisioner ?? 'kind'),
      ...statuses.filter(({ info }) => info?.capabilities.cgroupVersion === 1).map(cgroupCheck),
      ...host,
    ];
    const provisioner = checks.find(({ name }) => name === 'provisioner');
    return {
      ready: active !== undefined && provisioner?.level !== 'problem',
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
    };
  }

  private async provisionerCheck(kind: 'kind' | 'demo'): Promise<DiagnosticCheckDto> {
    const provisioner = this.provisioners.all().find((candidate) => candidate.kind === kind);
    const status = await provisioner?.status();
    const problem = status?.problem;
    if (problem) {
      return {
        name: 'provisioner',
        title: 'kind',
        level: 'problem',
        message: problem.reason,
        fix: problem.fix,
      };
    }
    const tag = status?.defaultTag?.split('@')[0];
    return {
      name: 'provisioner',
      title: `${status?.name ?? kind} ${status?.version ?? ''}`.trim(),
      level: 'ok',
      message: tag ? `Makes Kubernetes ${tag} unless told otherwise` : 'Found',
      fix: null,
    };
  }
}

/** One engine that does not answer is a warning as long as another does; the page says so by `ready`. */
function describeRuntime({ id, available, reason, fix, info }: RuntimeStatus): DiagnosticCheckDto {
  if (!available) {
    return { name: `runtime-${id}`, title: id, level: 'warning', message: reason ?? 'does not answer', fix };
  }
  const words = [
    info?.capabilities.rootless ? 'rootless' : '',
    info?.capabilities.cgroupVersion ? `control groups ${info.capabilities.cgroupVersion}` : '',
  ];
  return {
    name: `runtime-${id}`,
    title: `${id} ${info?.version ?? ''}`.trim(),
    level: 'ok',
    message: ['answers', ...words].filter((word) => word !== '').join(', '),
    fix: null,
  };
}

function cgroupCheck({ id }: RuntimeStatus): DiagnosticCheckDto {
  return {
    name: `cgroup-${id}`,
    title: `Control groups of ${id}`,
    level: 'warning',
    message: 'Version 1, which Kubernetes has deprecated; a future kind will refuse it',
    fix: 'Boot with systemd.unified_cgroup_hierarchy=1, or use a newer system.',
  };
}
