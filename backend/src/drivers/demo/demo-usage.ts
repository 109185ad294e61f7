import type { NodeSample } from '../runtime/index.js';
import type { DemoNode } from './demo-node.js';

const TYPICAL = {
  'control-plane': { cores: 0.16, swing: 0.08, memory: 910e6 },
  worker: { cores: 0.12, swing: 0.07, memory: 640e6 },
  'external-load-balancer': { cores: 0.02, swing: 0.01, memory: 38e6 },
} as const;

/** The age of a new node, which has a past. */
const AGE_SECONDS = 3600;

/**
 * Resource usage of a node at a time, computed as smooth waves: it continues after a restart. Engines count CPU time, so
 * it is the integral of a wave, and no wave is larger than its mean: counters never decrease.
 */
export function demoSample(
  node: DemoNode,
  at: number,
  hostMemoryBytes: number,
  cpuCores: number,
): NodeSample {
  const { cores, swing, memory } = TYPICAL[node.role];
  const seconds = (at - Date.parse(node.createdAt)) / 1000 + AGE_SECONDS;
  const phase = phaseOf(node.id);
  // cores + swing·sin(t/17 + p) + swing/2·sin(t/5 + 2p), integrated from 0.
  const wave = (period: number, shift: number): number =>
    period * (Math.cos(shift) - Math.cos(seconds / period + shift));
  const used = cores * seconds + swing * wave(17, phase) + (swing / 2) * wave(5, 2 * phase);
  const level =
    memory * (1 + 0.18 * Math.sin(seconds / 90 + phase) + Math.min(Math.max(seconds, 0) / 7200, 0.5));
  return {
    id: node.id,
    at,
    cpuNanoseconds: Math.max(0, Math.min(used, seconds * cpuCores)) * 1e9,
    memoryBytes: Math.round(level),
    memoryLimitBytes: hostMemoryBytes,
    networkRxBytes: Math.round(38e3 * seconds + 3e4 * wave(11, phase)) + 400e3,
    networkTxBytes: Math.round(52e3 * seconds + 4e4 * wave(13, phase)) + 400e3,
    blockReadBytes: Math.round(12e6 + 2e3 * seconds),
    blockWriteBytes: Math.round(30e6 + 9e4 * seconds + 5e4 * wave(19, phase)),
  };
}

function phaseOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) % 1000;
  return (hash / 1000) * 2 * Math.PI;
}
