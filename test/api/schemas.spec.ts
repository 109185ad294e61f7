import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCluster, jobEnded, submit } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { PreparedConnection } from '../support/prepared-connection.js';
import { ScriptedMachine } from '../support/scripted-machine.js';

const PATH = '/api/v1/clusters/shop/schemas';
const DOCUMENT = 'GET /openapi/v3/apis/apps/v1';

/** A document with one kind; large enough for the process. */
function document(field: string): object {
  return {
    paths: { '/apis/apps/v1/deployments': { description: 'x'.repeat(20_000) } },
    components: {
      schemas: {
        'io.k8s.api.apps.v1.Deployment': {
          type: 'object',
          properties: { [field]: { type: 'integer' } },
          'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
        },
      },
    },
  };
}

describe('GET /clusters/{name}/schemas/{group}/{version}/{plural}', () => {
  let machine: ScriptedMachine;
  let app: TestApp;
  const resource = (name: string, kind: string): object => ({
    name,
    kind,
    namespaced: true,
    verbs: ['list'],
  });
  const answers: Record<string, unknown> = {
    'GET /api': { kind: 'APIVersions', versions: ['v1'] },
    'GET /api/v1': { resources: [resource('pods', 'Pod')] },
    'GET /apis': { kind: 'APIGroupList', groups: [{ name: 'apps', versions: [{ version: 'v1' }] }] },
    'GET /apis/apps/v1': { resources: [resource('deployments', 'Deployment'), resource('odds', 'Odd')] },
  };
  const connection = new PreparedConnection(answers);

  /** How often the document has been read. */
  const reads = (): number => connection.paths.filter((path) => DOCUMENT === `GET ${path}`).length;

  function publish(hash: string, field: string): void {
    const serverRelativeURL = `/openapi/v3/../../api/v1/secrets?hash=${hash}`;
    answers['GET /openapi/v3'] = { paths: { 'apis/apps/v1': { serverRelativeURL } } };
    answers[DOCUMENT] = document(field);
  }

  beforeAll(async () => {
    machine = await ScriptedMachine.start();
    app = await startApp({ environment: { ...machine.environment, APP_RUNTIME: 'docker' } });
    await app.client.until('/api/v1/stats', ({ container_cli: cli }) => cli === 'docker');
    await createCluster(app.client, 'shop');
    const api = machine.kind.apiServers.get('docker/shop');
    if (!api) throw new Error('shop has no API server');
    api.behind = connection;
  });

  afterAll(async () => {
    await app.stop();
    await machine.close();
  });

  it('rejects an API server without OpenAPI v3 with schema_unavailable', async () => {
    expectError(await app.client.send('GET', `${PATH}/apps/v1/deployments`), 422, 'schema_unavailable');
  });

  it('returns a JSON Schema, read once until its hash changes', async () => {
    publish('A1', 'replicas');
    const schema = {
      $ref: '#/$defs/io.k8s.api.apps.v1.Deployment',
      $defs: { 'io.k8s.api.apps.v1.Deployment': { properties: { replicas: { type: 'integer' } } } },
    };
    expect(await app.client.get(`${PATH}/apps/v1/deployments`)).toMatchObject(schema);
    expect(await app.client.get(`${PATH}/apps/v1/deployments`)).toMatchObject(schema);
    expect(reads()).toBe(1);
    publish('B2', 'paused');
    expect(JSON.stringify(await app.client.get(`${PATH}/apps/v1/deployments`))).toContain('"paused"');
    expect(reads()).toBe(2);
    expect(connection.paths.filter((path) => path.includes('secrets'))).toEqual([]);
  });

  it.each([
    ['core/v1/pods', 422, 'schema_unavailable'],
    ['apps/v1/odds', 422, 'schema_unavailable'],
    ['apps/v1/gadgets', 404, 'resource_type_not_found'],
    ['apps/v9/deployments', 404, 'resource_type_not_found'],
    ['apps/v1/..%2F..%2Fversion', 404, 'resource_type_not_found'],
  ] as const)('rejects %s with %i %s', async (path, status, code) => {
    expectError(await app.client.send('GET', `${PATH}/${path}`), status, code);
  });

  it('rejects a cluster that is not running with cluster_state', async () => {
    await jobEnded(app.client, await submit(app.client, '/api/v1/clusters/shop/stop'));
    expectError(await app.client.send('GET', `${PATH}/apps/v1/deployments`), 409, 'cluster_state');
  });
});
