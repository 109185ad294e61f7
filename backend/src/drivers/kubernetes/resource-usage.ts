import type { ApiResponse } from './api-connection.js';
import { quantityOf } from './quantity.js';
import type { ResourceUsage } from './resource-api.js';

const METRICS = '/apis/metrics.k8s.io/v1beta1';

interface Usage {
  cpu?: string;
  memory?: string;
}

interface MetricsList {
  items?: {
    metadata?: { name?: string; namespace?: string };
    usage?: Usage;
    containers?: { usage?: Usage }[];
  }[];
}

export async function readUsage(get: (path: string) => Promise<ApiResponse>): Promise<ResourceUsage | null> {
  const responses = await Promise.all([get(`${METRICS}/pods`), get(`${METRICS}/nodes`)]);
  const [pods, nodes] = responses.map(({ status, text }) =>
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

function sum(usages: readonly Usage[]): { cpuMillicores: number; memoryBytes: number } {
  let cores = 0;
  let memoryBytes = 0;
  for (const { cpu = '0', memory = '0' } of usages) {
    cores += quantityOf(cpu);
    memoryBytes += quantityOf(memory);
  }
  return { cpuMillicores: Math.round(cores * 1000), memoryBytes };
}
