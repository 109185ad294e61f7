import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { HealthDto } from '../../backend/src/modules/health/health.dto.js';
import { CliProcess, type CliResult } from '../support/server/cli-process.js';
import { ServerProcess } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';
import { deleteWithKind, engines, NOTHING, run, tracesOf } from './support/engines.js';
import { buildImage } from './support/images.js';

jest.setTimeout(300_000);

const NAME = 'by-command';
const IMAGE = 'slipway-test/by-command:dev';
const ENGINE_MS = 180_000;

/** The life of a cluster with the command line alone. */
describe.each(engines)('a cluster of the command line on %s', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-cli-'));
  const environment = {
    ...process.env,
    APP_DATA_DIR: join(folder, 'data'),
    KUBECONFIG: join(folder, 'kubeconfig'),
  };
  // Podman adds localhost/ to images that it builds.
  const image = engine === 'podman' ? `localhost/${IMAGE}` : IMAGE;
  let server: ServerProcess;

  const slipway = async (...args: string[]): Promise<string> => {
    const result: CliResult = await CliProcess.start(environment, ...args).end();
    expect({ ...result, status: 0 }).toEqual(result);
    return result.stdout;
  };
  const kubectl = async (...args: string[]): Promise<string> => await run('kubectl', args, environment);

  beforeAll(async () => {
    await deleteWithKind(engine, NAME);
    await buildImage(engine, IMAGE, folder);
    server = await ServerProcess.start(environment, []);
    const responds = async (): Promise<boolean> => {
      const { dashboard } = JSON.parse(await slipway('status', '--output', 'json')) as {
        dashboard: { health: HealthDto };
      };
      return dashboard.health.checks?.some(({ name, ok }) => name === engine && ok) ?? false;
    };
    await waitFor(responds, `A response of ${engine}`, ENGINE_MS);
  });

  afterAll(async () => {
    await server.stop();
    await deleteWithKind(engine, NAME);
    await run(engine, ['image', 'rm', '--force', image]).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is created and used with its kubeconfig', async () => {
    const version = process.env['APP_TEST_NODE_IMAGE'];
    const chosen = version === undefined ? [] : ['--image', version];
    expect(
      await slipway('create', NAME, '--workers', '0', '--runtime', engine, '--wait', ...chosen),
    ).toContain('succeeded');
    await slipway('kubeconfig', NAME, '--merge', '--set-current');
    expect(await kubectl('get', 'nodes', '--output=name')).toBe(`node/${NAME}-control-plane`);
  });

  it('gets an image of the engine', async () => {
    expect(await slipway('load-image', NAME, image)).toContain('of by-command.');
  });

  it('has logs of its node and Pods, which can be searched', async () => {
    const pod = `${NAME}/kube-system/kube-apiserver-${NAME}-control-plane`;
    await waitFor(
      async () => (await slipway('logs')).includes(pod),
      'the source of the API server',
      ENGINE_MS,
    );
    await waitFor(async () => (await slipway('logs', pod)) !== '', 'lines of the API server', ENGINE_MS);
    expect(await slipway('search', 'kubelet', '--source', `${NAME}-control-plane`, '--limit', '1')).toContain(
      `${NAME}-control-plane/`,
    );
  });

  it('stops and starts', async () => {
    const state = async (): Promise<string | undefined> =>
      (JSON.parse(await slipway('list', '--output', 'json')) as ClusterDto[]).find(
        ({ name }) => name === NAME,
      )?.state;
    await slipway('stop', NAME);
    expect(await state()).toBe('stopped');
    await slipway('start', NAME);
    expect(await state()).toBe('running');
  });

  it('is deleted without leftovers', async () => {
    await slipway('delete', NAME, '--yes');
    expect(await tracesOf(engine, NAME)).toEqual(NOTHING);
  });
});
