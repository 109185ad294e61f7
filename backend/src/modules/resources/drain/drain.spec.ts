import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JobBench, ScriptedHandler } from '../../../../../test/support/jobs/job-bench.js';
import {
  controlledBy,
  kubernetesObject,
  ScriptedResources,
} from '../../../../../test/support/kubernetes/scripted-resources.js';
import { waitFor } from '../../../../../test/support/wait-for.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import type { RuntimeRegistry } from '../../../drivers/runtime/index.js';
import type { Job } from '../../jobs/index.js';
import type { ClusterResources } from '../cluster-resources.js';
import { DrainHandler, type DrainInput } from './drain.handler.js';
import { sortPods } from './drain-plan.js';

const owned = controlledBy('ReplicaSet', 'web');

function pod(name: string, metadata: object = owned, more: object = {}): KubernetesObject {
  const { spec = {}, ...rest } = more as { spec?: object };
  return kubernetesObject('Pod', name, {
    namespace: 'shop',
    metadata,
    spec: { nodeName: 'worker', ...spec },
    ...rest,
  });
}

describe('a plan to drain', () => {
  it('leaves what would be back at once or is not the cluster’s, and knows what would be lost', () => {
    const volumes = [{ name: 'scratch', emptyDir: {} }];
    const { leave, stay, losses } = sortPods(
      [
        pod('web'),
        pod('scratch', owned, { spec: { volumes } }),
        pod('bare', {}),
        pod('done', {}, { status: { phase: 'Succeeded' }, spec: { volumes } }),
        pod('agent', controlledBy('DaemonSet', 'agent')),
        pod('orphan', controlledBy('DaemonSet', 'gone')),
        pod('etcd', { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      ],
      new Set(['shop/agent']),
    );
    const names = (pods: { name: string }[]): string[] => pods.map(({ name }) => name);
    expect(names(leave)).toEqual(['web', 'scratch', 'bare', 'done', 'orphan']);
    expect([names(stay.daemonSet), names(stay.mirror)]).toEqual([['agent'], ['etcd']]);
    expect([names(losses.emptyDir), names(losses.bare)]).toEqual([['scratch'], ['bare', 'orphan']]);
  });
});

describe('a drain', () => {
  let bench: JobBench;
  let api: ScriptedResources;

  beforeEach(() => {
    bench = new JobBench(new ScriptedHandler());
    api = new ScriptedResources();
    api.put('nodes', kubernetesObject('Node', 'worker', { spec: {} }));
    bench.jobs.register(
      new DrainHandler(
        { open: () => Promise.resolve({ cluster: {}, api }) } as unknown as ClusterResources,
        {} as RuntimeRegistry,
      ),
    );
  });

  afterEach(() => bench.close());

  const begin = (more: Partial<DrainInput> = {}): Job =>
    bench.jobs.submit({
      kind: 'drain',
      runtime: 'demo',
      cluster: 'staging',
      input: {
        name: 'staging',
        runtime: 'demo',
        node: 'worker',
        pods: 2,
        graceSeconds: null,
        timeoutSeconds: 30,
        deleteEmptyDirData: false,
        force: false,
        ...more,
      } satisfies DrainInput,
    });
  const lastEntry = async (): Promise<string> =>
    (await bench.journal.recent({}, 1, 0)).entries[0]?.message ?? '';
  const leaves = ({ name }: { name: string }): Promise<{ blocked: null }> => {
    api.objects.delete(`pods/${name}`);
    return Promise.resolve({ blocked: null });
  };

  it('cordons first, asks again where a budget forbids it, and ends once all have left', async () => {
    api.put('pods', pod('one'), pod('two'));
    let asked = 0;
    api.evictWith = async (each) => {
      expect(api.patched).toHaveLength(1);
      if (each.name === 'two' && (asked += 1) === 1) return { blocked: 'the budget web needs 1 pod' };
      return await leaves(each);
    };
    const job = await bench.jobs.whenEnded(begin().id);
    expect([job.state, job.result, asked]).toEqual(['succeeded', { evicted: 2, total: 2, stayed: 0 }, 2]);
    expect(api.patched).toMatchObject([
      { reference: { plural: 'nodes', name: 'worker' }, change: { spec: { unschedulable: true } } },
    ]);
    const log = bench.jobs.log(job.id).map(({ text }) => text);
    expect(log).toContain('shop/two is held for now: the budget web needs 1 pod');
    expect(await lastEntry()).toBe(
      'worker is drained: 2 pods left it, and no new ones come. Uncordon it to use it again.',
    );
  });

  it('that is held too long fails, names what holds it, and leaves the node cordoned', async () => {
    api.put('pods', pod('one'), pod('two'));
    api.evictWith = async (each) =>
      each.name === 'one' ? await leaves(each) : { blocked: 'the budget web needs 1 pod' };
    const job = await bench.jobs.whenEnded(begin({ timeoutSeconds: 0 }).id);
    expect([job.state, job.error?.code]).toEqual(['failed', 'resource_refused']);
    expect(job.error?.message).toContain('shop/two (the budget web needs 1 pod)');
    expect(await lastEntry()).toContain('worker stays cordoned: uncordon it to use it again');
    expect(await lastEntry()).toContain('1 of 2 pods had left it.');
  });

  it('that is cancelled leaves the node cordoned and says so', async () => {
    api.put('pods', pod('one'), pod('two'));
    api.evictWith = async (each) =>
      each.name === 'one' ? await leaves(each) : { blocked: 'the budget web needs 1 pod' };
    const { id } = begin();
    await waitFor(() => bench.jobs.get(id).result?.['evicted'] === 1, 'one pod evicted');
    bench.jobs.cancel(id);
    const job = await bench.jobs.whenEnded(id);
    expect(job.state).toBe('cancelled');
    expect(await lastEntry()).toBe(
      'Cancelled. worker stays cordoned: uncordon it to use it again, or drain it once more. 1 of 2 pods had left it.',
    );
  });

  it('loses nothing that came between the request and its beginning', async () => {
    api.put('pods', pod('one'), pod('bare', {}));
    const job = await bench.jobs.whenEnded(begin().id);
    expect(job.error).toMatchObject({ code: 'confirmation_required' });
    expect(job.error?.message).toContain('nobody brings back shop/bare');
    expect([...api.objects.keys()]).toContain('pods/one');
  });
});
