import { hasCode } from '../../core/errors/index.js';
import type { AppLogger } from '../../core/logging/index.js';
import {
  agreedHealth,
  healthOf,
  nullIfGone,
  type KubernetesObject,
  type TypeName,
} from '../../drivers/kubernetes/index.js';
import type { ClusterKey, PodCounts } from '../clusters/index.js';
import { causesOf, presentCause, type CauseDto, type FoundCause } from '../diagnosis/index.js';
import {
  keyOf,
  kindKey,
  presentGroup,
  type ClusterResources,
  type TableLease,
  type TableWatches,
} from '../resources/index.js';
import { CustomTables } from './custom-tables.js';
import { PodCounter } from './pod-counts.js';
import type { ProblemDto } from './problem.dto.js';
import { brokenSince, graceOf } from './problem-times.js';
import { Suspects, type FollowedTable } from './suspects.js';
import { WATCHED, type Subject } from './workloads.js';

const EVENTS: TypeName = { group: '', version: 'v1', plural: 'events' };
/** Shortest time between two checks of the same workload. */
const CHECK_MS = 1500;
/** When a workload that only starts is checked, unless an event is about it. */
const START_MS = 31_000;
/** A problem can end by time alone: a container that runs for a minute after a crash is no longer down. */
const CONFIRM_MS = 30_000;
/** Doubled each time, for what is neither healthy nor explained. */
const RECHECK_MS = 30_000;
const MAX_RECHECK_MS = 300_000;
const RETRY_MS = 5000;
const MAX_CHECKS = 3;
/** Causes that a container also has for a moment after each of its restarts. */
const ONLY_WHILE_DOWN = ['crash', 'out_of_memory'];

interface Check {
  subject: Subject;
  /** In milliseconds since 1970. Infinity if nothing but a change can tell more. */
  dueAt: number;
  checkedAt: number;
  seenAt: number;
  recheckMs: number;
  /** Whether its first check has not ended. */
  isFirst: boolean;
  /** Whether the last check found no cause. */
  isClearing: boolean;
  problem: ProblemDto | undefined;
}

interface Parts {
  resources: ClusterResources;
  watches: TableWatches;
  logger: AppLogger;
  /** Called after each change of `problems` or `isKnown`. */
  onChange: () => void;
}

/** Watches one cluster and finds what does not work. Costs next to nothing while all works. */
export class ClusterProblems {
  /** Whether everything was checked once. */
  isKnown = false;
  private readonly leases: TableLease[] = [];
  private suspects: Suspects | undefined;
  private readonly tables: FollowedTable[] = [];
  private readonly custom: CustomTables;
  private counter: PodCounter | undefined;
  private readonly checks = new Map<string, Check>();
  private readonly running = new Set<string>();
  private isOpening = false;
  private retryAt = 0;
  private tickedAt = 0;
  private isClosed = false;

  constructor(
    private readonly cluster: ClusterKey,
    private readonly parts: Parts,
  ) {
    const { resources, watches } = parts;
    this.custom = new CustomTables(cluster, watches, async () => {
      return (await resources.open(cluster.name, cluster.runtime)).api;
    });
  }

  /** The oldest first. */
  get problems(): ProblemDto[] {
    return [...this.checks.values()]
      .flatMap(({ problem }) => problem ?? [])
      .sort((one, other) => (one.since < other.since ? -1 : 1));
  }

  /** Undefined while unknown. */
  pods(now: number): PodCounts | undefined {
    return this.tables.every(({ store }) => store.isListed) ? this.counter?.read(now) : undefined;
  }

  /** Reads what has changed and starts the checks that are due. */
  tick(now: number): void {
    if (now < this.tickedAt) this.followClock(now);
    this.tickedAt = now;
    if (!this.suspects) {
      if (!this.isOpening && now >= this.retryAt) void this.open(now);
      return;
    }
    if (!this.tables.every(({ store }) => store.isListed)) return;
    this.custom.tick(now, this.tables);
    for (const [key, { byEvent }] of this.suspects.read(now)) this.schedule(key, now, byEvent);
    for (const [key, check] of this.checks) {
      if (this.suspects.endingNamespaces.has(check.subject.namespace ?? '')) {
        this.checks.delete(key);
        this.set(check, undefined);
        continue;
      }
      if (this.running.size >= MAX_CHECKS) break;
      if (check.dueAt > now || this.running.has(key)) continue;
      void this.check(key, check, now);
    }
    if (!this.isKnown && !this.checks.values().some(({ isFirst }) => isFirst)) {
      this.isKnown = true;
      this.parts.onChange();
    }
  }

  /** The clock was set back: nothing waits until it is as late again. */
  private followClock(now: number): void {
    this.retryAt = 0;
    for (const check of this.checks.values()) {
      if (check.dueAt < Infinity) check.dueAt = now;
      check.checkedAt = Math.min(check.checkedAt, now);
      check.seenAt = Math.min(check.seenAt, now);
    }
  }

  close(): void {
    this.isClosed = true;
    for (const lease of this.leases) lease.release();
    this.custom.close();
    this.parts.watches.judge(this.cluster, new Map());
  }

  private async open(now: number): Promise<void> {
    const { resources, watches } = this.parts;
    this.isOpening = true;
    try {
      const { api } = await resources.open(this.cluster.name, this.cluster.runtime);
      const served = await api.types();
      const events = await api.type(EVENTS);
      if (this.isClosed) return;
      const kinds = Object.values(WATCHED).flatMap(({ group, plural }) =>
        served.filter((type) => type.group === group && type.plural === plural),
      );
      for (const type of kinds) {
        const lease = watches.acquire(this.cluster, type);
        this.leases.push(lease);
        this.tables.push({ type, store: lease.store, position: -1 });
      }
      const pods = this.tables.find(({ type }) => type.kind === 'Pod');
      this.counter = pods && new PodCounter(pods);
      const warnings = watches.acquire(this.cluster, events, 'warnings');
      this.leases.push(warnings);
      this.suspects = new Suspects(this.tables, { type: events, store: warnings.store, position: -1 });
    } catch {
      this.retryAt = now + RETRY_MS;
    } finally {
      this.isOpening = false;
    }
  }

  private schedule(key: string, now: number, byEvent: boolean): void {
    const group = this.suspects?.groups.get(key);
    const known = this.checks.get(key);
    if (!group && !known?.problem) {
      this.checks.delete(key);
      return;
    }
    const subject = known?.subject ?? group?.subject;
    if (!subject) return;
    const isUrgent = byEvent || !group || group.isUrgent || known?.problem !== undefined;
    const check = known ?? {
      subject,
      dueAt: Infinity,
      checkedAt: 0,
      seenAt: now,
      recheckMs: RECHECK_MS,
      isFirst: isUrgent,
      isClearing: false,
      problem: undefined,
    };
    this.checks.set(key, check);
    check.recheckMs = RECHECK_MS;
    check.dueAt = Math.min(
      check.dueAt,
      isUrgent ? Math.max(now, check.checkedAt + CHECK_MS) : now + START_MS,
    );
  }

  private async check(key: string, check: Check, now: number): Promise<void> {
    this.running.add(key);
    check.dueAt = Infinity;
    check.checkedAt = now;
    let next = RETRY_MS;
    try {
      next = await this.judge(key, check);
    } catch (error) {
      if (!hasCode(error, 'cluster_unreachable') && !hasCode(error, 'cluster_state')) {
        this.parts.logger.failure(`could not check ${check.subject.kind} ${check.subject.name}`, error);
      }
    } finally {
      this.running.delete(key);
      check.isFirst = false;
    }
    check.dueAt = Math.min(check.dueAt, Date.now() + next);
    const isOver = check.dueAt === Infinity && !check.problem && !this.suspects?.groups.has(key);
    if (isOver) this.checks.delete(key);
  }

  /** @returns when to check again, in milliseconds; Infinity for after a change only */
  private async judge(key: string, check: Check): Promise<number> {
    const { resources } = this.parts;
    const { name, runtime } = this.cluster;
    const { api } = await resources.open(name, runtime);
    const { version = 'v1', ...subject } = check.subject;
    const object = await api.read({ ...subject, version }).catch(nullIfGone);
    const found = object && (await causesOf(api, object));
    const cause = found && mainCause(found.causes);
    if (!object || !cause) {
      // A controller needs a moment between two states of the same failure.
      const isSure = check.isClearing || !object;
      check.isClearing = true;
      if (check.problem && !isSure) return CHECK_MS;
      this.set(check, undefined);
      if (!found || found.healthy) return Infinity;
      check.recheckMs = Math.min(2 * check.recheckMs, MAX_RECHECK_MS);
      return check.recheckMs;
    }
    check.isClearing = false;
    const now = Date.now();
    const since = Math.min(brokenSince(object, check.seenAt), brokenSince(cause.object, check.seenAt));
    const left = since + graceOf(cause.code, cause.object) - now;
    if (left > 0 && !check.problem) return left;
    if (!check.problem && this.hasRestarted(key, cause)) return CONFIRM_MS;
    const presented = await presentCause(api, cause, null);
    const problem = this.present(check, presented, {
      since,
      release: releaseOf(object),
      health: agreedHealth(healthOf({ object }).health, true),
    });
    if (isSame(check.problem, problem)) return CONFIRM_MS;
    this.set(check, problem);
    if (cause.log !== undefined) {
      const logs = await resources.podLogs(name, runtime).catch(() => null);
      const { evidence } = await presentCause(api, cause, logs);
      if (check.problem === problem) this.set(check, { ...problem, evidence });
    }
    return CONFIRM_MS;
  }

  private present(
    { subject, problem: known }: Check,
    { code, message, evidence, next_step, object, container }: CauseDto,
    { since, ...more }: { since: number } & Pick<ProblemDto, 'release' | 'health'>,
  ): ProblemDto {
    const { group, version = 'v1', plural, kind, namespace, name } = subject;
    const began = new Date(since).toISOString();
    return {
      cluster: this.cluster.name,
      runtime: this.cluster.runtime,
      group: presentGroup(group),
      version,
      plural,
      kind,
      namespace,
      name,
      since: known && known.since < began ? known.since : began,
      code,
      message,
      evidence,
      next_step,
      found_in: object,
      container,
      ...more,
    };
  }

  /** Whether the container runs again. Only a known problem continues then. */
  private hasRestarted(key: string, { code, object }: FoundCause): boolean {
    if (!ONLY_WHILE_DOWN.includes(code) || object.kind !== 'Pod') return false;
    const rows = this.suspects?.groups.get(key)?.rows ?? [];
    const pod = rows.find(({ kind, name }) => kind === 'Pod' && name === object.metadata.name);
    return pod?.row.printedHealth !== 'failed';
  }

  private set(check: Check, problem: ProblemDto | undefined): void {
    if (this.isClosed || check.problem === problem) return;
    check.problem = problem;
    if (!problem) check.seenAt = Date.now();
    this.markRows();
    if (this.isKnown) this.parts.onChange();
  }

  /** Lets all tables show what is known about their rows. */
  private markRows(): void {
    const judged = new Map<string, Set<string>>();
    const mark = ({ group, plural, namespace, name }: Omit<Subject, 'kind'>): void => {
      const kind = kindKey({ group: group === 'core' ? '' : group, plural });
      judged.set(kind, (judged.get(kind) ?? new Set()).add(keyOf({ namespace, name })));
    };
    for (const [key, { problem }] of this.checks) {
      if (!problem) continue;
      mark(problem);
      mark(problem.found_in);
      for (const row of this.suspects?.groups.get(key)?.rows ?? []) mark(row);
    }
    this.parts.watches.judge(this.cluster, judged);
  }
}

/** By the annotations that helm adds. */
function releaseOf({ metadata: { annotations = {} } }: KubernetesObject): string | null {
  const { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': namespace } = annotations;
  return name === undefined || namespace === undefined ? null : `${namespace}/${name}`;
}

/** Of a Service with broken Pods, their workload is the problem. */
function mainCause(causes: readonly FoundCause[]): FoundCause | undefined {
  const [first] = causes;
  return first?.code === 'no_endpoints' && causes.length > 1 ? undefined : first;
}

function isSame(one: ProblemDto | undefined, other: ProblemDto): boolean {
  return (
    one?.code === other.code &&
    one.message === other.message &&
    one.health === other.health &&
    one.found_in.name === other.found_in.name
  );
}
