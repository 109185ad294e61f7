import type { ApiResponse } from './api-connection.js';
import { quantityOf } from './quantity.js';
import type { ResourceUsage } from './resource-api.js';

const METRICS = '/apis/metrics.k8s.io/v1beta1';

interface Measured {
  cpu?: string;
  memory?: string;
}

interface MetricsList {
  items?: {
    metadata?: { name?: string; namespace?: string };
    /** Of a node. */
    usage?: Measured;
    /** Of a pod. */
    containers?: { usage?: Measured }[];
  }[];
}

/** What metrics-server measured last; null where none is served, or has measured nothing yet. */
export async function readUsage(ask: (path: string) => Promise<ApiResponse>): Promise<ResourceUsage | null> {
  const answers = await Promise.all([ask(`${METRICS}/pods`), ask(`${METRICS}/nodes`)]);
  const [pods, nodes] = answers.map(({ status, text }) =>
    status === 200 ? (JSON.parse(text) as MetricsList) : null,
  );
  if (!pods || !nodes) return null;
  return {
    pods: (pods.items ?? []).map(({ metadata, containers = [] }) => ({
      namespace: metadata?.namespace ?? '',
      name: metadata?.name ?? '',
      ...sum(containers.map(({ usage = {} }) => usage)),
    })),
    nodes: (nodes.items ?? []).map(({ metadata, usage = {} }) => ({
      name: metadata?.name ?? '',
      ...sum([usage]),
    })),
  };
}

function sum(measured: readonly Measured[]): { cpuMillicores: number; memoryBytes: number } {
  let cores = 0;
  let memoryBytes = 0;
  for (const { cpu = '0', memory = '0' } of measured) {
    cores += quantityOf(cpu);
    memoryBytes += quantityOf(memory);
  }
  return { cpuMillicores: Math.round(cores * 1000), memoryBytes };
}
