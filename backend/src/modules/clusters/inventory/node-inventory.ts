import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { hasCode } from '../../../core/errors/index.js';
import { RuntimeRegistry, type NodeContainer } from '../../../drivers/runtime/index.js';

/** The nodes of one engine: as they are, or as they were last seen. */
export interface EngineNodes {
  runtime: string;
  nodes: readonly NodeContainer[];
  /** Why they may be out of date. */
  reason: string | null;
  since: string | null;
}

/** What an engine that is slow at the moment said this recently still holds. */
const FRESH_MS = 15_000;
/** How long a reader waits for a new answer where there is a recent one. */
const PATIENCE_MS = 700;

interface Seen {
  nodes: readonly NodeContainer[];
  at: number;
}

/**
 * Reads the nodes of every engine each time it is asked. Readers at the same moment share one reading; an
 * engine that is busy (Podman holds its lock for seconds while it makes a container) is answered for with
 * what it said a moment ago; one that does not answer at all, with what was last seen and the reason.
 */
@Injectable()
export class NodeInventory {
  private readonly lastSeen = new Map<string, Seen>();
  private readonly reading = new Map<string, Promise<EngineNodes>>();

  constructor(private readonly runtimes: RuntimeRegistry) {}

  async read(): Promise<EngineNodes[]> {
    return await Promise.all(
      this.runtimes.statuses().map(async ({ id, available, reason, since }): Promise<EngineNodes> => {
        if (!available) return this.remembered(id, reason ?? `${id} does not answer`, since);
        const answer = this.ask(id);
        const seen = this.lastSeen.get(id);
        if (!seen || performance.now() - seen.at > FRESH_MS) return await answer;
        const recent: EngineNodes = { runtime: id, nodes: seen.nodes, reason: null, since: null };
        return await Promise.race([answer, delay(PATIENCE_MS, recent, { ref: false })]);
      }),
    );
  }

  private async ask(id: string): Promise<EngineNodes> {
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
      reason: withoutFullStop(reason),
      since,
    };
  }
}

function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
