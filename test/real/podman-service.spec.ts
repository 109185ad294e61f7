import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { StatsDto } from '../../backend/src/modules/stats/stats.dto.js';
import { waitFor } from '../support/wait-for.js';
import { engines, run } from './support/engines.js';
import { Product } from './support/product.js';

jest.setTimeout(180_000);

/** Case E07, with a service of its own, so that the one of this machine continues. */
(engines.includes('podman') ? describe : describe.skip)('Podman whose service ends', () => {
  const name = 'podman-service';
  const folder = mkdtempSync(join(tmpdir(), 'slipway-podman-service-'));
  const socket = join(folder, 'podman.sock');
  let service: ChildProcess | undefined;
  let product: Product;

  async function startService(): Promise<void> {
    const args = ['system', 'service', '--time=0', `unix://${socket}`];
    service = spawn('podman', args, { stdio: 'ignore' });
    await waitFor(() => existsSync(socket), 'the socket');
  }

  async function endService(): Promise<void> {
    const ended = service && once(service, 'exit');
    service?.kill('SIGTERM');
    await ended;
    service = undefined;
    rmSync(socket, { force: true });
  }

  const removeNode = async (): Promise<void> => {
    await run('podman', ['rm', '--force', '--volumes', `${name}-control-plane`]).catch(() => undefined);
  };

  const podman = async (): Promise<StatsDto['runtimes'][number] | undefined> =>
    (await product.call<StatsDto>('GET', '/stats')).body.runtimes.find(({ id }) => id === 'podman');

  beforeAll(async () => {
    await removeNode();
    await startService();
    product = await Product.started({ APP_PODMAN_SOCKET: socket });
  });

  afterAll(async () => {
    await product.discard();
    await endService();
    await removeNode();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is reported with the reason, and its clusters are listed again after its return', async () => {
    // A node as kind labels it; it never runs.
    const labels = ['cluster=' + name, 'role=control-plane'].map((label) => `--label=io.x-k8s.kind.${label}`);
    const image = process.env['APP_TEST_NODE_IMAGE'] ?? 'kindest/node:v1.37.0';
    await run('podman', ['create', `--name=${name}-control-plane`, ...labels, image]);
    const cluster = async (): Promise<ClusterDto | undefined> =>
      (await product.clusters()).find((one) => one.name === name);
    await waitFor(async () => (await cluster()) !== undefined, 'the cluster', 60_000);
    const before = (await cluster())?.state;

    await endService();
    await waitFor(async () => (await podman())?.available === false, 'the end of the engine', 60_000);
    expect((await podman())?.reason).toContain(socket);
    await waitFor(async () => (await cluster())?.state === 'unknown', 'the state unknown', 60_000);

    await startService();
    await waitFor(async () => (await podman())?.available === true, 'the return of the engine', 60_000);
    await waitFor(async () => (await cluster())?.state === before, `the state ${before ?? ''}`, 60_000);
  });
});
