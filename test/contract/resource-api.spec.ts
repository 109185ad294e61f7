import { describe, expect } from '@jest/globals';
import { ApiServerGateway } from '../../backend/src/drivers/kubernetes/api-server-gateway.js';
import { ScriptedApiServer } from '../support/engine/scripted-api-server.js';
import { externalTargetOf, targetOf } from '../support/engine/target-of.js';
import { resourceApiContract } from './ports/resource-api.contract.js';
import { CountingProxy } from '../support/counting-proxy.js';
import { DEMO_TARGET, makeDemoCluster } from '../support/kubernetes/demo-cluster.js';
import { waitFor } from '../support/wait-for.js';

describe('resource API of the demo', () => {
  resourceApiContract(async () => {
    const { gateway, remove } = await makeDemoCluster();
    return { resources: await gateway.resources(DEMO_TARGET), stop: remove };
  });
});

/** The same server at the other end of a wire, as a real one is. */
describe('resource API over TLS', () => {
  resourceApiContract(async () => {
    const { world, remove } = await makeDemoCluster();
    const api = await ScriptedApiServer.start();
    api.behind = world.apiServer('demo');
    const gateway = new ApiServerGateway();
    return {
      resources: await gateway.resources(targetOf(api)),
      stop: async () => {
        gateway.forget('demo', 'docker');
        await api.stop();
        await remove();
        expect(api.unexpected).toEqual([]);
      },
    };
  });
});

describe.each(['http', 'socks5'] as const)('resource API of a kubeconfig through a proxy (%s)', (scheme) => {
  resourceApiContract(async () => {
    const { world, remove } = await makeDemoCluster();
    const api = await ScriptedApiServer.start();
    const proxy = await CountingProxy.start(scheme);
    api.behind = world.apiServer('demo');
    const gateway = new ApiServerGateway();
    return {
      resources: await gateway.resources(await externalTargetOf(api, proxy.url)),
      stop: async () => {
        gateway.forget('demo', 'kubeconfig');
        await waitFor(() => proxy.open === 0, 'the end of the connections');
        expect(new Set(proxy.requested)).toEqual(new Set([`127.0.0.1:${api.port}`]));
        await proxy.stop();
        await api.stop();
        await remove();
        expect(api.unexpected).toEqual([]);
      },
    };
  });
});
