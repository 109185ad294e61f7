import { randomBytes } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DomainError, invalidInput } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import { ForwardProxy } from '../../../drivers/kubernetes/index.js';
import type { ReleaseName } from '../../../drivers/package-manager/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import { isActive, JobsService, type Job } from '../../jobs/index.js';
import { JournalService } from '../../journal/index.js';
import { AddonClusters } from '../addon-clusters.js';
import type { ReleaseServiceDto } from '../addon.dto.js';
import type { ForwardDto, ForwardRequestDto } from '../operation.dto.js';
import { isAddonJob } from '../operation/operation-input.js';
import { ReleasesService } from '../release/releases.service.js';
import { podBehind } from './service-port.js';

/** As many as somebody looks at; each holds a port of this machine. */
const MAX_FORWARDS = 20;
/** Jobs after which nothing is left of what a port leads to, or nothing that answers. */
const ENDING: readonly Job['kind'][] = ['stop', 'delete', 'recreate', 'pause'];
/** Ports by which a page is likelier than others: by the word of their names, then by their numbers. */
const PAGES = [/^http/, /web|ui|page|dashboard/];

interface Held {
  key: ClusterKey;
  record: Omit<ForwardDto, 'url' | 'connections' | 'problem'>;
  forward: ForwardProxy;
}

/** Ports of this machine that lead to what releases serve. They live as long as the product, the cluster and the release. */
@Injectable()
export class ForwardsService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly held = new Map<string, Held>();
  private readonly logger: AppLogger;

  constructor(
    private readonly clusters: AddonClusters,
    private readonly releases: ReleasesService,
    private readonly jobs: JobsService,
    private readonly journal: JournalService,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: ForwardsService.name });
  }

  onModuleInit(): void {
    this.jobs.changes.subscribe(({ job }) => this.followJob(job));
  }

  beforeApplicationShutdown(): void {
    for (const held of this.held.values()) this.endOne(held, 'Slipway stopped');
  }

  /** @throws DomainError `cluster_not_found` or `cluster_ambiguous` */
  async list(name: string, runtime?: string): Promise<ForwardDto[]> {
    const key = await this.clusters.get(name, runtime);
    return [...this.held.values()].filter((held) => isOf(held, key)).map((held) => present(held));
  }

  /**
   * Opens a port, or finds the one that leads there already.
   * @returns it with a link in `url` that admits one browser, once.
   * @throws DomainError as `ReleasesService.find`; `invalid_input` for what is no Service of the release;
   *   `resource_not_found` where no pod answers behind it.
   */
  async open(
    where: { name: string; runtime?: string | undefined; namespace?: string | undefined },
    release: string,
    request: ForwardRequestDto,
  ): Promise<ForwardDto> {
    const details = await this.releases.details(where.name, release, where);
    const { service, namespace, port, port_name } = chosen(details.services, details, request);
    const ways = await this.clusters.running(where.name, where.runtime);
    const known = [...this.held.values()].find(
      (held) =>
        isOf(held, ways) &&
        held.record.namespace === namespace &&
        held.record.service === service &&
        held.record.port === port,
    );
    if (known) {
      this.record(known, 'forward-open', `Another link to ${leadingTo(known)} was opened.`);
      return present(known, known.forward.issueLink());
    }
    if (this.held.size >= MAX_FORWARDS) {
      throw invalidInput([
        { field: 'service', problem: `is one too many: ${MAX_FORWARDS} port-forwards are held already` },
      ]);
    }
    const connect = async (): ReturnType<Awaited<ReturnType<typeof ways.api>>['forwardPort']> => {
      const api = await ways.api();
      const behind = await podBehind(api, { namespace, name: service }, port);
      return await api.forwardPort(behind.pod, behind.port);
    };
    // Tried before it is offered: a page that never comes says nothing of the reason.
    (await connect()).on('error', () => undefined).destroy();
    const encrypted = port === 443 || port === 8443 || port_name?.startsWith('https') === true;
    const forward = await ForwardProxy.listen({
      name: `${namespace}/${service}:${port}`,
      encrypted,
      connect,
    });
    const held: Held = {
      key: { name: ways.name, runtime: ways.runtime },
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
      this.record(held, 'forward-open', `Opened ${leadingTo(held)}.`);
    } catch (error) {
      // What cannot be recorded is not opened.
      forward.close();
      throw error;
    }
    this.held.set(held.record.id, held);
    return present(held, forward.issueLink());
  }

  /** @returns what is left. @throws DomainError `forward_not_found` */
  async close(name: string, runtime: string | undefined, id: string): Promise<ForwardDto[]> {
    const key = await this.clusters.get(name, runtime);
    const held = this.held.get(id);
    if (!held || !isOf(held, key)) {
      throw new DomainError('forward_not_found', 'There is no such port-forward any more.');
    }
    this.closeOne(id);
    this.recordClosed(held);
    return await this.list(name, key.runtime);
  }

  private recordClosed(held: Held, reason?: string): void {
    const why = reason === undefined ? '' : `: ${reason}`;
    this.record(held, 'forward-close', `Closed ${leadingTo(held)}${why}.`);
  }

  private record({ key, record }: Held, kind: string, message: string): void {
    this.journal.record({
      kind,
      cluster: key.name,
      runtime: key.runtime,
      subject: record.release,
      outcome: 'succeeded',
      message,
    });
  }

  private followJob(job: Job): void {
    const key = { name: job.cluster, runtime: job.runtime };
    if (ENDING.includes(job.kind) && job.state === 'running') {
      this.closeWhere(key, `job ${job.id} (${job.kind}) began`);
    }
    if (job.kind === 'addon-uninstall' && !isActive(job.state) && isAddonJob(job)) {
      this.closeWhere(key, `job ${job.id} (${job.kind}) ended`, job.input);
    }
  }

  private closeWhere(key: ClusterKey, reason: string, release?: ReleaseName): void {
    for (const held of this.held.values()) {
      if (isOf(held, key) && (release === undefined || held.record.release === release.release)) {
        this.endOne(held, reason);
      }
    }
  }

  /** Closes one that did not have to be asked for. It ends also where that cannot be recorded. */
  private endOne(held: Held, reason: string): void {
    this.closeOne(held.record.id);
    try {
      this.recordClosed(held, reason);
    } catch (error) {
      this.logger.failure(`the end of port-forward ${held.record.id} could not be recorded`, error);
    }
  }

  private closeOne(id: string): void {
    this.held.get(id)?.forward.close();
    this.held.delete(id);
  }
}

/** The Service that was named, or the one that is likeliest a page. @throws DomainError `invalid_input` */
function chosen(
  services: readonly ReleaseServiceDto[],
  { release }: { release: string },
  { service, port }: ForwardRequestDto,
): ReleaseServiceDto {
  const fitting = services.filter(
    (one) => (service === undefined || one.service === service) && (port === undefined || one.port === port),
  );
  const [likeliest] = fitting.toSorted((one, other) => likelihood(other, release) - likelihood(one, release));
  if (likeliest) return likeliest;
  const there = services.map((one) => `${one.service}:${one.port}`).join(', ') || 'none';
  throw invalidInput([{ field: 'service', problem: `must be one of ${release}: ${there}` }]);
}

function likelihood({ service, port, port_name }: ReleaseServiceDto, release: string): number {
  const named = PAGES.filter((words) => words.test(port_name ?? '') || words.test(service)).length;
  const usual = [80, 443, 8080, 3000, 9090, 20_001].includes(port) ? 1 : 0;
  const own = service === release || /(server|grafana|ui|dashboard)$/.test(service) ? 1 : 0;
  return named + usual + own - (/metrics|webhook/.test(`${service} ${port_name ?? ''}`) ? 3 : 0);
}

function leadingTo({ record: { local_port, namespace, service, port } }: Held): string {
  return `the port-forward from 127.0.0.1:${local_port} to ${namespace}/${service}:${port}`;
}

function isOf({ key }: Held, { name, runtime }: ClusterKey): boolean {
  return key.name === name && key.runtime === runtime;
}

function present({ record, forward }: Held, url = forward.url): ForwardDto {
  return { ...record, url, connections: forward.connections, problem: forward.problem };
}
