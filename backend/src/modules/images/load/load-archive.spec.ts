import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { DomainError } from '../../../core/errors/index.js';
import { CommandError } from '../../../drivers/process/index.js';
import type { NodeExecution } from '../../../drivers/runtime/index.js';
import type { JobContext } from '../../jobs/index.js';
import { loadArchive } from './load-archive.js';

const IMAGES = [{ id: 'sha256:1', references: ['docker.io/shop/web:1'] }];
const NODES = ['c-control-plane', 'c-worker', 'c-worker2', 'c-worker3'];

describe('loadArchive', () => {
  let loaded: string[];
  let active: number;
  let maxActive: number;
  let log: string[];
  let cancel: AbortController;
  /** Whether a node lists its images at the next request. */
  let lists: (node: string) => boolean;
  let importInto: (node: string) => Promise<void>;

  class Nodes extends FakeRuntime {
    override execInNode(...[id]: [id?: string]): Promise<NodeExecution> {
      const node = id?.replace('id-of-', '') ?? '';
      const images =
        loaded.includes(node) && lists(node) ? [{ id: 'sha256:1', repoTags: IMAGES[0]?.references }] : [];
      return Promise.resolve({ exitCode: 0, stdout: JSON.stringify({ images }), stderr: '' });
    }
  }

  beforeEach(() => {
    [loaded, log, active, maxActive] = [[], [], 0, 0];
    cancel = new AbortController();
    lists = () => true;
    importInto = () => Promise.resolve();
  });

  const load = (): Promise<void> =>
    loadArchive(
      {
        cluster: 'c',
        nodes: NODES.map((name) => runningNode(name)),
        runtime: new Nodes(),
        provisioner: {
          loadArchive: async ({ node }) => {
            active += 1;
            maxActive = Math.max(maxActive, active);
            await importInto(node).finally(() => (active -= 1));
            loaded.push(node);
          },
        },
      },
      '/archive.tar',
      IMAGES,
      {
        signal: cancel.signal,
        tracking: () => ({}),
        log: (text: string) => log.push(text),
        progress: (_fraction: number, detail: string) => log.push(detail),
      } as unknown as JobContext,
    );

  it('loads into all nodes, at most 3 at a time', async () => {
    importInto = () => new Promise((resolve) => void setTimeout(resolve, 5));
    await load();
    expect(loaded.sort()).toEqual(NODES);
    expect(maxActive).toBe(3);
    expect(log).toContain('Loaded into c-worker3');
    expect(log.at(-1)).toBe('4 of 4 nodes');
  });

  it('continues after a failed node and reports it with the error of the import', async () => {
    importInto = (node) =>
      node === 'c-worker'
        ? Promise.reject(
            new CommandError({
              program: 'kind',
              args: ['load'],
              failure: 'failed',
              exitCode: 1,
              stderr: 'Loading\nctr: no space left\nCommand Output:',
            }),
          )
        : Promise.resolve();
    await expect(load()).rejects.toMatchObject({
      code: 'image_not_loaded',
      message: 'Could not load into c-worker: ctr: no space left.',
      details: [{ node: 'c-worker', reason: 'ctr: no space left.' }],
    });
    expect(loaded).toHaveLength(3);
  });

  it('waits until the node lists the images', async () => {
    let requests = 0;
    lists = () => (requests += 1) > 6;
    await load();
    expect(requests).toBeGreaterThan(6);
  });

  it('stops at once if the provisioner is unavailable', async () => {
    importInto = () => Promise.reject(new DomainError('provisioner_unavailable', 'kind is missing.'));
    await expect(load()).rejects.toMatchObject({ code: 'provisioner_unavailable' });
    expect(loaded).toEqual([]);
  });

  it('stops when cancelled', async () => {
    importInto = () => {
      cancel.abort();
      return Promise.reject(new Error('aborted'));
    };
    await expect(load()).rejects.toThrow('abort');
    expect(log.filter((text) => text.includes('Could not'))).toEqual([]);
  });
});
