import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { reasonOf } from '../../core/errors/index.js';
import {
  ForwardListener,
  ForwardProxy,
  type ForwardAddress,
  type ForwardTraffic,
  type ResourceApi,
} from '../../drivers/kubernetes/index.js';
import type { ClusterKey } from '../clusters/index.js';
import { Recent } from './recent.js';
import { findPodPort, type PodPort } from './target/find-target.js';
import { nameOfTarget, type ForwardProtocol, type ForwardTo } from './target/forward-kinds.js';

/** For so long, connections share the chosen Pod. Much shorter than the 5 s within which a replaced Pod must be found again. */
const FOUND_MS = 1000;

/** A port-forward. It is stored, unless it is only for the page of a release. */
export interface ForwardSpec {
  id: string;
  /** The release whose page is all that is forwarded. */
  release?: string;
  key: ClusterKey;
  to: ForwardTo;
  protocol: ForwardProtocol;
  /** RFC 3339. */
  createdAt: string;
}

/** What port-forwards need of the server. */
export interface ForwardHost {
  /** @throws DomainError if the cluster is not running */
  open: (key: ClusterKey) => Promise<ResourceApi>;
  /** Why a client may not use the port-forward; null if it may. */
  refusal: (client: Socket) => Promise<string | null>;
  /** @throws Error if the server has too many connections */
  assertCapacity: () => void;
}

/** Where it listens: at its local port, and for web pages at another one. */
export interface ForwardAddresses {
  tcp: ForwardAddress;
  page: ForwardAddress;
}

export type ForwardState = 'ready' | 'waiting' | 'failed';

interface Found extends PodPort {
  api: ResourceApi;
}

/** A port-forward. Each connection goes to a Pod that is ready now, so it outlives Pods and stops of its cluster. */
export class RunningForward {
  /** Why it does not listen. */
  failure: string | null = null;
  private listener: ForwardListener | undefined;
  private proxy: ForwardProxy | undefined;
  private pod: PodPort | null = null;
  private readonly found = new Recent(() => this.find(), FOUND_MS);

  /** @param wantedPort of this machine; 0 for a free one */
  constructor(
    readonly spec: ForwardSpec,
    private readonly wantedPort: number,
    private readonly host: ForwardHost,
  ) {}

  get listens(): boolean {
    return this.listener !== undefined || this.proxy !== undefined;
  }

  get localPort(): number {
    return this.listener?.port ?? this.proxy?.port ?? this.wantedPort;
  }

  /** For messages and error pages. */
  get name(): string {
    const { release, to } = this.spec;
    return release === undefined
      ? `${nameOfTarget(to)} port ${to.port}`
      : `${to.namespace}/${to.object}:${to.port}`;
  }

  /** The URL of its page; null if it has none. */
  get url(): string | null {
    return this.proxy?.url ?? null;
  }

  /** A URL that admits one browser, once within a minute. */
  issueLink(): string | null {
    return this.proxy?.issueLink() ?? null;
  }

  /** Why the last connection failed; null if it succeeded. */
  get problem(): string | null {
    return this.listener?.problem ?? this.proxy?.problem ?? null;
  }

  get traffic(): ForwardTraffic {
    const traffics = [this.listener, this.proxy].flatMap((one) => one?.traffic ?? []);
    const sum = (field: keyof ForwardTraffic): number =>
      traffics.reduce((total, traffic) => total + traffic[field], 0);
    return {
      connections: sum('connections'),
      bytesToPod: sum('bytesToPod'),
      bytesFromPod: sum('bytesFromPod'),
    };
  }

  /** @throws Error with a code of the system, such as `EADDRINUSE` */
  async listen(addresses: ForwardAddresses): Promise<void> {
    const connect = (): Promise<Duplex> => this.connect();
    try {
      if (this.spec.release === undefined) {
        const refusal = (client: Socket): Promise<string | null> => this.host.refusal(client);
        this.listener = await ForwardListener.listen({ refusal, connect }, addresses.tcp);
      }
      if (this.spec.protocol !== 'tcp') {
        const encrypted = this.spec.protocol === 'https';
        this.proxy = await ForwardProxy.listen({ name: this.name, encrypted, connect }, addresses.page);
      }
      this.failure = null;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Looks for its Pod now. @returns also why it is not ready, or why its last connection failed. */
  async check(): Promise<{ state: ForwardState; reason: string | null; pod: PodPort | null }> {
    if (!this.listens) return { state: 'failed', reason: this.failure, pod: null };
    try {
      const pod = await this.found.get();
      return { state: 'ready', reason: this.problem, pod };
    } catch (error) {
      return { state: 'waiting', reason: reasonOf(error), pod: null };
    }
  }

  /** @throws DomainError or Error if it reaches no Pod now */
  async probe(): Promise<void> {
    (await this.connect()).on('error', () => undefined).destroy();
  }

  close(): void {
    this.listener?.close();
    this.proxy?.close();
    this.listener = undefined;
    this.proxy = undefined;
  }

  private async connect(): Promise<Duplex> {
    this.host.assertCapacity();
    const recent = this.found.get();
    const { api, pod, port } = await recent;
    try {
      return await api.forwardPort(pod, port);
    } catch {
      // The Pod may have been replaced since it was found.
      this.found.drop(recent);
      const now = await this.found.get();
      return await now.api.forwardPort(now.pod, now.port);
    }
  }

  private async find(): Promise<Found> {
    const api = await this.host.open(this.spec.key);
    const found = await findPodPort(api, this.spec.to, this.pod?.pod.name);
    this.pod = found;
    return { ...found, api };
  }
}
