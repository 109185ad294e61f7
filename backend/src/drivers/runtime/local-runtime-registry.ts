import { setTimeout as delay } from 'node:timers/promises';
import { Subject } from 'rxjs';
import type { Configuration } from '../../core/config/index.js';
import { DomainError, hasCode, reasonOf, guarded } from '../../core/errors/index.js';
import type { AppLogger } from '../../core/logging/index.js';
import {
  ENGINES,
  type EngineDiscovery,
  type EngineName,
  type Finding,
} from './discovery/engine-discovery.js';
import type { RuntimeDriver } from './runtime-driver.js';
import { RuntimeRegistry, type RuntimeStatus, type Survey } from './runtime-registry.js';

const REFRESH_MS = 3000;
/** How long the start waits for the first check. Slower engines are added later. */
const FIRST_CHECK_MS = 800;

interface Entry {
  driver: RuntimeDriver | undefined;
  status: RuntimeStatus;
}

/** The runtimes of this machine: Docker, Podman, and the demo if neither responds. */
export class LocalRuntimeRegistry extends RuntimeRegistry {
  override readonly changes = new Subject<void>();
  private readonly logger: AppLogger;
  private readonly entries = new Map<string, Entry>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly configuration: Configuration,
    private readonly discovery: EngineDiscovery,
    private readonly demo: RuntimeDriver,
    /** Whether the demo is allowed, which it never is on a machine with saved real clusters. */
    private readonly mayOfferDemo: () => Promise<boolean>,
    logger: AppLogger,
  ) {
    super();
    this.logger = logger.child({ context: LocalRuntimeRegistry.name });
  }

  override get survey(): Survey {
    return this.discovery.survey;
  }

  /** Waits for the first check, and continues in the background. */
  async start(): Promise<void> {
    for (const engine of this.wanted()) {
      const reason = `${engine} has not responded yet.`;
      this.put(engine, undefined, toStatus({ engine, driver: undefined, attempts: [], reason, fix: null }));
    }
    const check = this.refresh();
    await Promise.race([check, delay(FIRST_CHECK_MS, undefined, { ref: false })]);
    void check.finally(() => this.scheduleRefresh());
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.changes.complete();
  }

  statuses(): RuntimeStatus[] {
    const active = this.active()?.id;
    return [...this.entries.values()]
      .map(({ status }) => status)
      .sort((one, other) => Number(other.id === active) - Number(one.id === active));
  }

  available(): RuntimeDriver[] {
    return [...this.entries.values()]
      .filter(({ status }) => status.available)
      .flatMap(({ driver }) => driver ?? []);
  }

  get(id: string): RuntimeDriver {
    const entry = this.entries.get(id);
    if (entry?.driver && entry.status.available) return entry.driver;
    const reason = entry?.status.reason ?? `Runtime ${id} does not exist on this machine.`;
    const advice = entry?.status.fix ? ` To fix it: ${entry.status.fix}` : '';
    throw new DomainError('runtime_unavailable', `${reason}${advice}`, {
      runtime: id,
      fix: entry?.status.fix ?? null,
    });
  }

  active(): RuntimeDriver | undefined {
    const order = ['docker', 'podman', 'demo'];
    return this.available().sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id))[0];
  }

  report(id: string, error: unknown): void {
    const entry = this.entries.get(id);
    if (!entry?.status.available || !hasCode(error, 'runtime_unavailable')) return;
    this.put(id, entry.driver, { ...entry.status, available: false, reason: error.message, fix: null });
    // Soon, since an engine restarts within a second or two.
    this.scheduleRefresh(500);
  }

  async refresh(): Promise<void> {
    const checks = this.wanted().map((engine) => this.refreshEngine(engine));
    await Promise.all([...checks, this.discovery.survey.settle()]);
    await this.refreshDemo();
  }

  private wanted(): readonly EngineName[] {
    const { runtime } = this.configuration.values;
    return runtime === 'auto' ? ENGINES : ENGINES.filter((engine) => engine === runtime);
  }

  private scheduleRefresh(afterMs = REFRESH_MS): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    const refresh = guarded(
      () => this.refresh().finally(() => this.scheduleRefresh()),
      (error) => this.logger.failure('could not look for engines', error),
    );
    this.timer = setTimeout(refresh, afterMs);
    this.timer.unref();
  }

  private async refreshEngine(engine: EngineName): Promise<void> {
    const known = this.entries.get(engine);
    if (known?.driver) {
      try {
        // Keeps the driver while its engine responds, since clusters refer to it.
        await known.driver.ping();
        const status = { ...known.status, available: true, reason: null, fix: null };
        this.put(engine, known.driver, status);
        if (!known.status.available) await this.probeAgain(engine, known.driver, status);
        return;
      } catch (error) {
        this.put(engine, known.driver, { ...known.status, available: false, reason: reasonOf(error) });
      }
    }
    const finding = await this.discovery.find(engine);
    if (finding.driver || !known?.driver) this.put(engine, finding.driver, toStatus(finding));
    else this.put(engine, known.driver, { ...toStatus(finding), info: known.status.info });
  }

  /** Updates the info of an engine that responds again. This takes seconds if the engine is busy. */
  private async probeAgain(engine: EngineName, driver: RuntimeDriver, status: RuntimeStatus): Promise<void> {
    try {
      this.put(engine, driver, { ...status, info: await driver.probe() });
    } catch (error) {
      this.logger.warning(`could not get the info of ${engine}: ${reasonOf(error)}`);
    }
  }

  private async refreshDemo(): Promise<void> {
    const { runtime } = this.configuration.values;
    const hasEngine = ENGINES.some((engine) => this.entries.get(engine)?.status.available);
    const offered =
      runtime === 'demo' ||
      // Demo clusters stay available until they are deleted.
      (await this.demo.listNodes()).length > 0 ||
      (runtime === 'auto' && !hasEngine && (await this.mayOfferDemo()));
    if (!offered) {
      if (this.entries.delete('demo')) this.changes.next();
      return;
    }
    const info = await this.demo.probe();
    const status = { id: 'demo', available: true, reason: null, fix: null, info, attempts: [] };
    this.put('demo', this.demo, status);
  }

  private put(id: string, driver: RuntimeDriver | undefined, status: Omit<RuntimeStatus, 'since'>): void {
    const before = this.entries.get(id)?.status;
    const changed = before?.available !== status.available;
    const since = before && !changed ? before.since : new Date().toISOString();
    this.entries.set(id, { driver, status: { ...status, since } });
    if (!changed) return;
    if (status.available) this.logger.info(`${id} is available`, { version: status.info?.version });
    else if (before) this.logger.warning(`${id} is no longer available: ${status.reason ?? ''}`);
    this.changes.next();
  }
}

function toStatus({ engine, driver, ...finding }: Finding): Omit<RuntimeStatus, 'since'> {
  return {
    id: engine,
    available: driver !== undefined,
    info: driver?.info() ?? null,
    ...finding,
  };
}
