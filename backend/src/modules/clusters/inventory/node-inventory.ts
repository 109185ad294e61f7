import { Injectable } from '@nestjs/common';
import { hasCode } from '../../../core/errors/index.js';
import { RuntimeRegistry, type NodeContainer } from '../../../drivers/runtime/index.js';

/** The current or last known nodes of one engine. */
export interface EngineNodes {
  runtime: string;
  nodes: readonly NodeContainer[];
  reason: string | null;
  since: string | null;
}

/** Maximum age of the previous response that is returned for a slow engine. */
const MAX_AGE_MS = 15_000;
/** How long a reader waits before it gets the last response. */
const SLOW_AFTER_MS = 700;

interface Seen {
  nodes: readonly NodeContainer[];
  at: number;
}

/**
 * Reads the nodes of all engines. Concurrent readers share one request. For a busy engine (Podman holds its lock for
 * seconds while it creates a container) it returns the previous response if that is recent, and for an unavailable
 * engine the last known nodes with the reason.
 */
@Injectable()
export class NodeInventory {
  private readonly lastSeen = new Map<string, Seen>();
  private readonly reading = new Map<string, Promise<EngineNodes>>();

  constructor(private readonly runtimes: RuntimeRegistry) {}

  async read(): Promise<EngineNodes[]> {
    return await Promise.all(
      this.runtimes.statuses().map(async ({ id, available, reason, since }): Promise<EngineNodes> => {
        if (!available) return this.remembered(id, reason ?? `${id} does not respond`, since);
        const response = this.readShared(id);
        const seen = this.lastSeen.get(id);
        if (!seen || performance.now() - seen.at > MAX_AGE_MS) return await response;
        const recent: EngineNodes = { runtime: id, nodes: seen.nodes, reason: null, since: null };
        return await soonOr(recent, response);
      }),
    );
  }

  private async readShared(id: string): Promise<EngineNodes> {
    let reading = this.reading.get(id);
    if (!reading) {
      reading = this.readEngine(id).finally(() => this.reading.delete(id));
      this.reading.set(id, reading);
    }
    return await reading;
  }

  private async readEngine(id: string): Promise<EngineNodes> {
    try {
      const nodes = await this.runtimes.get(id).listNodes();
      this.lastSeen.set(id, { nodes, at: performance.now() });
      return { runtime: id, nodes, reason: null, since: null };
    } catch (error) {
      if (!hasCode(error, 'runtime_unavailable')) throw error;
      this.runtimes.report(id, error);
      return this.remembered(id, error.message, new Date().toISOString());
    }
  }

  private remembered(runtime: string, reason: string, since: string): EngineNodes {
    return {
      runtime,
      nodes: this.lastSeen.get(runtime)?.nodes ?? [],
      reason: reason.replace(/\.$/, ''),
      since,
    };
  }
}

/** The response, or `recent` if it takes too long. Its timer ends with it: thousands of them would fill the heap. */
async function soonOr(recent: EngineNodes, response: Promise<EngineNodes>): Promise<EngineNodes> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<EngineNodes>((resolve) => {
    timer = setTimeout(resolve, SLOW_AFTER_MS, recent).unref();
  });
  return await Promise.race([response, slow]).finally(() => clearTimeout(timer));
}
