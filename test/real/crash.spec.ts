import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { JobDto } from '../../backend/src/modules/jobs/job.dto.js';
import { objectsRecorded } from '../support/server/recorded-objects.js';
import { waitFor } from '../support/wait-for.js';
import {
  deleteWithKind,
  engines,
  leftOf,
  createWithKind,
  NOTHING,
  run,
  type Traces,
  tracesOf,
} from './support/engines.js';
import { journalEnd, processesOf, stepIs } from './support/jobs.js';
import { Product } from './support/product.js';

jest.setTimeout(300_000);

/** Each test continues with the cluster of the previous one, because a creation takes long. */
describe.each(engines)('SIGKILL of the server on %s', (engine) => {
  const name = `crash-${engine}`;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-crash-'));
  let product: Product;
  let tag: string;

  beforeAll(async () => {
    await deleteWithKind(engine, name);
    product = await Product.started();
    tag = await product.nodeImageTag();
  });

  afterAll(async () => {
    await product.discard();
    await deleteWithKind(engine, name);
    rmSync(folder, { recursive: true, force: true });
  });

  it('during a creation removes what kind still creates', async () => {
    const id = await product.create({ name, workers: 1, node_image_tag: tag, runtime: engine });
    await product.follow(id, stepIs('preparing-nodes'));
    await product.kill();
    const had = await tracesOfNew([]);
    expect(had.containers).not.toEqual([]);
    await product.start();
    expect((await product.ended(id)).state).toBe('interrupted');
    expect((await journalEnd(product, id))?.message).toMatch(/ Removed .*\.$/);
    expect(await processesOf(name)).toEqual([]);
    expect(await leftOf(engine, name, had)).toEqual(NOTHING);
    expect((await product.call<ClusterDto>('GET', `/clusters/${name}`)).body.state).toBe('failed');
    expect((await journalEnd(product, id))?.outcome).toBe('interrupted');
    expect((await product.call('DELETE', `/clusters/${name}`)).status).toBe(200);
  });

  it('keeps a complete cluster', async () => {
    const id = await product.create({ name, workers: 0, node_image_tag: tag, runtime: engine });
    await product.follow(id, stepIs('ready'));
    await product.kill();
    await product.start();
    expect((await product.ended(id)).state).toBe('interrupted');
    const { body } = await product.call<ClusterDto>('GET', `/clusters/${name}`);
    expect(body).toMatchObject({ state: 'running', origin: 'created' });
    expect((await product.call<string>('GET', `/clusters/${name}/kubeconfig`)).body).toContain('clusters:');
  });

  it('during a recreation removes what kind still creates', async () => {
    const had = await tracesOf(engine, name);
    const before = await idsOf();
    const { body } = await product.call<{ job_id: number }>('POST', `/clusters/${name}/recreate`);
    await product.follow(body.job_id, stepIs('preparing-nodes'));
    await product.kill();
    const has = await tracesOfNew(before);
    await product.start();
    expect((await product.ended(body.job_id)).state).toBe('interrupted');
    expect(await processesOf(name)).toEqual([]);
    expect(await leftOf(engine, name, had)).toEqual(NOTHING);
    expect(await leftOf(engine, name, has)).toEqual(NOTHING);
  });

  it('during a recreation keeps a node that the user creates afterwards', async () => {
    const { body } = await product.call<{ job_id: number }>('POST', `/clusters/${name}/recreate`);
    await objectsRecorded(product.dataDirectory, body.job_id, 'create');
    await product.kill();
    await removeByHand();
    const foreign = await createNodeByHand();
    await product.start();
    expect((await product.ended(body.job_id)).state).toBe('interrupted');
    await expectLeftAlone(body.job_id, foreign);
    // The failed recreation does not own the node.
    expect((await product.call('DELETE', `/clusters/${name}`)).status).toBe(200);
    expect(await idsOf()).toEqual([foreign]);
    await run(engine, ['rm', '-f', '-v', foreign]);
  });

  it('during a creation keeps a cluster that the user creates afterwards', async () => {
    const id = await product.create({ name, workers: 0, node_image_tag: tag, runtime: engine });
    await objectsRecorded(product.dataDirectory, id, 'create');
    await product.kill();
    await removeByHand();
    await createWithKind(engine, name, join(folder, 'kubeconfig'));
    const [foreign] = await idsOf();
    await product.start();
    expect((await product.ended(id)).state).toBe('interrupted');
    await expectLeftAlone(id, foreign);
    // The failed creation does not own the cluster.
    expect((await product.call('DELETE', `/clusters/${name}`)).status).toBe(200);
    expect((await product.call<ClusterDto>('GET', `/clusters/${name}`)).body).toMatchObject({
      state: 'running',
      origin: 'adopted',
    });
  });

  it('during a deletion finishes it and keeps a node that the user creates afterwards', async () => {
    const [deleted = ''] = await idsOf();
    const lastJob = Math.max(...(await jobs()).map(({ id }) => id));
    void product.call('DELETE', `/clusters/${name}`).catch(() => undefined);
    let job: JobDto | undefined;
    await waitFor(async () => {
      job = (await jobs()).find(({ id }) => id > lastJob);
      return job !== undefined;
    }, 'the job');
    await objectsRecorded(product.dataDirectory, job?.id ?? 0, 'delete');
    await product.kill();
    await waitFor(async () => {
      await run(engine, ['rm', '-f', '-v', deleted]).catch(() => undefined);
      return (await idsOf()).length === 0;
    }, 'the removal');
    const foreign = await createNodeByHand();
    await product.start();
    expect((await product.ended(job?.id ?? 0)).state).toBe('interrupted');
    await expectLeftAlone(job?.id ?? 0, foreign);
  });

  /** An engine may list a container shortly before it can be inspected. */
  async function tracesOfNew(ids: readonly string[]): Promise<Traces> {
    let found = NOTHING;
    const created = async (): Promise<boolean> => {
      if (!(await idsOf()).some((id) => !ids.includes(id))) return false;
      found = await tracesOf(engine, name).catch(() => NOTHING);
      return found.containers.length > 0;
    };
    await waitFor(created, 'a new container', 60_000);
    return found;
  }

  async function idsOf(): Promise<string[]> {
    const label = `label=io.x-k8s.kind.cluster=${name}`;
    const ids = await run(engine, ['ps', '-aq', '--no-trunc', '--filter', label]);
    return ids.split('\n').filter((id) => id !== '');
  }

  /** kind exits because its output is closed. */
  async function removeByHand(): Promise<void> {
    await waitFor(async () => (await processesOf(name)).length === 0, 'the end of kind', 60_000);
    await waitFor(async () => {
      await deleteWithKind(engine, name);
      return (await idsOf()).length === 0;
    }, 'the removal by hand');
  }

  /** Creates a container with the labels of a control plane of the cluster. @returns its id. */
  async function createNodeByHand(): Promise<string> {
    return await run(engine, [
      ...['run', '-d', '--name', `${name}-control-plane`, '--entrypoint', 'sleep'],
      ...['--label', `io.x-k8s.kind.cluster=${name}`, '--label', 'io.x-k8s.kind.role=control-plane'],
      ...[process.env['APP_TEST_NODE_IMAGE'] ?? `kindest/node:${tag}`, 'infinity'],
    ]);
  }

  async function jobs(): Promise<JobDto[]> {
    return (await product.call<JobDto[]>('GET', '/jobs')).body;
  }

  async function expectLeftAlone(jobId: number, foreign: string | undefined): Promise<void> {
    expect(await idsOf()).toEqual([foreign]);
    const message = (await journalEnd(product, jobId))?.message;
    expect(message).toContain(`Not removed: container ${name}-control-plane (`);
  }
});
