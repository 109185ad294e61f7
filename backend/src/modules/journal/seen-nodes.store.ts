import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';
import { parseOwnJson } from '../../core/parsing/index.js';
import type { SeenNode } from './node-changes.js';

/** The nodes of an engine as Slipway last saw them. */
export interface SeenNodes {
  /** Address of the engine, since another address can be another engine; null if it has none. */
  address: string | null;
  /** Milliseconds since the epoch. */
  seenAt: number;
  nodes: readonly SeenNode[];
}

@Injectable()
export class SeenNodesStore {
  constructor(private readonly database: Database) {}

  transaction(work: () => void): void {
    this.database.transaction(work);
  }

  /** By engine. */
  all(): Map<string, SeenNodes> {
    const rows = this.database.all<{
      runtime: string;
      address: string | null;
      seen_at: number;
      nodes_json: string;
    }>('SELECT runtime, address, seen_at, nodes_json FROM seen_nodes');
    const seen = new Map<string, SeenNodes>();
    for (const { runtime, address, seen_at: seenAt, nodes_json } of rows) {
      const nodes = nodesIn(nodes_json);
      if (nodes) seen.set(runtime, { address, seenAt, nodes });
    }
    return seen;
  }

  save(runtime: string, { address, seenAt, nodes }: SeenNodes): void {
    const row = { runtime, address, seen_at: seenAt, nodes_json: JSON.stringify(nodes) };
    this.database.insert('seen_nodes', row, 'replace');
  }

  forget(runtime: string): void {
    this.database.run('DELETE FROM seen_nodes WHERE runtime = ?', runtime);
  }
}

/** Undefined for a text that is no list. */
function nodesIn(json: string): SeenNode[] | undefined {
  try {
    const nodes = parseOwnJson<SeenNode[]>(json);
    return Array.isArray(nodes) ? nodes : undefined;
  } catch {
    return undefined;
  }
}
