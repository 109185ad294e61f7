import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { DomainError, hasCode, invalidField, reasonOf } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { counted } from '../../core/values/index.js';
import { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { ClusterHooks, ClustersService, PortHolders, type ClusterKey } from '../clusters/index.js';
import { JournalService } from '../journal/index.js';
import { ClusterResources, keyOfCluster } from '../resources/index.js';
import { ForwardAccess } from './forward-access.js';
import { ForwardStore } from './forward.store.js';
import type { ForwardDto, StartForwardDto } from './forwards.dto.js';
import { Recent } from './recent.js';
import {
  newOrigin,
  RunningForward,
  type ForwardHost,
  type ForwardSpec,
  type OpenTarget,
} from './running-forward.js';
import { typeOf, type ForwardTo } from './target/forward-kinds.js';
import { choosePort } from './target/port-choice.js';

const MAX_FORWARDS = 50;
/** Of releases. */
const MAX_PAGES = 20;
/** Of all port-forwards. */
const MAX_CONNECTIONS = 500;
/** In which the port-forwards of a cluster share its state. */
const OPEN_MS = 500;
/** It exists as long as its cluster, whose identity it is. */
const SYSTEM_NAMESPACE = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  namespace: null,
  name: 'kube-system',
};

type Where = Pick<ClusterKey, 'name'> & Partial<ClusterKey>;
type OpenForward = StartForwardDto & Pick<ForwardSpec, 'release'>;

/**
 * Port-forwards to Pods, Services and workloads. They are kept until they are stopped or their cluster is deleted, except
 * those to pages of releases, which are closed when Slipway stops.
 */
@Injectable()
export class ForwardsService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly forwards = new Map<string, RunningForward>();
  private readonly opened = new Map<string, Recent<OpenTarget>>();
  private readonly host: ForwardHost = {
    open: (key) => this.target(key),
    refusal: (client) => this.access.refusal(client),
    assertCapacity: () => this.assertCapacity(),
    save: (spec) => this.store.update(spec),
  };
  private subscription: Subscription | undefined;
  private reopening: Promise<void> | undefined;

  constructor(
    private readonly clusters: ClustersService,
    private readonly resources: ClusterResources,
    private readonly runtimes: RuntimeRegistry,
    private readonly access: ForwardAccess,
    private readonly store: ForwardStore,
    private readonly holders: PortHolders,
    private readonly journal: JournalService,
    private readonly hooks: ClusterHooks,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.hooks.register({
      afterRemoval: async (key) => {
        this.forgetCluster(key);
        await Promise.resolve();
      },
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const { localPort, ...spec } of this.store.all()) {
      this.forwards.set(spec.id, new RunningForward(spec, localPort, this.host));
    }
    this.subscription = this.runtimes.changes.subscribe(() => void this.listenAgain());
    await this.listenAgain();
  }

  beforeApplicationShutdown(): void {
    this.subscription?.unsubscribe();
    for (const forward of this.forwards.values()) {
      if (isPage(forward)) this.end(forward, 'Slipway stopped');
      else forward.close();
    }
  }

  /** @throws DomainError `cluster_not_found` or `cluster_ambiguous` */
  async list(name: string, runtime?: string): Promise<ForwardDto[]> {
    const key = await this.clusters.get(name, runtime);
    // A local port may be free by now.
    await this.listenAgain();
    return await Promise.all(this.of(key).map((forward) => this.present(forward)));
  }

  /**
   * Starts a port-forward, or returns the existing one.
   * @param browser the `User-Agent` of the browser that opens its page
   * @returns it with a link in `url` that admits one browser, once.
   * @throws DomainError as `open`
   */
  async start(where: Where, request: StartForwardDto, browser?: string): Promise<ForwardDto> {
    const forward = await this.open(where, request);
    return { ...(await this.present(forward)), url: forward.issueLink(browser) };
  }

  /**
   * As `start`.
   * @param request with the release if its page is all that is to be forwarded
   * @throws DomainError `invalid_input` if the object has no such TCP port or too many are open, `port_taken`, as
   * `ClusterResources.open`, or as the probe of the Service of a release
   */
  async open(
    where: Where,
    { release, plural, namespace, object, port, protocol, local_port: localPort, hosts }: OpenForward,
  ): Promise<RunningForward> {
    const { cluster, api } = await this.resources.open(where.name, where.runtime);
    const key = { name: cluster.name, runtime: cluster.runtime };
    const to: ForwardTo = { plural, namespace, object, port };
    const chosen = choosePort(to, await api.read({ ...typeOf(plural), namespace, name: object }));
    const ofPages = release !== undefined;
    const known = this.of(key, ofPages).find(
      ({ spec, localPort: at }) => isDeepStrictEqual(spec.to, to) && (localPort ?? at) === at,
    );
    if (known?.listens === true) {
      if (hosts) known.change({ hosts });
      if (known.url !== null) this.record(known, 'forward-open', `Opened another link to ${nameOf(known)}.`);
      return known;
    }
    const max = ofPages ? MAX_PAGES : MAX_FORWARDS;
    if ([...this.forwards.values()].filter((one) => isPage(one) === ofPages).length >= max) {
      throw invalidField(
        'port',
        `cannot be forwarded: ${max} port-forwards exist, the maximum. Stop one first`,
      );
    }
    const spec: ForwardSpec = {
      id: randomBytes(6).toString('hex'),
      release,
      key,
      to,
      protocol: protocol ?? chosen.protocol,
      origin: newOrigin(),
      clusterUid: null,
      hosts: hosts ?? [],
      createdAt: new Date().toISOString(),
    };
    const forward = new RunningForward(spec, localPort ?? 0, this.host);
    // A browser could not show why the connection fails.
    if (ofPages) await forward.probe();
    await this.begin(forward, localPort);
    return forward;
  }

  /** Stops and forgets it. @throws DomainError `forward_not_found` */
  async stop(name: string, runtime: string | undefined, id: string, ofPages = false): Promise<void> {
    const key = await this.clusters.get(name, runtime);
    const forward = this.of(key, ofPages).find(({ spec }) => spec.id === id);
    if (!forward) {
      throw new DomainError('forward_not_found', 'The port-forward does not exist or was already stopped.');
    }
    this.end(forward);
  }

  /** Closes a port-forward. @param reason if no request closed it; then it ends even if the journal cannot be written */
  end(forward: RunningForward, reason?: string): void {
    const { id } = forward.spec;
    try {
      // With its port and its traffic, which it has while it is open.
      this.recordEnd(forward, reason);
    } catch (error) {
      if (reason === undefined) throw error;
      this.logger.failure(`could not record the end of port-forward ${id}`, error);
    } finally {
      forward.close();
      this.forwards.delete(id);
      if (!isPage(forward)) this.store.remove(id);
    }
  }

  /** Those of a cluster: to pages of releases, or the others. */
  of({ name, runtime }: ClusterKey, ofPages = false): RunningForward[] {
    return [...this.forwards.values()].filter(
      (one) => isPage(one) === ofPages && one.spec.key.name === name && one.spec.key.runtime === runtime,
    );
  }

  private async begin(forward: RunningForward, localPort?: number): Promise<void> {
    const { spec } = forward;
    await this.listen(forward, localPort);
    try {
      if (!isPage(forward)) this.store.add({ ...spec, localPort: forward.localPort });
      this.record(forward, 'forward-open', `${isPage(forward) ? 'Opened' : 'Started'} ${nameOf(forward)}.`);
    } catch (error) {
      // Every port-forward must be in the journal.
      forward.close();
      this.store.remove(spec.id);
      throw error;
    }
    this.forwards.set(spec.id, forward);
  }

  private async target(key: ClusterKey): Promise<OpenTarget> {
    const place = keyOfCluster(key);
    let opened = this.opened.get(place);
    if (!opened) {
      opened = new Recent(async () => {
        const { api } = await this.resources.open(key.name, key.runtime);
        return { api, uid: (await api.read(SYSTEM_NAMESPACE)).metadata.uid ?? '' };
      }, OPEN_MS);
      this.opened.set(place, opened);
    }
    try {
      return await opened.get();
    } catch (error) {
      // Deleted outside Slipway, whose jobs did not notice.
      const isAvailable = this.runtimes.available().some(({ id }) => id === key.runtime);
      if (isAvailable && hasCode(error, 'cluster_not_found')) this.forgetCluster(key);
      throw error;
    }
  }

  private assertCapacity(): void {
    const open = [...this.forwards.values()].reduce((sum, { traffic }) => sum + traffic.connections, 0);
    if (open > MAX_CONNECTIONS) {
      throw new Error(`A connection was rejected: ${MAX_CONNECTIONS} are open, the maximum.`);
    }
  }

  /** Opens stored port-forwards whose engine is available and that do not listen yet. */
  private async listenAgain(): Promise<void> {
    this.reopening ??= this.listenToAll().finally(() => (this.reopening = undefined));
    await this.reopening;
  }

  private async listenToAll(): Promise<void> {
    const available = new Set(this.runtimes.available().map(({ id }) => id));
    for (const forward of this.forwards.values()) {
      if (forward.listens || !available.has(forward.spec.key.runtime)) continue;
      try {
        await this.listen(forward, forward.localPort);
      } catch (error) {
        forward.failure = reasonOf(error);
        if (!(error instanceof DomainError)) this.logger.failure(`could not open ${nameOf(forward)}`, error);
      }
      // Stopped meanwhile.
      if (!this.forwards.has(forward.spec.id)) forward.close();
    }
  }

  /** @throws DomainError `port_taken`, or `invalid_input` if the port is not allowed */
  private async listen(forward: RunningForward, localPort: number | undefined): Promise<void> {
    const address = this.access.address(localPort);
    try {
      await forward.listen(address);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (localPort !== undefined && code === 'EADDRINUSE') throw await this.portTaken(localPort);
      if (code === 'EACCES') {
        throw invalidField(
          'local_port',
          'must be at least 1024: this system lets only root listen on lower ports',
        );
      }
      throw error;
    }
  }

  private async portTaken(port: number): Promise<DomainError> {
    const own = [...this.forwards.values()].find((one) => one.listens && one.localPort === port);
    const holder = own ? nameOf(own) : await this.holders.of(port, 'TCP');
    return new DomainError(
      'port_taken',
      `Could not listen on 127.0.0.1:${port}. The port is in use by ${holder ?? 'another program'}. Choose another local port.`,
    );
  }

  private forgetCluster(key: ClusterKey): void {
    for (const forward of this.of(key)) this.end(forward, 'the cluster was deleted');
    this.opened.delete(keyOfCluster(key));
  }

  private recordEnd(forward: RunningForward, reason?: string): void {
    const { bytesToPod, bytesFromPod } = forward.traffic;
    const what = `${nameOf(forward)}${reason === undefined ? '' : `: ${reason}`}.`;
    if (isPage(forward)) {
      this.record(forward, 'forward-close', `Closed ${what}`);
      return;
    }
    const message = `Stopped ${what} Since Slipway started, clients sent ${counted(bytesToPod, 'byte')} and received ${counted(bytesFromPod, 'byte')}.`;
    this.record(forward, 'forward-close', message, Date.now() - Date.parse(forward.spec.createdAt));
  }

  private record(
    { spec: { key, to, release } }: RunningForward,
    kind: 'forward-open' | 'forward-close',
    message: string,
    duration_ms?: number,
  ): void {
    const subject = release ?? `${to.namespace}/${to.object}`;
    this.journal.record({ kind, cluster: key.name, runtime: key.runtime, subject, message, duration_ms });
  }

  private async present(forward: RunningForward): Promise<ForwardDto> {
    // First: it may find that the cluster is another one, whose page has another origin.
    const { state, reason, pod } = await forward.check();
    const { id, to, protocol, hosts, createdAt } = forward.spec;
    const { connections, bytesToPod, bytesFromPod } = forward.traffic;
    return {
      id,
      ...to,
      protocol,
      local_port: forward.localPort,
      local_address: `127.0.0.1:${forward.localPort}`,
      url: forward.url,
      hosts: [...hosts],
      state,
      state_reason: reason,
      pod: pod?.pod.name ?? null,
      pod_port: pod?.port ?? null,
      connections,
      bytes_to_pod: bytesToPod,
      bytes_from_pod: bytesFromPod,
      created_at: createdAt,
      notice: this.access.notice(),
    };
  }
}

function isPage({ spec }: RunningForward): boolean {
  return spec.release !== undefined;
}

function nameOf(forward: RunningForward): string {
  return `the port-forward from 127.0.0.1:${forward.localPort} to ${forward.name}`;
}
