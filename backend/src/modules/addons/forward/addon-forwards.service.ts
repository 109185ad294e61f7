import { Injectable, type OnModuleInit } from '@nestjs/common';
import { invalidField } from '../../../core/errors/index.js';
import { ForwardsService, type RunningForward } from '../../forwards/index.js';
import { isActive, JobsService, type Job } from '../../jobs/index.js';
import { AddonClusters } from '../common/addon-clusters.js';
import type { ReleaseServiceDto } from '../common/addon.dto.js';
import type { AddonForwardDto, OpenAddonDto } from '../common/operation.dto.js';
import { isAddonJob } from '../release/operation-input.js';
import { ReleasesService } from '../release/releases.service.js';

/** Jobs that make the Pod behind a port-forward unreachable. */
const CLOSING_JOBS: readonly Job['kind'][] = ['stop', 'delete', 'recreate', 'pause'];
/** Names of ports and Services that probably serve a web page. */
const PAGE_NAMES = [/^http/, /web|ui|page|dashboard/];

/** Port-forwards to web pages of releases. They live as long as the server, the cluster and the release. */
@Injectable()
export class AddonForwardsService implements OnModuleInit {
  constructor(
    private readonly clusters: AddonClusters,
    private readonly releases: ReleasesService,
    private readonly forwards: ForwardsService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.changes.subscribe(({ job }) => this.followJob(job));
  }

  /** @throws DomainError `cluster_not_found` or `cluster_ambiguous` */
  async list(name: string, runtime?: string): Promise<AddonForwardDto[]> {
    const key = await this.clusters.get(name, runtime);
    return this.forwards.of(key, true).map((page) => present(page));
  }

  /**
   * Opens a port-forward, or returns the existing one.
   * @param browser the `User-Agent` of the browser that opens it
   * @returns it with a link in `url` that admits one browser, once.
   * @throws DomainError as `ReleasesService.find`; `invalid_input` if the release has no such Service;
   *   `resource_not_found` if the Service has no ready Pod.
   */
  async open(
    where: { name: string; runtime?: string | undefined; namespace?: string | undefined },
    release: string,
    request: OpenAddonDto,
    browser?: string,
  ): Promise<AddonForwardDto> {
    const details = await this.releases.details(where.name, release, where);
    const { service, namespace, port, port_name } = chooseService(details.services, details, request);
    const encrypted = port === 443 || port === 8443 || port_name?.startsWith('https') === true;
    const page = await this.forwards.open(where, {
      release: details.release,
      plural: 'services',
      namespace,
      object: service,
      port: String(port),
      protocol: encrypted ? 'https' : 'http',
    });
    return present(page, page.issueLink(browser));
  }

  /** @returns the remaining port-forwards. @throws DomainError `forward_not_found` */
  async close(name: string, runtime: string | undefined, id: string): Promise<AddonForwardDto[]> {
    await this.forwards.stop(name, runtime, id, true);
    return await this.list(name, runtime);
  }

  private followJob(job: Job): void {
    const isClosing = CLOSING_JOBS.includes(job.kind) && job.state === 'running';
    const isRemoved = job.kind === 'addon-uninstall' && !isActive(job.state) && isAddonJob(job);
    if (!isClosing && !isRemoved) return;
    const reason = `job ${job.id} (${job.kind}) ${isClosing ? 'started' : 'ended'}`;
    for (const page of this.forwards.of({ name: job.cluster, runtime: job.runtime }, true)) {
      if (!isRemoved || page.spec.release === job.input.release) this.forwards.end(page, reason);
    }
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

function present(page: RunningForward, url = page.url): AddonForwardDto {
  const { id, release = '', to, createdAt } = page.spec;
  return {
    id,
    release,
    namespace: to.namespace,
    service: to.object,
    port: Number(to.port),
    local_port: page.localPort,
    created_at: createdAt,
    url: url ?? '',
    connections: page.traffic.connections,
    problem: page.problem,
  };
}
