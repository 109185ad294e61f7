import { randomBytes } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DomainError, invalidField } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { ForwardProxy } from '../../../drivers/kubernetes/index.js';
import type { ReleaseName } from '../../../drivers/package-manager/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import { findPodPort, ForwardAccess } from '../../forwards/index.js';
import { isActive, JobsService, type Job } from '../../jobs/index.js';
import { JournalService } from '../../journal/index.js';
import { AddonClusters } from '../common/addon-clusters.js';
import type { ReleaseServiceDto } from '../common/addon.dto.js';
import type { AddonForwardDto, OpenAddonDto } from '../common/operation.dto.js';
import { isAddonJob } from '../release/operation-input.js';
import { ReleasesService } from '../release/releases.service.js';

const MAX_FORWARDS = 20;
/** Jobs that make the Pod behind a port-forward unreachable. */
const CLOSING_JOBS: readonly Job['kind'][] = ['stop', 'delete', 'recreate', 'pause'];
/** Names of ports and Services that probably serve a web page. */
const PAGE_NAMES = [/^http/, /web|ui|page|dashboard/];

interface OpenForward {
  key: ClusterKey;
  record: Omit<AddonForwardDto, 'url' | 'connections' | 'problem'>;
  forward: ForwardProxy;
}

/** Port-forwards to web pages of releases. They live as long as the server, the cluster and the release. */
@Injectable()
export class AddonForwardsService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly forwards = new Map<string, OpenForward>();

  constructor(
    private readonly clusters: AddonClusters,
    private readonly releases: ReleasesService,
    private readonly access: ForwardAccess,
    private readonly jobs: JobsService,
    private readonly journal: JournalService,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.jobs.changes.subscribe(({ job }) => this.followJob(job));
  }

  beforeApplicationShutdown(): void {
    for (const forward of this.forwards.values()) this.closeBecause(forward, 'Slipway stopped');
  }

  /** @throws DomainError `cluster_not_found` or `cluster_ambiguous` */
  async list(name: string, runtime?: string): Promise<AddonForwardDto[]> {
    const key = await this.clusters.get(name, runtime);
    return [...this.forwards.values()].filter((open) => isOf(open, key)).map((open) => present(open));
  }

  /**
   * Opens a port-forward, or returns the existing one.
   * @returns it with a link in `url` that admits one browser, once.
   * @throws DomainError as `ReleasesService.find`; `invalid_input` if the release has no such Service;
   *   `resource_not_found` if the Service has no ready Pod.
   */
  async open(
    where: { name: string; runtime?: string | undefined; namespace?: string | undefined },
    release: string,
    request: OpenAddonDto,
  ): Promise<AddonForwardDto> {
    const details = await this.releases.details(where.name, release, where);
    const { service, namespace, port, port_name } = chooseService(details.services, details, request);
    const cluster = await this.clusters.running(where.name, where.runtime);
    const known = [...this.forwards.values()].find(
      (open) =>
        isOf(open, cluster) &&
        open.record.namespace === namespace &&
        open.record.service === service &&
        open.record.port === port,
    );
    if (known) {
      this.record(known, 'forward-open', `Opened another link to ${nameOf(known)}.`);
      return present(known, known.forward.issueLink());
    }
    if (this.forwards.size >= MAX_FORWARDS) {
      throw invalidField(
        'service',
        `cannot be opened: ${MAX_FORWARDS} port-forwards are open, the maximum. Close one first`,
      );
    }
    const connect = async (): ReturnType<Awaited<ReturnType<typeof cluster.api>>['forwardPort']> => {
      const api = await cluster.api();
      const to = { plural: 'services', namespace, object: service, port: String(port) } as const;
      const { pod, port: podPort } = await findPodPort(api, to);
      return await api.forwardPort(pod, podPort);
    };
    // A browser could not show why the connection fails.
    (await connect()).on('error', () => undefined).destroy();
    const encrypted = port === 443 || port === 8443 || port_name?.startsWith('https') === true;
    const forward = await ForwardProxy.listen(
      { name: `${namespace}/${service}:${port}`, encrypted, connect },
      this.access.address(),
    );
    const open: OpenForward = {
      key: { name: cluster.name, runtime: cluster.runtime },
      forward,
      record: {
        id: randomBytes(6).toString('hex'),
        release: details.release,
        namespace,
        service,
        port,
        local_port: forward.port,
        created_at: new Date().toISOString(),
      },
    };
    try {
      this.record(open, 'forward-open', `Opened ${nameOf(open)}.`);
    } catch (error) {
      // Every port-forward must be in the journal.
      forward.close();
      throw error;
    }
    this.forwards.set(open.record.id, open);
    return present(open, forward.issueLink());
  }

  /** @returns the remaining port-forwards. @throws DomainError `forward_not_found` */
  async close(name: string, runtime: string | undefined, id: string): Promise<AddonForwardDto[]> {
    const key = await this.clusters.get(name, runtime);
    const open = this.forwards.get(id);
    if (!open || !isOf(open, key)) {
      throw new DomainError('forward_not_found', 'The port-forward does not exist or is already closed.');
    }
    this.closeOne(id);
    this.recordClosed(open);
    return await this.list(name, key.runtime);
  }

  private recordClosed(open: OpenForward, reason?: string): void {
    const why = reason === undefined ? '' : `: ${reason}`;
    this.record(open, 'forward-close', `Closed ${nameOf(open)}${why}.`);
  }

  private record({ key, record }: OpenForward, kind: string, message: string): void {
    this.journal.record({
      kind,
      cluster: key.name,
      runtime: key.runtime,
      subject: record.release,
      message,
    });
  }

  private followJob(job: Job): void {
    const key = { name: job.cluster, runtime: job.runtime };
    if (CLOSING_JOBS.includes(job.kind) && job.state === 'running') {
      this.closeWhere(key, `job ${job.id} (${job.kind}) started`);
    }
    if (job.kind === 'addon-uninstall' && !isActive(job.state) && isAddonJob(job)) {
      this.closeWhere(key, `job ${job.id} (${job.kind}) ended`, job.input);
    }
  }

  private closeWhere(key: ClusterKey, reason: string, release?: ReleaseName): void {
    for (const open of this.forwards.values()) {
      if (isOf(open, key) && (release === undefined || open.record.release === release.release)) {
        this.closeBecause(open, reason);
      }
    }
  }

  /** Closes a port-forward without a request, even if the journal cannot be written. */
  private closeBecause(open: OpenForward, reason: string): void {
    this.closeOne(open.record.id);
    try {
      this.recordClosed(open, reason);
    } catch (error) {
      this.logger.failure(`could not record the end of port-forward ${open.record.id}`, error);
    }
  }

  private closeOne(id: string): void {
    this.forwards.get(id)?.forward.close();
    this.forwards.delete(id);
  }
}

/** The requested Service, or the one that most likely serves a page. @throws DomainError `invalid_input` */
function chooseService(
  services: readonly ReleaseServiceDto[],
  { release }: { release: string },
  { service, port }: OpenAddonDto,
): ReleaseServiceDto {
  const fitting = services.filter(
    (one) => (service === undefined || one.service === service) && (port === undefined || one.port === port),
  );
  const [likeliest] = fitting.toSorted((one, other) => likelihood(other, release) - likelihood(one, release));
  if (likeliest) return likeliest;
  const available = services.map((one) => `${one.service}:${one.port}`).join(', ') || 'none';
  throw invalidField('service', `must be a Service of release ${release}. Available: ${available}`);
}

function likelihood({ service, port, port_name }: ReleaseServiceDto, release: string): number {
  const named = PAGE_NAMES.filter((name) => name.test(port_name ?? '') || name.test(service)).length;
  const usual = [80, 443, 8080, 3000, 9090, 20_001].includes(port) ? 1 : 0;
  const own = service === release || /(server|grafana|ui|dashboard)$/.test(service) ? 1 : 0;
  return named + usual + own - (/metrics|webhook/.test(`${service} ${port_name ?? ''}`) ? 3 : 0);
}

function nameOf({ record: { local_port, namespace, service, port } }: OpenForward): string {
  return `the port-forward from 127.0.0.1:${local_port} to ${namespace}/${service}:${port}`;
}

function isOf({ key }: OpenForward, { name, runtime }: ClusterKey): boolean {
  return key.name === name && key.runtime === runtime;
}

function present({ record, forward }: OpenForward, url = forward.url): AddonForwardDto {
  return { ...record, url, connections: forward.traffic.connections, problem: forward.problem };
}
