import { describe, expect, it } from '@jest/globals';
import { runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { startOrder, stopOrder } from './node-order.js';

const balancer = runningNode('c-external-load-balancer', { role: 'external-load-balancer' });
const names = (nodes: readonly { name: string }[]): string[] => nodes.map(({ name }) => name);
const nodes = (...of: string[]): ReturnType<typeof runningNode>[] => of.map((name) => runningNode(name));

describe('the order of starts', () => {
  it('of one control plane: it comes first, and workers by their recorded addresses', () => {
    const recorded = {
      'c-worker': '172.18.0.10',
      'c-worker2': '172.18.0.9',
      'c-control-plane': '172.18.0.11',
    };
    expect(names(startOrder(nodes('c-worker', 'c-worker2', 'c-control-plane'), recorded))).toEqual([
      'c-control-plane',
      'c-worker2',
      'c-worker',
    ]);
  });

  it('of several control planes: recorded addresses alone, so that each gets its own again', () => {
    const all = [...nodes('c-control-plane', 'c-control-plane2', 'c-worker'), balancer];
    const recorded = {
      'c-worker': '172.18.0.2',
      'c-control-plane2': '172.18.0.3',
      'c-external-load-balancer': '172.18.0.4',
      'c-control-plane': '172.18.0.10',
    };
    expect(names(startOrder(all, recorded))).toEqual([
      'c-worker',
      'c-control-plane2',
      'c-external-load-balancer',
      'c-control-plane',
    ]);
  });

  it('where nothing is recorded: by name, as numbers', () => {
    expect(names(startOrder(nodes('c-worker10', 'c-worker2', 'c-control-plane'), {}))).toEqual([
      'c-control-plane',
      'c-worker2',
      'c-worker10',
    ]);
  });
});

describe('the order of stops', () => {
  it('ends who is served before who serves', () => {
    const all = [balancer, ...nodes('c-control-plane', 'c-worker', 'c-worker2')];
    expect(stopOrder(all).map(names)).toEqual([
      ['c-worker', 'c-worker2'],
      ['c-control-plane'],
      ['c-external-load-balancer'],
    ]);
  });
});
