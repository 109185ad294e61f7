import { describe, expect, it } from '@jest/globals';
import { runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { startOrder, stopOrder } from './node-order.js';

const balancer = runningNode('c-external-load-balancer', { role: 'external-load-balancer' });
const names = (nodes: readonly { name: string }[]): string[] => nodes.map(({ name }) => name);
const nodes = (...of: string[]): ReturnType<typeof runningNode>[] => of.map((name) => runningNode(name));

describe('startOrder', () => {
  it('starts a single control plane first, then workers by their recorded addresses', () => {
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

  it('starts several control planes by their recorded addresses, so that each gets its own again', () => {
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

  it('sorts by name with numbers if no addresses are recorded', () => {
    expect(names(startOrder(nodes('c-worker10', 'c-worker2', 'c-control-plane'), {}))).toEqual([
      'c-control-plane',
      'c-worker2',
      'c-worker10',
    ]);
  });
});

describe('stopOrder', () => {
  it('stops workers before control planes, and the load balancer last', () => {
    const all = [balancer, ...nodes('c-control-plane', 'c-worker', 'c-worker2')];
    expect(stopOrder(all).map(names)).toEqual([
      ['c-worker', 'c-worker2'],
      ['c-control-plane'],
      ['c-external-load-balancer'],
    ]);
  });
});
