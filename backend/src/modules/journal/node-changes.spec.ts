import { describe, expect, it } from '@jest/globals';
import { runningNode } from '../../../../test/support/runtime/fake-runtime.js';
import { changesBetween, seenNode, type SeenNode } from './node-changes.js';

const node = (name: string, more: Partial<SeenNode> = {}): SeenNode => ({
  cluster: name.split('-')[0] ?? '',
  name,
  id: `id-of-${name}`,
  state: 'running',
  ...more,
});

const c = node('c-control-plane');
const w = node('c-worker');

describe('changesBetween', () => {
  it.each<[string, SeenNode[], SeenNode[], string]>([
    ['a new cluster', [], [w, c], 'Created while Slipway was not running: c-control-plane, c-worker.'],
    ['no cluster', [c, w], [], 'Deleted while Slipway was not running: c-control-plane, c-worker.'],
    [
      'other containers',
      [c, w],
      [
        { ...c, id: '1' },
        { ...w, id: '2' },
      ],
      'Recreated while Slipway was not running: c-control-plane, c-worker.',
    ],
    [
      'all stopped',
      [c, w],
      [
        { ...c, state: 'stopped' },
        { ...w, state: 'stopped' },
      ],
      'Stopped while Slipway was not running: c-control-plane, c-worker.',
    ],
    [
      'a started node',
      [{ ...c, state: 'stopped' }],
      [c],
      'Started while Slipway was not running: c-control-plane.',
    ],
    [
      'a paused node',
      [c],
      [{ ...c, state: 'paused' }],
      'Paused while Slipway was not running: c-control-plane.',
    ],
    [
      'a resumed node',
      [{ ...c, state: 'paused' }],
      [c],
      'Resumed while Slipway was not running: c-control-plane.',
    ],
    [
      'a part of the nodes, each change with its nodes',
      [c, w, node('c-worker2'), node('c-worker10')],
      [c, { ...w, state: 'stopped' }, { ...node('c-worker2'), state: 'stopped' }, node('c-worker3')],
      'Changed while Slipway was not running: stopped c-worker, c-worker2; created c-worker3; deleted c-worker10.',
    ],
  ])('describes %s', (_what, before, after, sentence) => {
    expect([...changesBetween(before, after)]).toEqual([['c', sentence]]);
  });

  it('returns one sentence per changed cluster, and none for unchanged ones', () => {
    const changes = changesBetween([c, w, node('d-worker'), node('e-worker')], [c, w, node('f-worker')]);
    expect([...changes.keys()].sort()).toEqual(['d', 'e', 'f']);
  });

  it('reads every state that is neither running nor paused as stopped', () => {
    const states = (['created', 'exited', 'dead', 'restarting', 'running', 'paused'] as const).map(
      (state) => seenNode(runningNode('c-worker', { state })).state,
    );
    expect(states).toEqual(['stopped', 'stopped', 'stopped', 'stopped', 'running', 'paused']);
  });
});
