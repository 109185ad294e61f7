import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { DomainError } from '../../../core/errors/index.js';
import type { NodeInventory as Inventory } from './node-inventory.js';

// Jest's clock moves the global timers and not those that return promises.
jest.unstable_mockModule('node:timers/promises', () => ({
  setTimeout: (milliseconds: number, value: unknown) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds, value)),
}));
const { NodeInventory } = await import('./node-inventory.js');

describe('the inventory of nodes', () => {
  let runtime: FakeRuntime;
  let registry: FakeRegistry;
  let inventory: Inventory;

  beforeEach(() => {
    jest.useFakeTimers();
    runtime = new FakeRuntime();
    registry = new FakeRegistry([runtime]);
    inventory = new NodeInventory(registry);
    runtime.nodes = [runningNode('c-control-plane')];
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('reads anew each time; those who ask at the same moment share one reading', async () => {
    let readings = 0;
    runtime.list = () => {
      readings += 1;
      return Promise.resolve(runtime.nodes);
    };
    await Promise.all([inventory.read(), inventory.read(), inventory.read()]);
    expect(readings).toBe(1);
    runtime.nodes = [];
    expect(await inventory.read()).toEqual([{ runtime: 'docker', nodes: [], reason: null, since: null }]);
    expect(readings).toBe(2);
  });

  it('answers for an engine that is slow with what it said a moment ago', async () => {
    await inventory.read();
    runtime.list = () => new Promise(() => undefined);
    const answer = inventory.read();
    await jest.advanceTimersByTimeAsync(699);
    let answered = false;
    void answer.then(() => (answered = true));
    await jest.advanceTimersByTimeAsync(0);
    expect(answered).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await answer).toMatchObject([{ nodes: [{ name: 'c-control-plane' }], reason: null }]);
  });

  it('waits for an engine whose last word is older than that', async () => {
    await inventory.read();
    await jest.advanceTimersByTimeAsync(15_001);
    let release: () => void = () => undefined;
    runtime.list = () =>
      new Promise((resolve) => {
        release = () => resolve([]);
      });
    const answer = inventory.read();
    await jest.advanceTimersByTimeAsync(3000);
    release();
    expect(await answer).toMatchObject([{ nodes: [], reason: null }]);
  });

  it('keeps the last known nodes of one that does not answer, with the reason, and tells the registry', async () => {
    await inventory.read();
    await jest.advanceTimersByTimeAsync(20_000);
    runtime.list = () => Promise.reject(new DomainError('runtime_unavailable', 'docker is away.'));
    expect(await inventory.read()).toMatchObject([
      { nodes: [{ name: 'c-control-plane' }], reason: 'docker is away' },
    ]);
    expect(registry.reports).toHaveLength(1);
    // Known to be away: not asked again.
    runtime.list = () => Promise.reject(new Error('it was asked'));
    expect(await inventory.read()).toMatchObject([
      { nodes: [{ name: 'c-control-plane' }], reason: 'docker is away' },
    ]);
  });

  it('hides no defect behind a missing engine', async () => {
    runtime.list = () => Promise.reject(new TypeError('a defect'));
    await expect(inventory.read()).rejects.toThrow('a defect');
  });
});
