import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import { RuntimeRegistry, type NodeContainer } from '../../drivers/runtime/index.js';

/** The nodes of one engine: as they are, or as they were last seen. */
export interface EngineNodes {
  runtime: string;
  nodes: readonly NodeContainer[];
  /** Why they may be out of date. */
  reason: string | null;
  since: string | null;
}

/** Reads the nodes of every engine each time it is asked, and remembers them for when one falls silent. */
@Injectable()
export class NodeInventory {
  private readonly lastSeen = new Map<string, readonly NodeContainer[]>();

  constructor(private readonly runtimes: RuntimeRegistry) {}

  async read(): Promise<EngineNodes[]> {
    return await Promise.all(
      this.runtimes.statuses().map(async ({ id, available, reason, since }): Promise<EngineNodes> => {
        if (!available) return this.remembered(id, reason ?? `${id} does not answer`, since);
        try {
          const nodes = await this.runtimes.get(id).listNodes();
          this.lastSeen.set(id, nodes);
          return { runtime: id, nodes, reason: null, since: null };
        } catch (error) {
          if (!(error instanceof DomainError) || error.code !== 'runtime_unavailable') throw error;
          this.runtimes.report(id, error);
          return this.remembered(id, error.message, new Date().toISOString());
        }
      }),
    );
  }

  private remembered(runtime: string, reason: string, since: string): EngineNodes {
    return { runtime, nodes: this.lastSeen.get(runtime) ?? [], reason: withoutFullStop(reason), since };
  }
}

function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
