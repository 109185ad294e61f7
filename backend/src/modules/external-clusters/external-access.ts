import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { DomainError, type ErrorCode, networkReason, reasonOf } from '../../core/errors/index.js';
import { EXTERNAL_RUNTIME } from '../../core/security/index.js';
import { ContextAccess, type ContextEntry } from '../../drivers/contexts/index.js';
import { GatewaySelector } from '../../drivers/kubernetes/index.js';
import type { ExternalCluster } from './external-cluster.store.js';

type Decided = Pick<ExternalCluster, 'consent' | 'namespaces'>;

/** The last response of the server of an external cluster. */
export interface Reached {
  /** Why it is not reachable, without a period; null if it is. */
  reason: string | null;
  code: ErrorCode | null;
  /** When this began. RFC 3339. */
  since: string;
  checkedAt: string;
  /** Such as `v1.34.4`. */
  version: string | null;
}

/** Connects to external clusters. Each has one access, which ends when its context, consent or cluster changes. */
@Injectable()
export class ExternalAccess implements OnApplicationShutdown {
  private readonly open = new Map<string, { key: string; access: Promise<ContextAccess> }>();
  private readonly reached = new Map<string, Reached>();
  private readonly checks = new Map<string, { key: string; reached: Promise<Reached> }>();

  constructor(
    private readonly configuration: Configuration,
    private readonly gateways: GatewaySelector,
  ) {}

  onApplicationShutdown(): void {
    for (const name of this.open.keys()) this.close(name);
  }

  /** @throws DomainError `consent_required` or `kubeconfig_unusable` */
  async of(name: string, entry: ContextEntry, cluster: Decided): Promise<ContextAccess> {
    const { consent, namespaces } = cluster;
    const { environment } = this.configuration;
    const key = keyOf(entry, cluster);
    const known = this.open.get(name);
    if (known?.key === key) return await known.access;
    if (known) this.close(name);
    const opened = { key, access: ContextAccess.open(entry, { consent, namespaces, environment }) };
    this.open.set(name, opened);
    // A file that does not exist now may exist at the next request.
    opened.access.catch(() => {
      if (this.open.get(name) === opened) this.open.delete(name);
    });
    return await opened.access;
  }

  last(name: string): Reached | undefined {
    return this.reached.get(name);
  }

  /** Sends a request to the server. Concurrent callers share one request. @returns whether something differs from before */
  async check(name: string, entry: ContextEntry, cluster: Decided): Promise<boolean> {
    const before = this.reached.get(name);
    const key = keyOf(entry, cluster);
    let checking = this.checks.get(name);
    if (checking?.key !== key) {
      checking = { key, reached: this.ask(name, entry, cluster) };
      this.checks.set(name, checking);
    }
    const own = checking;
    const now = await own.reached;
    // The response of another server, or about a cluster that was removed meanwhile, says nothing.
    if (this.checks.get(name) !== own) return false;
    this.checks.delete(name);
    this.reached.set(name, now);
    return !before || before.reason !== now.reason || before.version !== now.version;
  }

  /** Lets a plugin that has just failed run again at the next request. */
  retry(name: string): void {
    this.open.get(name)?.access.then(
      (access) => access.retry(),
      () => undefined,
    );
  }

  /** Ends all connections and a plugin that runs. */
  close(name: string): void {
    this.open.get(name)?.access.then(
      (access) => access.close(),
      () => undefined,
    );
    this.open.delete(name);
    this.gateways.for('kind').forget(name, EXTERNAL_RUNTIME);
  }

  /** As `close`, for a cluster that is removed. */
  forget(name: string): void {
    this.close(name);
    this.checks.delete(name);
    this.reached.delete(name);
  }

  private async ask(name: string, entry: ContextEntry, cluster: Decided): Promise<Reached> {
    let reason: string | null = null;
    let version: string | null = null;
    let code: ErrorCode | null = null;
    try {
      const kubeconfig = await this.of(name, entry, cluster);
      version = await this.gateways.for('kind').version({ name, runtime: EXTERNAL_RUNTIME, kubeconfig });
    } catch (error) {
      reason = explain(error, entry);
      code = error instanceof DomainError ? error.code : 'cluster_unreachable';
    }
    const at = new Date().toISOString();
    const before = this.reached.get(name);
    const isSame = before !== undefined && (before.reason === null) === (reason === null);
    return {
      reason,
      code,
      since: isSame ? before.since : at,
      checkedAt: at,
      version: version ?? before?.version ?? null,
    };
  }
}

/** Changes with all that a connection depends on. Has credentials. */
function keyOf(entry: ContextEntry, { consent, namespaces }: Decided): string {
  return JSON.stringify([entry, consent, namespaces]);
}

function explain(error: unknown, { server, proxy }: ContextEntry): string {
  if (error instanceof DomainError) return error.message.replace(/\.$/, '');
  const reason = reasonOf(error);
  const through = proxy ? ` through the proxy ${proxy.host}` : '';
  return `could not reach ${server.host}${through}: ${networkReason(reason) ?? reason}`;
}
