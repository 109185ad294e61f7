import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiServerGateway } from '../../backend/src/drivers/kubernetes/api-server-gateway.js';
import { ScriptedApiServer } from '../support/engine/scripted-api-server.js';
import { externalTargetOf, targetOf } from '../support/engine/target-of.js';
import { PreparedConnection } from '../support/prepared-connection.js';
import { waitFor } from '../support/wait-for.js';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps' };
const REFERENCE = { ...CONFIG_MAPS, namespace: 'shop', name: 'web' };
const PATH = '/api/v1/namespaces/shop/configmaps/web';

/** Failures of a real connection. */
describe.each([
  ['kind', (api: ScriptedApiServer) => Promise.resolve(targetOf(api))],
  ['a kubeconfig', externalTargetOf],
] as const)('the connection to a real API server of %s', (_, target) => {
  let api: ScriptedApiServer;
  const gateway = new ApiServerGateway();

  beforeEach(async () => {
    api = await ScriptedApiServer.start();
  });

  afterEach(async () => {
    for (const runtime of ['docker', 'kubeconfig']) gateway.forget('demo', runtime);
    await api.stop();
    expect(api.unexpected).toEqual([]);
  });

  it('hands on what the server warns of', async () => {
    api.behind = new PreparedConnection({
      [`PATCH ${PATH}?fieldManager=slipway`]: {
        metadata: { name: 'web' },
        warnings: ['say "v2"', 'and \\ that'],
      },
    });
    const resources = await gateway.resources(await target(api));
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } };
    expect((await resources.apply(REFERENCE, object)).warnings).toEqual(['say "v2"', 'and \\ that']);
  });

  it('sends a deletion with its options, which decide whether anything is deleted', async () => {
    const behind = new PreparedConnection({ [`DELETE ${PATH}`]: { kind: 'Status' } });
    api.behind = behind;
    const resources = await gateway.resources(await target(api));
    for (let time = 0; time < 2; time += 1) await resources.remove(REFERENCE, { dryRun: true });
    expect(behind.requests.map(({ body = '' }) => JSON.parse(body) as unknown)).toEqual([
      { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] },
      { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] },
    ]);
  });

  it('asks while thirty watches are open, and lets go of them', async () => {
    const behind = new PreparedConnection({ [`GET ${PATH}`]: { metadata: { name: 'web' } } });
    behind.endless = true;
    api.behind = behind;
    const resources = await gateway.resources(await target(api));
    const viewer = new AbortController();
    const watch = { resourceVersion: '1', signal: viewer.signal, onChanges: () => undefined };
    const endings = Array.from({ length: 30 }, () => resources.watch(CONFIG_MAPS, watch));
    await waitFor(() => behind.watching === 30, 'thirty watches');
    await Promise.all(Array.from({ length: 30 }, () => resources.read(REFERENCE)));
    viewer.abort();
    expect(new Set(await Promise.all(endings))).toEqual(new Set(['closed']));
    await waitFor(() => behind.watching === 0, 'the watches to end');
  });

  it('tells that a watch broke off, and of a server that has gone', async () => {
    const behind = new PreparedConnection({});
    behind.endless = true;
    api.behind = behind;
    const resources = await gateway.resources(await target(api));
    const watch = { resourceVersion: '1', signal: new AbortController().signal, onChanges: () => undefined };
    const ending = resources.watch(CONFIG_MAPS, watch).catch((error: unknown) => error);
    await waitFor(() => behind.watching === 1, 'the watch');
    await api.goAway();
    expect(await ending).toMatchObject({ code: 'cluster_unreachable' });
    await expect(resources.read(REFERENCE)).rejects.toMatchObject({
      code: 'cluster_unreachable',
      message: expect.stringContaining('no program listens on its port') as unknown,
    });
    await api.comeBack();
    await expect(resources.read(REFERENCE)).rejects.toMatchObject({ code: 'resource_type_not_found' });
  });

  it('reuses a connection for the next request', async () => {
    api.behind = new PreparedConnection({ [`GET ${PATH}`]: { metadata: { name: 'web' } } });
    let connections = 0;
    api.onConnection(() => (connections += 1));
    const resources = await gateway.resources(await target(api));
    for (let time = 0; time < 5; time += 1) await resources.read(REFERENCE);
    expect(connections).toBe(1);
  });
});
