import { list, parseJson, record, word, type Read } from '../../core/parsing/index.js';
import type { ApiResponse } from './api-connection.js';
import { quantityOf } from './quantity.js';
import type { NamedUsage, ResourceUsage } from './resource-api.js';

const METRICS = '/apis/metrics.k8s.io/v1beta1';

const measured = record({ name: word, usage: record({ cpu: word, memory: word }) });
const metricsList = record({
  items: list(
    record(
      { usage: record({ cpu: word, memory: word }), containers: list(measured, 1000) },
      { metadata: record({ namespace: word }, { name: word }) },
    ),
  ),
});

export async function readUsage(get: (path: string) => Promise<ApiResponse>): Promise<ResourceUsage | null> {
  const responses = await Promise.all([get(`${METRICS}/pods`), get(`${METRICS}/nodes`)]);
  const [pods, nodes] = responses.map(({ status, text: body }) =>
    status === 200 ? metricsList(parseJson(body)) : null,
  );
  if (!pods || !nodes) return null;
  return {
    pods: (pods.items ?? []).map(({ metadata, containers = [] }) => {
      const usages = containers.map(usageOf);
      return {
        namespace: metadata.namespace ?? '',
        name: metadata.name,
        cpuMillicores: sum(usages.map(({ cpuMillicores }) => cpuMillicores)),
        memoryBytes: sum(usages.map(({ memoryBytes }) => memoryBytes)),
        containers: usages,
      };
    }),
    nodes: (nodes.items ?? []).map(({ metadata, usage = {} }) => usageOf({ name: metadata.name, usage })),
  };
}

function usageOf({ name = '', usage: { cpu = '0', memory = '0' } = {} }: Read<typeof measured>): NamedUsage {
  return {
    name,
    cpuMillicores: Math.round(quantityOf(cpu) * 1000),
    memoryBytes: quantityOf(memory),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
