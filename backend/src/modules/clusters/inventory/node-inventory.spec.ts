import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { DomainError } from '../../../core/errors/index.js';
import { NodeInventory } from './node-inventory.js';

describe('NodeInventory', () => {
  let runtime: FakeRuntime;
  let registry: FakeRegistry;
  let inventory: NodeInventory;

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

  it('reads the engine for each call, and shares one request among concurrent calls', async () => {
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

  it('returns the previous response for a slow engine', async () => {
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

  it('waits for a slow engine if its previous response is too old', async () => {
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

  it('keeps the last known nodes of an unavailable engine with the reason, and reports it to the registry', async () => {
    await inventory.read();
    await jest.advanceTimersByTimeAsync(20_000);
    runtime.list = () => Promise.reject(new DomainError('runtime_unavailable', 'docker is away.'));
    expect(await inventory.read()).toMatchObject([
      { nodes: [{ name: 'c-control-plane' }], reason: 'docker is away' },
    ]);
    expect(registry.reports).toHaveLength(1);
    // An engine that is known to be unavailable gets no request.
    runtime.list = () => Promise.reject(new Error('unexpected request'));
    expect(await inventory.read()).toMatchObject([
      { nodes: [{ name: 'c-control-plane' }], reason: 'docker is away' },
    ]);
  });

  it('does not hide a defect as an unavailable engine', async () => {
    runtime.list = () => Promise.reject(new TypeError('a defect'));
    await expect(inventory.read()).rejects.toThrow('a defect');
  });
});
