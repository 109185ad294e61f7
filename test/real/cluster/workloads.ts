import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RunCronJobDto } from '../../../backend/src/modules/resource-changes/batch/batch.dto.js';
import type { ChangedImagesDto } from '../../../backend/src/modules/resource-changes/image/image.dto.js';
import type {
  RevisionDto,
  RolloutDto,
  UndoneRolloutDto,
} from '../../../backend/src/modules/resource-changes/rollout/rollout.dto.js';
import { waitFor } from '../../support/wait-for.js';
import type { RealCluster } from '../support/real-cluster.js';

const NAMESPACE = 'workloads';
const IMAGE = 'busybox:1.36';

function podTemplate(app: string, restartPolicy = 'Always'): object {
  const container = {
    name: 'main',
    image: IMAGE,
    imagePullPolicy: 'IfNotPresent',
    command: ['sleep', '3600'],
  };
  return {
    metadata: { labels: { app } },
    spec: { restartPolicy, terminationGracePeriodSeconds: 0, containers: [container] },
  };
}

function workload(kind: string, name: string, spec: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: NAMESPACE },
    spec: { selector: { matchLabels: { app: name } }, template: podTemplate(name), ...spec },
  };
}

const CRON_JOB = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly', namespace: NAMESPACE },
  spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: podTemplate('nightly', 'Never') } } },
};

/** Rollouts, images and CronJobs. */
export function testWorkloads(cluster: RealCluster): void {
  const { name } = cluster;
  const ofObject = (address: string, part: string): string =>
    `/clusters/${name}/resources/${address}/${part}?namespace=${NAMESPACE}`;
  const kubectl = (...words: string[]): Promise<string> =>
    cluster.kubectl(...words, `--namespace=${NAMESPACE}`);
  const fieldOf = (object: string, path: string): Promise<string> =>
    kubectl('get', object, `--output=jsonpath={${path}}`);

  beforeAll(async () => {
    const items = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
      workload('Deployment', 'web'),
      workload('StatefulSet', 'db', { serviceName: 'db' }),
      CRON_JOB,
    ];
    const file = join(cluster.folder, 'workloads.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await cluster.kubectl('apply', `--filename=${file}`);
  });

  afterAll(() => cluster.kubectl('delete', 'namespace', NAMESPACE, '--wait=false'));

  it.each([
    ['deployments', 'web'],
    ['statefulsets', 'db'],
  ])('rolls back %s as kubectl does', async (plural, object) => {
    const rollout = (part: string): string => ofObject(`apps/v1/${plural}/${object}`, part);
    const revisions = async (): Promise<RevisionDto[]> =>
      (await cluster.product.call<RolloutDto>('GET', rollout('rollout'))).body.revisions;
    const modeOf = (): Promise<string> =>
      fieldOf(`${plural}/${object}`, '.spec.template.spec.containers[0].env[0].value');
    for (const mode of ['one', 'two']) {
      await kubectl('set', 'env', `${plural}/${object}`, `MODE=${mode}`);
      await waitFor(
        async () => (await revisions())[0]?.template.includes(`value: ${mode}`) === true,
        `revision ${mode}`,
      );
    }
    const history = await kubectl('rollout', 'history', `${plural}/${object}`);
    const numbers = [...history.matchAll(/^(\d+)\s/gm)].map(([, number]) => Number(number));
    expect((await revisions()).map(({ revision }) => revision)).toEqual(numbers.reverse());

    const undo = rollout('rollout/undo');
    const { body } = await cluster.product.call<UndoneRolloutDto>('POST', `${undo}&dry_run=true`, {});
    expect([body.outcome, body.before.includes('value: two'), body.after.includes('value: one')]).toEqual([
      'configured',
      true,
      true,
    ]);
    expect(await modeOf()).toBe('two');
    expect((await cluster.product.call('POST', undo, {})).status).toBe(200);
    expect(await modeOf()).toBe('one');
    // Not a third template: the controllers find the kept one, and give it the next number.
    await waitFor(
      async () => (await revisions())[0]?.template.includes('value: one') === true,
      'the old one',
    );
    expect(await revisions()).toHaveLength(numbers.length);
  });

  it('pauses a rollout, which cannot be rolled back meanwhile', async () => {
    const rollout = (part: string): string => ofObject('apps/v1/deployments/web', `rollout/${part}`);
    expect((await cluster.product.call('POST', rollout('pause'))).status).toBe(200);
    expect(await fieldOf('deployment/web', '.spec.paused')).toBe('true');
    const refused = await cluster.product.call('POST', rollout('undo'), {});
    expect(refused.body).toMatchObject({ code: 'resource_refused' });
    expect((await cluster.product.call('POST', rollout('resume'))).status).toBe(200);
    expect(await fieldOf('deployment/web', '.spec.paused')).not.toBe('true');
  });

  it('changes an image only to one that the nodes have, unless that is accepted', async () => {
    const change = (image: string, more: object = {}): Promise<{ status: number; body: ChangedImagesDto }> =>
      cluster.product.call<ChangedImagesDto>('POST', ofObject('apps/v1/deployments/web', 'image'), {
        images: [{ container: 'main', image }],
        ...more,
      });
    const imageOf = (): Promise<string> =>
      fieldOf('deployment/web', '.spec.template.spec.containers[0].image');
    const refused = await change('shop/none:1.0');
    expect([refused.status, await imageOf()]).toEqual([422, IMAGE]);
    const accepted = await change('shop/none:1.0', { accept_missing: true });
    expect([accepted.body.missing, await imageOf()]).toEqual([['shop/none:1.0'], 'shop/none:1.0']);
    const back = await change(IMAGE);
    expect([back.body.missing, await imageOf()]).toEqual([[], IMAGE]);
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=60s');
  });

  it('runs a CronJob now, suspends and resumes it', async () => {
    const call = (part: string): Promise<{ status: number; body: RunCronJobDto }> =>
      cluster.product.call<RunCronJobDto>('POST', ofObject('batch/v1/cronjobs/nightly', part));
    const { job } = (await call('run')).body;
    expect(await fieldOf(`job/${job}`, '.metadata.ownerReferences[0].name')).toBe('nightly');
    await kubectl('wait', '--for=jsonpath={.status.active}=1', `job/${job}`, '--timeout=60s');
    expect((await call('suspend')).status).toBe(200);
    expect(await fieldOf('cronjob/nightly', '.spec.suspend')).toBe('true');
    expect((await call('resume')).status).toBe(200);
    expect(await fieldOf('cronjob/nightly', '.spec.suspend')).toBe('false');
  });
}
