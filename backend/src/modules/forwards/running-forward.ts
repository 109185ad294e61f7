import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { reasonOf } from '../../core/errors/index.js';
import {
  ForwardListener,
  type ForwardAddress,
  type ForwardTraffic,
  type ListenerTarget,
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
  /** Random first label of the origin of its page, for this target alone. */
  origin: string;
  /** Uid of the cluster to which the origin belongs; null until it is known. */
  clusterUid: string | null;
  /** More hosts of HTTP requests that may use the local port. */
  hosts: readonly string[];
  /** RFC 3339. */
  createdAt: string;
}

/** A cluster that runs. */
export interface OpenTarget {
  api: ResourceApi;
  uid: string;
}

/** The parts of the server that port-forwards need. */
export interface ForwardHost {
  /** @throws DomainError if the cluster is not running */
  open: (key: ClusterKey) => Promise<OpenTarget>;
  /** Why a client may not use the port-forward; null if it may. */
  refusal: (client: Socket) => Promise<string | null>;
  /** @throws Error if the server has too many connections */
  assertCapacity: () => void;
  /** Keeps a changed spec. */
  save: (spec: ForwardSpec) => void;
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
  private pod: PodPort | null = null;
  private readonly found = new Recent(() => this.find(), FOUND_MS);

  /** @param wantedPort of this machine; 0 for a free one */
  constructor(
    public spec: ForwardSpec,
    private readonly wantedPort: number,
    private readonly host: ForwardHost,
  ) {}

  get listens(): boolean {
    return this.listener !== undefined;
  }

  get localPort(): number {
    return this.listener?.port ?? this.wantedPort;
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
    return this.listener?.url ?? null;
  }

  /** A URL that admits one browser, once within a minute. @param browser its `User-Agent` */
  issueLink(browser?: string): string | null {
    return this.listener?.issueLink(browser) ?? null;
  }

  /** Why the last connection failed; null if it succeeded. */
  get problem(): string | null {
    return this.listener?.problem ?? null;
  }

  get traffic(): ForwardTraffic {
    return this.listener?.traffic ?? { connections: 0, bytesToPod: 0, bytesFromPod: 0 };
  }

  /** @throws Error with a code of the system, such as `EADDRINUSE` */
  async listen(address: ForwardAddress): Promise<void> {
    const { release, protocol, origin } = this.spec;
    const target: ListenerTarget = {
      name: this.name,
      isPlain: release === undefined,
      hosts: () => this.spec.hosts,
      refusal: (client) => this.host.refusal(client),
      connect: () => this.connect(),
      ...(protocol !== 'tcp' && { page: { host: origin, encrypted: protocol === 'https' } }),
    };
    this.listener = await ForwardListener.listen(target, address);
    this.failure = null;
  }

  change(changes: Partial<Pick<ForwardSpec, 'clusterUid' | 'hosts' | 'origin'>>): void {
    this.spec = { ...this.spec, ...changes };
    this.host.save(this.spec);
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
    this.listener = undefined;
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
    const { api, uid } = await this.host.open(this.spec.key);
    this.belongTo(uid);
    const found = await findPodPort(api, this.spec.to, this.pod?.pod.name);
    this.pod = found;
    return { ...found, api };
  }

  /** A new cluster of the same name gets another origin: what the pages of the old one left in browsers stays there. */
  private belongTo(clusterUid: string): void {
    const known = this.spec.clusterUid;
    if (known === clusterUid) return;
    this.change({ clusterUid, ...(known !== null && { origin: newOrigin() }) });
    if (known !== null) this.listener?.move(this.spec.origin);
  }
}

/** Twelve random letters. */
export function newOrigin(): string {
  return Array.from({ length: 12 }, () => String.fromCharCode(97 + randomInt(26))).join('');
}
