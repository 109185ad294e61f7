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
    const locations = await engineLocations(this.host, this.configured);
    const present = new Set<string>();
    await Promise.all(
      [...Map.groupBy(locations, ({ address }) => address)].map(async ([address, all]) => {
        if (await this.place(address, all)) present.add(address);
      }),
    );
    for (const [address, { engine }] of this.entries) {
      if (engine.placement !== 'vm' && !present.has(address)) this.entries.delete(address);
    }
    this.lookedAt = performance.now();
  }

  /** @returns whether there is an engine, or could be. */
  private async place(address: string, locations: readonly EngineLocation[]): Promise<boolean> {
    const target = address.startsWith('/') ? await this.host.target(address) : undefined;
    const texts = [address, target ?? '', ...locations.map(({ source }) => source)];
    const isOfVm = locations.some((location) => location.isOfVm);
    const [{ source } = { source: '' }] = locations;
    if (
      isOfVm ||
      (isVmPlace(...texts) && (target !== undefined || locations.some(({ isNamed }) => isNamed)))
    ) {
      this.put(address, source, 'vm');
    } else if (!address.startsWith('/')) {
      this.put(address, source, await placementOfUrl(address, this.host));
    } else {
      return await this.placeSocket(address, source);
    }
    return true;
  }

  private async placeSocket(path: string, source: string): Promise<boolean> {
    const socketId = await this.host.socketId(path);
    const known = this.entries.get(path);
    if (known?.engine.placement === 'vm') return true;
    if (socketId === undefined) return false;
    if (known?.engine.placement === 'native' && known.socketId === socketId) return true;
    if (nativeSockets(this.host).includes(path) && !(await this.host.listens(path))) return false;
    const entry = known?.socketId === socketId ? known : this.put(path, source, 'unknown', socketId);
    entry.asking ??= this.askAt(path, entry).finally(() => (entry.asking = undefined));
    return true;
  }

  private async askAt(path: string, entry: Entry): Promise<void> {
    const { engine } = entry;
    const wait = guardedTimeout(() => (entry.isAsked = true), ASK_WAIT_MS, 'stop waiting for an engine');
    wait.unref();
    try {
      engine.placement = placementOfInfo(await this.ask(path), this.host);
      // It counts even if its socket is gone by now.
      if (engine.placement === 'vm') this.entries.set(path, entry);
      engine.reason = engine.placement === 'unknown' ? 'it reports another host name or no kernel' : null;
    } catch (error) {
      engine.reason = reasonOf(error).replace(/\.$/, '');
    } finally {
      clearTimeout(wait);
      entry.isAsked = true;
    }
  }

  /** @param socketId of an engine with a socket */
  private put(address: string, source: string, placement: EnginePlacement, socketId?: string): Entry {
    const reason = placement === 'unknown' ? 'it could not be asked' : null;
    const engine = { source, address, placement, reason };
    const entry = { engine, socketId, isAsked: socketId === undefined, asking: undefined };
    this.entries.set(address, entry);
    return entry;
  }
}

async function askEngine(path: string): Promise<EngineInfo> {
  const connection = await EngineConnection.open('the engine', { type: 'socket', path });
  await connection.ping();
  return await connection.read((client, abortSignal) => client.info({ abortSignal }), PROBE_DEADLINE_MS);
}
