import type { DemoNode } from './demo-node.js';

/** Seconds of demo time from the creation of a node until it is ready. */
const READY_AFTER = { 'control-plane': 16, worker: 22, 'external-load-balancer': 0 } as const;
/** The same after a restart. */
const READY_AGAIN_AFTER = 4;

/** When a running node is or will be ready, in milliseconds. */
export function readyAt(node: DemoNode, speed: number): number {
  const seconds = wasRestarted(node) ? READY_AGAIN_AFTER : READY_AFTER[node.role];
  return Date.parse(node.stateSince) + (seconds * 1000) / speed;
}

export function wasRestarted({ createdAt, stateSince }: DemoNode): boolean {
  return createdAt !== stateSince;
}
