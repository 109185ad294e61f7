import { setTimeout as delay } from 'node:timers/promises';
import { guardedTimeout, reasonOf } from '../../../core/errors/index.js';
import { EngineConnection } from '../engine/engine-connection.js';
import { isVmPlace, placementOfInfo, placementOfUrl } from '../engine/engine-placement.js';
import type { EngineInfo } from '../engine/engine-responses.js';
import type { EnginePlacement } from '../host/engine-candidate.js';
import type { HostView } from '../host/host-view.js';
import type { Survey, SurveyedEngine } from '../runtime-registry.js';
import { engineLocations, nativeSockets, type EngineLocation } from './engine-locations.js';

/** How long a search waits for an engine, which counts as not asked yet. After that, it is unknown until it responds. */
export const ASK_WAIT_MS = 5000;
/**
 * For `version` and `info` of an engine that responds to pings. Podman starts `dpkg-query` several times for each of
 * them and does not stop it when the client aborts, so shorter deadlines with retries overload a busy machine.
 */
export const PROBE_DEADLINE_MS = 60_000;
/** Requests within this time share a look, which reads about thirty files and folders. */
const LOOK_INTERVAL_MS = 500;

interface FoundLocation extends EngineLocation {
  /** The path behind links; undefined if it does not exist. */
  target: string | undefined;
}

interface Entry {
  engine: SurveyedEngine;
  /** The socket that got the request. */
  socketId: string | undefined;
  /** Whether the engine has responded or had its time to. */
  isAsked: boolean;
  asking: Promise<void> | undefined;
}

/**
 * Where each engine of this machine runs its containers. A virtual machine counts until the process ends, since its
 * containers outlive the response of its engine. A native engine keeps its proof as long as its socket is the same file.
 */
export class EngineSurvey implements Survey {
  private readonly entries = new Map<string, Entry>();
  private looking: Promise<void> | undefined;
  private lookedAt = -Infinity;

  constructor(
    private readonly host: HostView,
    private readonly configured: { dockerHost: string; podmanSocket: string },
    private readonly ask: (path: string) => Promise<EngineInfo> = askEngine,
  ) {}

  engines(): SurveyedEngine[] {
    return [...this.entries.values()].map(({ engine }) => engine);
  }

  isComplete(): boolean {
    return this.lookedAt > -Infinity && [...this.entries.values()].every(({ isAsked }) => isAsked);
  }

  /** Looks for engines, unless it just has, and asks new ones without waiting for them. */
  async look(): Promise<void> {
    if (performance.now() - this.lookedAt < LOOK_INTERVAL_MS) return;
    this.looking ??= this.lookNow().finally(() => (this.looking = undefined));
    await this.looking;
  }

  async settle(waitMs = ASK_WAIT_MS): Promise<void> {
    await this.look();
    const unasked = [...this.entries.values()].filter(({ isAsked }) => !isAsked);
    if (unasked.length === 0) return;
    const answers = Promise.all(unasked.flatMap(({ asking }) => asking ?? []));
    await Promise.race([answers, delay(waitMs, undefined, { ref: false })]);
  }

  private async lookNow(): Promise<void> {
    const locations = await Promise.all(
      (await engineLocations(this.host, this.configured)).map(async (location) => ({
        ...location,
        target: location.address.startsWith('/') ? await this.host.target(location.address) : undefined,
      })),
    );
    const present = new Set<string>();
    // A socket often has two paths: `/run` and `/var/run`.
    const engines = Map.groupBy(locations, ({ address, target }) => target ?? address);
    await Promise.all(
      [...engines].map(async ([id, all]) => {
        if (await this.place(id, all)) present.add(id);
      }),
    );
    for (const [id, { engine }] of this.entries) {
      if (engine.placement !== 'vm' && !present.has(id)) this.entries.delete(id);
    }
    this.lookedAt = performance.now();
  }

  /**
   * @param id the path behind links, or the URL
   * @returns whether there is an engine, or could be.
   */
  private async place(id: string, locations: readonly FoundLocation[]): Promise<boolean> {
    if (this.entries.get(id)?.engine.placement === 'vm') return true;
    const texts = [id, ...locations.flatMap(({ address, source }) => [address, source])];
    const exists = locations.some(({ target }) => target !== undefined);
    const isOfVm = locations.some((location) => location.isOfVm);
    if (isOfVm || (isVmPlace(...texts) && (exists || locations.some(({ isNamed }) => isNamed)))) {
      this.put(id, locations, 'vm');
    } else if (!id.startsWith('/')) {
      this.put(id, locations, await placementOfUrl(id, this.host));
    } else {
      return await this.placeSocket(id, locations);
    }
    return true;
  }

  private async placeSocket(id: string, locations: readonly EngineLocation[]): Promise<boolean> {
    const socketId = await this.host.socketId(id);
    const known = this.entries.get(id);
    if (known?.engine.placement === 'vm') return true;
    if (socketId === undefined) return false;
    if (known?.engine.placement === 'native' && known.socketId === socketId) return true;
    const isUsual = locations.every(({ address }) => nativeSockets(this.host).includes(address));
    if (isUsual && !(await this.host.listens(id))) return false;
    const entry = known?.socketId === socketId ? known : this.put(id, locations, 'unknown', socketId);
    entry.asking ??= this.askAt(id, entry).finally(() => (entry.asking = undefined));
    return true;
  }

  private async askAt(id: string, entry: Entry): Promise<void> {
    const { engine } = entry;
    const wait = guardedTimeout(() => (entry.isAsked = true), ASK_WAIT_MS, 'stop waiting for an engine');
    wait.unref();
    try {
      engine.placement = placementOfInfo(await this.ask(engine.address), this.host);
      // It counts even if its socket is gone by now.
      if (engine.placement === 'vm') this.entries.set(id, entry);
      engine.reason = engine.placement === 'unknown' ? 'it reports another host name or no kernel' : null;
    } catch (error) {
      engine.reason = reasonOf(error).replace(/\.$/, '');
    } finally {
      clearTimeout(wait);
      entry.isAsked = true;
    }
  }

  /** @param socketId of an engine with a socket */
  private put(
    id: string,
    [location]: readonly EngineLocation[],
    placement: EnginePlacement,
    socketId?: string,
  ): Entry {
    const { source, address } = location ?? { source: '', address: id };
    const reason = placement === 'unknown' ? 'it could not be asked' : null;
    const engine = { source, address, placement, reason };
    const entry = { engine, socketId, isAsked: socketId === undefined, asking: undefined };
    this.entries.set(id, entry);
    return entry;
  }
}

async function askEngine(path: string): Promise<EngineInfo> {
  const connection = await EngineConnection.open('the engine', { type: 'socket', path });
  await connection.ping();
  return await connection.read((client, abortSignal) => client.info({ abortSignal }), PROBE_DEADLINE_MS);
}
