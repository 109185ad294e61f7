import type { DemoNode } from './demo-node.js';

/** Seconds of demo time from a node's making until Kubernetes calls it ready. */
const READY_AFTER = { 'control-plane': 16, worker: 22, 'external-load-balancer': 0 } as const;
/** The same from a later start: everything is there already and has only to come up. */
const READY_AGAIN_AFTER = 4;

/** When a node that runs is, or will be, ready: milliseconds. */
export function readyAt(node: DemoNode, speed: number): number {
  const seconds = wasStartedAgain(node) ? READY_AGAIN_AFTER : READY_AFTER[node.role];
  return Date.parse(node.stateSince) + (seconds * 1000) / speed;
}

export function wasStartedAgain({ createdAt, stateSince }: DemoNode): boolean {
  return createdAt !== stateSince;
}
