import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { DataDirectory } from '../../backend/src/core/storage/data-directory.js';
import { DemoGateway } from '../../backend/src/drivers/demo/demo-gateway.js';
import { DemoWorld } from '../../backend/src/drivers/demo/demo-world.js';
import { ApiServerGateway } from '../../backend/src/drivers/kubernetes/api-server-gateway.js';
import { CertificateAuthority } from '../support/engine/certificates.js';
import { ScriptedApiServer } from '../support/engine/scripted-api-server.js';
import { targetOf } from '../support/engine/target-of.js';
import { kubernetesGatewayContract } from './ports/kubernetes-gateway.contract.js';
import { DEMO_TARGET } from '../support/kubernetes/demo-cluster.js';
import { testKubeconfig } from '../support/kubernetes/test-kubeconfig.js';

describe('the demo', () => {
  kubernetesGatewayContract(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    const configuration = readConfiguration({ APP_DATA_DIR: folder, APP_DEMO_SPEED: '1000' });
    const world = new DemoWorld(configuration, DataDirectory.open(configuration));
    for (const role of ['control-plane', 'worker'] as const) {
      await world.addNode({ name: `demo-${role}`, cluster: 'demo', role, image: '', ports: [] });
    }
    return {
      gateway: new DemoGateway(world),
      target: DEMO_TARGET,
      break: async () => {
        await world.removeNodes(world.nodesOf('demo').map(({ id }) => id));
      },
      stop: () => rm(folder, { recursive: true }),
    };
  });
});

describe('ApiServerGateway', () => {
  kubernetesGatewayContract(async () => {
    const api = await startApi();
    return {
      gateway: new ApiServerGateway(),
      target: targetOf(api),
      break: () => api.stop(),
      stop: () => Promise.resolve(),
    };
  });

  describe('between those', () => {
    let api: ScriptedApiServer;
    const gateway = new ApiServerGateway();

    beforeEach(async () => {
      api = await startApi();
    });

    afterEach(async () => {
      gateway.forget('demo', 'docker');
      await api.stop();
      expect(api.unexpected).toEqual([]);
    });

    it('names the nodes that are not ready, with Kubernetes’ own word', async () => {
      api.nodes = [
        { name: 'demo-control-plane', ready: true },
        { name: 'demo-worker', ready: false },
      ];
      expect(await gateway.readiness(targetOf(api))).toMatchObject({
        apiReady: true,
        nodes: [
          { name: 'demo-control-plane', ready: true, reason: null },
          { name: 'demo-worker', ready: false, reason: 'KubeletNotReady' },
        ],
        reason: 'demo-worker (KubeletNotReady) is not ready',
      });
    });

    it('believes of a node that was started only what was heard of it since', async () => {
      const before = new Date('2026-11-21T09:00:00.000Z');
      const startedAt = { 'demo-worker': '2026-11-21T09:00:05.400Z' };
      const heard = new Date('2026-11-21T09:00:05.900Z');
      api.nodes = [
        { name: 'demo-control-plane', ready: true, renewedAt: before },
        { name: 'demo-worker', ready: true, renewedAt: before },
      ];
      api.dns = { nodeName: 'demo-worker', startedAt: before };
      const ask = (): ReturnType<typeof gateway.readiness> =>
        gateway.readiness({ ...targetOf(api), startedAt });
      expect(await ask()).toMatchObject({
        nodes: [{ ready: true }, { ready: false, reason: 'no heartbeat since its start' }],
        dnsReady: false,
      });
      api.nodes[1] = { name: 'demo-worker', ready: true, renewedAt: heard };
      expect(await ask()).toMatchObject({ nodes: [{ ready: true }, { ready: true }], dnsReady: false });
      // Pods tell their times in whole seconds.
      api.dns = { nodeName: 'demo-worker', startedAt: heard };
      expect(await ask()).toMatchObject({ dnsReady: true, reason: null });
      api.dns = { nodeName: 'demo-control-plane', startedAt: before };
      expect(await ask()).toMatchObject({ dnsReady: true });
    });

    it('counts the workloads of users, or returns null if the cluster does not respond', async () => {
      api.pods = ['web-0', 'web-1', 'queue'];
      api.volumeClaims = ['data-web-0'];
      expect(await gateway.workloads(targetOf(api))).toEqual({ pods: 3, volumeClaims: 1 });
      api.silent = true;
      expect(await gateway.workloads(targetOf(api))).toBeNull();
    });

    it('says that the DNS is missing', async () => {
      api.dnsReady = false;
      expect(await gateway.readiness(targetOf(api))).toMatchObject({
        apiReady: true,
        dnsReady: false,
        reason: 'no Pod of the cluster DNS is ready',
      });
    });

    it('tells what an API server that is not ready yet says', async () => {
      api.readyStatus = 500;
      expect((await gateway.readiness(targetOf(api))).reason).toBe(
        'the API server returned 500: [-]etcd failed: reason withheld',
      );
    });

    it('reports an API server that never responds as not ready', async () => {
      api.silent = true;
      expect(await gateway.readiness(targetOf(api))).toMatchObject({ apiReady: false });
    });

    it('trusts the authority of the kubeconfig and no other', async () => {
      const other = CertificateAuthority.create('another');
      const { reason } = await gateway.readiness(targetOf(api, other.certificate));
      expect(reason).toMatch(/API server does not respond: .*(self-signed|unable to verify|signature)/);
    });

    it('shows the credentials of the kubeconfig, and notices when they change', async () => {
      const stranger = CertificateAuthority.create('another').issue('stranger');
      expect((await gateway.readiness(targetOf(api, undefined, stranger))).apiReady).toBe(false);
      expect((await gateway.readiness(targetOf(api))).apiReady).toBe(true);
    });

    it('says that certificates cannot be used, without repeating them', async () => {
      const kubeconfig = testKubeconfig({
        server: api.address,
        user: { 'client-certificate-data': 'dmVyeS1zZWNyZXQ=', 'client-key-data': 'dmVyeS1zZWNyZXQ=' },
      });
      const { reason } = await gateway.readiness({ name: 'demo', runtime: 'docker', kubeconfig });
      expect(reason).toMatch(/^the API server does not respond: /);
      expect(reason).not.toMatch(/very-secret|dmVyeS/);
    });
  });
});

async function startApi(): Promise<ScriptedApiServer> {
  const api = await ScriptedApiServer.start();
  api.nodes = [
    { name: 'demo-control-plane', ready: true },
    { name: 'demo-worker', ready: true },
  ];
  return api;
}
