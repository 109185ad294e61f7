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
import type { ClusterResources } from '../../resources/index.js';
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

describe('sortPods', () => {
  it('keeps pods of DaemonSets and mirror pods, and lists the losses', () => {
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

describe('DrainHandler', () => {
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

  const submit = (more: Partial<DrainInput> = {}): Job =>
    bench.jobs.submit('drain', { name: 'staging', runtime: 'demo' }, {
      name: 'staging',
      runtime: 'demo',
      node: 'worker',
      pods: 2,
      graceSeconds: null,
      timeoutSeconds: 30,
      deleteEmptyDirData: false,
      force: false,
      ...more,
    } satisfies DrainInput);
  const lastEntry = async (): Promise<string> =>
    (await bench.journal.recent({}, 1, 0)).entries[0]?.message ?? '';
  const leaves = ({ name }: { name: string }): Promise<{ blocked: null }> => {
    api.objects.delete(`pods/${name}`);
    return Promise.resolve({ blocked: null });
  };

  it('cordons the node, retries blocked evictions, and succeeds once all pods are evicted', async () => {
    api.put('pods', pod('one'), pod('two'));
    let attempts = 0;
    api.evictWith = async (each) => {
      expect(api.patched).toHaveLength(1);
      if (each.name === 'two' && (attempts += 1) === 1) return { blocked: 'the budget web needs 1 pod' };
      return await leaves(each);
    };
    const job = await bench.jobs.whenEnded(submit().id);
    expect([job.state, job.result, attempts]).toEqual(['succeeded', { evicted: 2, total: 2, stayed: 0 }, 2]);
    expect(api.patched).toMatchObject([
      { reference: { plural: 'nodes', name: 'worker' }, change: { spec: { unschedulable: true } } },
    ]);
    const log = bench.jobs.log(job.id).map(({ text }) => text);
    expect(log).toContain('shop/two is blocked: the budget web needs 1 pod');
    expect(await lastEntry()).toBe(
      'Drained worker: evicted 2 pods. The node is cordoned. Uncordon it to use it again.',
    );
  });

  it('fails after the timeout with the blocking budget, and leaves the node cordoned', async () => {
    api.put('pods', pod('one'), pod('two'));
    api.evictWith = async (each) =>
      each.name === 'one' ? await leaves(each) : { blocked: 'the budget web needs 1 pod' };
    const job = await bench.jobs.whenEnded(submit({ timeoutSeconds: 0 }).id);
    expect([job.state, job.error?.code]).toEqual(['failed', 'resource_refused']);
    expect(job.error?.message).toContain('shop/two (the budget web needs 1 pod)');
    expect(await lastEntry()).toContain('worker stays cordoned. Uncordon it to use it again');
    expect(await lastEntry()).toContain('Evicted 1 of 2 pods.');
  });

  it('leaves the node cordoned after a cancellation, and reports it', async () => {
    api.put('pods', pod('one'), pod('two'));
    api.evictWith = async (each) =>
      each.name === 'one' ? await leaves(each) : { blocked: 'the budget web needs 1 pod' };
    const { id } = submit();
    await waitFor(() => bench.jobs.get(id).result?.['evicted'] === 1, 'one pod evicted');
    bench.jobs.cancel(id);
    const job = await bench.jobs.whenEnded(id);
    expect(job.state).toBe('cancelled');
    expect(await lastEntry()).toBe(
      'Canceled at Evict the pods of worker. worker stays cordoned. Uncordon it to use it again, or drain it again. Evicted 1 of 2 pods.',
    );
  });

  it('fails if a pod that would be lost appeared after the request', async () => {
    api.put('pods', pod('one'), pod('bare', {}));
    const job = await bench.jobs.whenEnded(submit().id);
    expect(job.error).toMatchObject({ code: 'confirmation_required' });
    expect(job.error?.message).toContain('shop/bare would not be recreated');
    expect([...api.objects.keys()]).toContain('pods/one');
  });
});
