import { describe, expect, it } from '@jest/globals';
import type { UsageOfPod } from '../../../drivers/kubernetes/index.js';
import { PodTrends } from './pod-trends.js';

const STEP_MS = 30_000;

function pod(name: string, cpuMillicores = 5): UsageOfPod {
  return { namespace: 'shop', name, cpuMillicores, memoryBytes: 1024, containers: [] };
}

describe('PodTrends', () => {
  it('begins with the first value, keeps clusters apart, and outlives a restart of the Pod', () => {
    const trends = new PodTrends();
    trends.add('one', [pod('web', 7)], 0);
    trends.add('one', [], STEP_MS);
    trends.add('one', [], 2 * STEP_MS);
    trends.add('one', [pod('web', 9)], 3 * STEP_MS);
    expect(trends.get('one', pod('web'), 3 * STEP_MS)).toEqual({
      cpu: [7, null, null, 9],
      memory: [1024, null, null, 1024],
    });
    expect(trends.get('two', pod('web'), 3 * STEP_MS)).toEqual({ cpu: [], memory: [] });
  });

  it('is bounded by 1,000 Pods per cluster, and gives the place of an ended Pod to another', () => {
    const trends = new PodTrends();
    const many = Array.from({ length: 1001 }, (_, index) => pod(`web-${index}`));
    trends.add('one', many, 0);
    expect(trends.get('one', pod('web-999'), 0).cpu).toEqual([5]);
    expect(trends.get('one', pod('web-1000'), 0).cpu).toEqual([]);
    const later = 120 * STEP_MS;
    trends.add('one', many.slice(1), later);
    expect(trends.get('one', pod('web-0'), later).cpu).toEqual([]);
    expect(trends.get('one', pod('web-1000'), later).cpu).toEqual([5]);
  });
});
